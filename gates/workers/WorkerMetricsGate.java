package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;
import kit.SseClient;
import org.junit.jupiter.api.Test;

/** F3, F102 for workers: one scrape sums all, whoever answers it; each process is live by itself. */
@Gate
class WorkerMetricsGate {
    @Test
    void oneScrapeSumsAllWorkersWhicheverIsAsked() {
        try (ServerProcess server = metered().start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            long before = value(seats.get(0), "m0_requests_total{class=\"4xx\"}");
            for (int count = 0; count < 10; count++) {
                seats.get(0).client().get("/nothing").expect(404);
                seats.get(1).client().get("/nothing").expect(404);
                seats.get(1).client().get("/nothing").expect(404);
            }
            for (Seat seat : seats) {
                assertEquals(before + 30, value(seat, "m0_requests_total{class=\"4xx\"}"),
                        "asked on worker " + seat.loop());
                String text = seat.client().get("/__metrics").expect(200).text();
                long all = 0;
                for (int index = 1; index <= 5; index++) {
                    all += value(text, "m0_requests_total{class=\"" + index + "xx\"}");
                }
                assertEquals(all, value(text, "m0_request_duration_seconds_count"),
                        "buckets are summed as well");
            }
            Fleet.closeAll(seats);
        }
    }

    /** What it has counted stays; what it held is gone with it. */
    @Test
    void whoIsKilledLeavesItsCountsAndNothingOfWhatItHeld() {
        try (ServerProcess server = metered().start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            SseClient[] streams = new SseClient[6];
            int onOne = 0;
            for (int index = 0; index < streams.length; index++) {
                streams[index] = SseClient.open(server, "/events");
                onOne += streams[index].worker();
            }
            assertTrue(onOne > 0, "vacuous: worker 1 held no stream");
            seats.get(1).client().get("/nothing").expect(404);
            long failed = value(seats.get(0), "m0_requests_total{class=\"4xx\"}");
            ServerProcess.signalOther(seats.get(1).instance().pid(), "KILL");
            long left = streams.length - onOne;
            ServerProcess.await("the streams of worker 1 to be counted no more", Fleet.BOUND,
                    () -> value(seats.get(0), "m0_streams{kind=\"sse\"}") == left);
            assertEquals(failed, value(seats.get(0), "m0_requests_total{class=\"4xx\"}"));
            for (SseClient stream : streams) {
                stream.close();
            }
            Fleet.closeAll(seats);
        }
    }

    @Test
    void eachWorkerIsLiveByItself() {
        try (ServerProcess server = metered().set("M0_LOOP_STALL_MS", "300").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            seats.get(1).client().send("GET /slow?ms=2500 HTTP/1.1\r\nHost: a\r\n\r\n");
            server.awaitStderr("host: loop=1 has been inside one pass for ", RawClient.WAIT);
            seats.get(0).client().get("/__live").expect(200);
            seats.get(0).client().get("/__ready").expect(200);
            assertTrue(!seats.get(1).client().hasBytes(), "vacuous: the worker was not held");
            Fleet.closeAll(seats);
        }
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
