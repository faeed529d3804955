package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.Rounds;
import kit.ServerProcess;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.Test;

/** I9: a quiet stream has its heartbeats, no more and no fewer. */
@Gate
class SseHeartbeatGate {
    private static final long PERIOD_MS = 200;
    private static final int HEARTBEATS = 20;
    private static final int EVENTS_MAX = 400;

    /**
     * Counted over the time since the stream was asked for: none can come early. Few are late, and
     * what makes them so is the machine: of some rounds the least is judged.
     */
    @Test
    void heartbeatsComeAtTheirTimeOnEveryStream() {
        try (ServerProcess server = quiet(PERIOD_MS).start()) {
            long sinceNs = System.nanoTime();
            try (SseClient one = SseClient.open(server, "/events?channel=c");
                    SseClient two = SseClient.open(server, "/events?channel=d")) {
                List<Block> heartbeats = read(one);
                long ms = (heartbeats.get(HEARTBEATS - 1).atNs() - sinceNs) / 1_000_000;
                long promisedMs = HEARTBEATS * PERIOD_MS;
                Figures.add(SseHeartbeatGate.class, HEARTBEATS + " heartbeats", ms, "ms",
                        2 * promisedMs);
                assertTrue(ms >= promisedMs, HEARTBEATS + " heartbeats in " + ms + " ms");
                if (ms > 2 * promisedMs) {
                    expectNoneLate(one, 2 * promisedMs);
                }
                read(two);
            }
        }
    }

    /** From the last heartbeat that was read to the last of as many more. */
    private static void expectNoneLate(SseClient stream, long limitMs) {
        double ms = Rounds.least(limitMs, () -> {
            long sinceNs = System.nanoTime();
            return (read(stream).get(HEARTBEATS - 1).atNs() - sinceNs) / 1e6;
        });
        assertTrue(ms < limitMs, HEARTBEATS + " heartbeats in " + ms + " ms");
    }

    @Test
    void heartbeatsComeBetweenEventsToo() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_SSE_HEARTBEAT_MS", "100").set("M0_HOSTCHECK_PERIOD_MS", "30").start();
                SseClient stream = SseClient.open(server, "/events")) {
            List<Block> events = new ArrayList<>();
            // A pause lets events pile up, and no heartbeats: then it takes more of them.
            while (events.size() < 50
                    || stream.comments().size() < 5 && events.size() < EVENTS_MAX) {
                events.add(stream.event());
            }
            Ids.expectContiguous(events, events.get(0).id());
            assertTrue(stream.comments().size() >= 5,
                    stream.comments().size() + " heartbeats in some " + events.size() + " events");
        }
    }

    @Test
    void zeroIsNoHeartbeat() {
        try (ServerProcess server = quiet(0).start();
                SseClient stream = SseClient.open(server, "/events?channel=c")) {
            stream.expectSilence(2000);
        }
    }

    private static List<Block> read(SseClient stream) {
        List<Block> heartbeats = new ArrayList<>();
        for (int count = 0; count < HEARTBEATS; count++) {
            Block block = stream.block(Duration.ofSeconds(20));
            assertEquals(": heartbeat\n\n", block.raw());
            heartbeats.add(block);
        }
        return heartbeats;
    }

    private static ServerProcess.Plan quiet(long heartbeatMs) {
        return ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000")
                .set("M0_SSE_HEARTBEAT_MS", String.valueOf(heartbeatMs));
    }
}
