package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;
import kit.Spread;
import kit.SseClient;
import org.junit.jupiter.api.Test;

/** F3, F102 for workers: one scrape sums all, whoever answers it, and whoever is held is seen by all. */
@Gate
class WorkerMetricsGate {
    private static final String FAILED = "m0_requests_total{class=\"4xx\"}";
    private static final String SSE = "m0_streams{kind=\"sse\"}";
    private static final int STREAMS = 6;

    @Test
    void oneScrapeSumsAllWorkersWhicheverIsAsked() {
        try (ServerProcess server = metered().start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            long before = value(seats.get(0), FAILED);
            for (int count = 0; count < 10; count++) {
                seats.get(0).client().get("/nothing").expect(404);
                seats.get(1).client().get("/nothing").expect(404);
                seats.get(1).client().get("/nothing").expect(404);
            }
            for (Seat seat : seats) {
                // A worker counts behind its answer, and the other may look in between.
                awaitValue(seat, FAILED, before + 30);
                ServerProcess.await("the buckets' sum to be that of the classes", RawClient.WAIT,
                        () -> areBucketsSummed(seat.client().get("/__metrics").expect(200).text()));
                assertEquals(before + 30, value(seat, FAILED), "asked on worker " + seat.loop());
            }
            Fleet.closeAll(seats);
        }
    }

    private static boolean areBucketsSummed(String text) {
        long all = 0;
        for (int index = 1; index <= 5; index++) {
            all += value(text, "m0_requests_total{class=\"" + index + "xx\"}");
        }
        return all == value(text, "m0_request_duration_seconds_count");
    }

    /** What it has counted stays; what it held is gone with it. */
    @Test
    void whoIsKilledLeavesItsCountsAndNothingOfWhatItHeld() {
        try (ServerProcess server = metered().start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            List<SseClient> streams = new ArrayList<>();
            Spread.over(2, STREAMS, streams, () -> SseClient.open(server, "/events"),
                    SseClient::worker);
            int onOne = streams.stream().mapToInt(SseClient::worker).sum();
            seats.get(1).client().get("/nothing").expect(404);
            awaitValue(seats.get(0), FAILED, 1);
            awaitValue(seats.get(0), SSE, streams.size());
            ServerProcess.signalOther(seats.get(1).instance().pid(), "KILL");
            long left = streams.size() - onOne;
            ServerProcess.await("the streams of worker 1 to be counted no more", Fleet.BOUND,
                    () -> value(seats.get(0), SSE) == left);
            assertEquals(1, value(seats.get(0), FAILED));
            streams.forEach(SseClient::close);
            Fleet.closeAll(seats);
        }
    }

    @Test
    void workersThatServeAreCountedAndThoseThatEnded() {
        try (ServerProcess server = metered().start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            assertEquals(2, value(seats.get(0), "m0_workers"));
            assertEquals(0, value(seats.get(0), "m0_worker_ends_total"));
            ServerProcess.signalOther(seats.get(1).instance().pid(), "KILL");
            awaitValue(seats.get(0), "m0_worker_ends_total", 1);
            awaitValue(seats.get(0), "m0_workers", 2);
            assertEquals(1, value(seats.get(0), "m0_worker_ends_total"));
            Fleet.closeAll(seats);
        }
    }

    /** Nobody replaces it: whoever asks any worker learns of it, as of a loop among threads. */
    @Test
    void heldWorkerIsNamedByItsSiblingUntilItIsGone() {
        try (ServerProcess server = metered().set("M0_LOOP_STALL_MS", "1500").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            RawClient asked = seats.get(1).client();
            long held = seats.get(0).instance().pid();
            // For longer than any look takes; it is killed before it.
            Fleet.hold(server, seats.get(0), 60_000);
            server.awaitStderr("host: loop=0 has been inside one pass for ", RawClient.WAIT);
            String live = asked.get("/__live").expect(503).text();
            assertTrue(live.startsWith("loop=0 has been inside one pass for "), live);
            asked.get("/__ready").expect(200);
            assertTrue(!seats.get(0).client().hasBytes(), "vacuous: the worker was not held");
            ServerProcess.signalOther(held, "KILL");
            ServerProcess.await("health behind its end", Fleet.BOUND,
                    () -> asked.get("/__live").status() == 200);
            Fleet.closeAll(seats);
        }
    }

    private static void awaitValue(Seat seat, String series, long wanted) {
        ServerProcess.await(series + " of " + wanted + " asked on worker " + seat.loop(),
                RawClient.WAIT, () -> value(seat, series) == wanted);
    }

    private static ServerProcess.Plan metered() {
        // A gate that waits for a figure asks for it again and again.
        return Fleet.of(2).set("M0_METRICS", "1").set("M0_MAX_KEEPALIVE_REQUESTS", "0");
    }

    private static long value(Seat seat, String series) {
        return value(seat.client().get("/__metrics").expect(200).text(), series);
    }

    private static long value(String text, String series) {
        Matcher line = Pattern.compile("^" + Pattern.quote(series) + " ([0-9]+)$",
                Pattern.MULTILINE).matcher(text);
        assertTrue(line.find(), "no " + series + " in " + text);
        return Long.parseLong(line.group(1));
    }
}
