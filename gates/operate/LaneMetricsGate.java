package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** F3–F5, F1: a lane seen from outside: what waits, how long, who answered, who was refused. */
@Gate
class LaneMetricsGate {
    private static final String DEPTH = "m0_lane_depth{lane=\"0\"}";
    private static final String WAIT = "m0_lane_wait_seconds";
    private static final String REFUSED = "m0_lane_refused_total";
    private static final int BLOCK_MS = 2500;
    private static final int WAITING = 3;
    private static final int ROUNDS = 4;
    private static final String FREE = "the thread was free again before all was asked";

    @Test
    void theDepthIsWhatWaitsAndTheWaitIsThatOfEachJob() {
        Rounds.play(ROUNDS, LaneMetricsGate::expectDepthAndWait);
    }

    private static void expectDepthAndWait() {
        List<RawClient> clients = new ArrayList<>();
        try (ServerProcess server = spike("1").start();
                RawClient asking = RawClient.connect(server)) {
            Exposition idle = scrape(asking);
            assertEquals(0, idle.value(DEPTH));
            assertEquals(0, idle.value(WAIT + "_count"));
            for (int index = 0; index < 1 + WAITING; index++) {
                RawClient client = RawClient.connect(server);
                clients.add(client);
                client.send("GET /slow?ms=" + (index == 0 ? BLOCK_MS : 0)
                        + " HTTP/1.1\r\nHost: gate\r\n\r\n");
                double wanted = index;
                ServerProcess.await("a depth of " + index, RawClient.WAIT, () ->
                        wanted > 0 && clients.get(0).hasBytes()
                                || asking.get("/begun").expect(200).text().startsWith("begun=1 ")
                                && scrape(asking).value(DEPTH) == wanted);
                Rounds.voidIf(index > 0 && clients.get(0).hasBytes(), FREE);
            }
            clients.forEach(client -> client.read().expect(200));
            Exposition after = scrape(asking);
            assertEquals(0, after.value(DEPTH));
            assertEquals(1 + WAITING, after.value(WAIT + "_count"), "jobs that were taken");
            double waited = after.value(WAIT + "_sum");
            assertTrue(waited > 0.1, "three waited " + waited + " s for a thread held for "
                    + BLOCK_MS + " ms");
            assertEquals(0, after.value(REFUSED));
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    /** Those that never became a job, and those that became one and were not run. */
    @Test
    void whatALaneRefusesIsCounted() {
        Rounds.play(ROUNDS, LaneMetricsGate::expectRefusedCounted);
    }

    private static void expectRefusedCounted() {
        try (ServerProcess server = spike("1").set("M0_LANE_QUEUE", "1")
                .set("M0_LANE_DEADLINE_MS", "1500").start();
                RawClient asking = RawClient.connect(server);
                RawClient blocker = RawClient.connect(server);
                RawClient waiting = RawClient.connect(server)) {
            blocker.send("GET /slow?ms=3000 HTTP/1.1\r\nHost: gate\r\n\r\n");
            ServerProcess.await("the blocker to begin", RawClient.WAIT,
                    () -> asking.get("/begun").expect(200).text().startsWith("begun=1 "));
            waiting.send("GET /fast HTTP/1.1\r\nHost: gate\r\n\r\n");
            ServerProcess.await("a depth of 1", RawClient.WAIT,
                    () -> waiting.hasBytes() || scrape(asking).value(DEPTH) == 1);
            Reply third = asking.get("/fast");
            Rounds.voidIf(waiting.hasBytes(), FREE);
            third.expect(503);
            waiting.read().expect(503);
            blocker.read().expect(200);
            Exposition after = scrape(asking);
            assertEquals(2, after.value(REFUSED), "refused at once, and after its deadline");
            assertEquals(0, after.value(DEPTH));
            asking.get("/fast").expect(200);
            assertEquals(2, scrape(asking).value(REFUSED));
        }
    }

    @Test
    void theAccessLogNamesTheThreadAndTheWait() {
        Rounds.play(ROUNDS, LaneMetricsGate::expectThreadAndWait);
    }

    private static void expectThreadAndWait() {
        try (ServerProcess server = ServerProcess.app("pool_spike")
                .set("M0_BLOCKING_THREADS", "1").args("--access-log").start();
                RawClient first = RawClient.connect(server);
                RawClient second = RawClient.connect(server)) {
            second.get("/loop").expect(200);
            first.send("GET /slow?ms=1000 HTTP/1.1\r\nHost: gate\r\n\r\n");
            ServerProcess.await("the first to begin", RawClient.WAIT,
                    () -> second.get("/begun").expect(200).text().startsWith("begun=1 "));
            second.send("GET /fast HTTP/1.1\r\nHost: gate\r\n\r\n").awaitTaken();
            ServerProcess.pause(100);
            Rounds.voidIf(first.hasBytes(), FREE);
            second.read().expect(200);
            first.read().expect(200);
            server.awaitStdout("/fast", RawClient.WAIT);
            Stop.term(server).expectExit(0);
            Map<String, Map<String, Object>> lines = new LinkedHashMap<>();
            server.stdout().lines().map(JsonText::object)
                    .forEach(line -> lines.put((String) line.get("target"), line));
            expect(lines.get("/loop"), -1, 0);
            expect(lines.get("/slow?ms=1000"), 0, 0);
            // Begun while the first was under way, and for a tenth of a second at least.
            expect(lines.get("/fast"), 0, 50_000);
            assertTrue((long) lines.get("/fast").get("dur_us")
                    >= (long) lines.get("/fast").get("wait_us"), lines.toString());
            assertTrue((long) lines.get("/slow?ms=1000").get("dur_us") >= 1_000_000,
                    lines.toString());
        }
    }

    private static void expect(Map<String, Object> line, long thread, long waitUsLeast) {
        assertEquals(thread, line.get("thread"), line.toString());
        assertTrue((long) line.get("wait_us") >= waitUsLeast, line.toString());
    }

    private static ServerProcess.Plan spike(String threads) {
        return ServerProcess.app("pool_spike").set("M0_BLOCKING_THREADS", threads)
                .set("M0_MAX_KEEPALIVE_REQUESTS", "0").args("--metrics");
    }

    private static Exposition scrape(RawClient client) {
        return Exposition.read(client.get("/__metrics").expect(200).body());
    }
}
