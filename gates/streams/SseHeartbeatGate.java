package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.Test;

/** I9: a quiet stream has its heartbeats, no more and no fewer. */
@Gate
class SseHeartbeatGate {
    private static final long PERIOD_MS = 200;
    private static final int HEARTBEATS = 20;

    /** Counted over the time since the stream was asked for: none can come early, few are late. */
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
                assertTrue(ms <= 2 * promisedMs, HEARTBEATS + " heartbeats in " + ms + " ms");
                read(two);
            }
        }
    }

    @Test
    void heartbeatsComeBetweenEventsToo() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_SSE_HEARTBEAT_MS", "100").set("M0_HOSTCHECK_PERIOD_MS", "30").start();
                SseClient stream = SseClient.open(server, "/events")) {
            List<Block> events = stream.events(50, RawClient.WAIT);
            Ids.expectContiguous(events, events.get(0).id());
            assertTrue(stream.comments().size() >= 5,
                    stream.comments().size() + " heartbeats in some 1500 ms");
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
