package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.ClientFrames;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import kit.WsClient;
import org.junit.jupiter.api.Test;

/** I3: the server pings on the heartbeat, and gives up who never answers. */
@Gate
class WebSocketPingGate {

    /** Who answers is given up where a pause keeps it from that for two of them: no short time. */
    private static final int HEARTBEAT_MS = 1250;
    /** The clocks of both sides are read at different moments. */
    private static final int EARLY_MS = 20;

    @Test
    void aPingComesWithEachHeartbeatAndNotBefore() {
        try (ServerProcess server = server(HEARTBEAT_MS)) {
            pingsCome(server);
        }
    }

    private static void pingsCome(ServerProcess server) {
        // Before the server can have opened it.
        long sinceNs = System.nanoTime();
        try (WsClient socket = WsClient.open(server, "/ws")) {
            int pings = 4;
            for (int count = 1; count <= pings; count++) {
                WsClient.Frame ping = socket.read(Duration.ofMillis(
                        Slack.notAfterMs(HEARTBEAT_MS)));
                assertEquals(ClientFrames.PING, ping.opcode(), "opcode");
                long afterMs = (System.nanoTime() - sinceNs) / 1_000_000;
                assertTrue(afterMs >= (long) count * HEARTBEAT_MS - EARLY_MS,
                        "ping " + count + " came after " + afterMs + " ms");
                socket.send(new ClientFrames().frame(true, ClientFrames.PONG, ping.payload()));
            }
            long allMs = (System.nanoTime() - sinceNs) / 1_000_000;
            assertTrue(allMs <= pings * HEARTBEAT_MS + Slack.MACHINE_MS,
                    pings + " pings took " + allMs + " ms");
        }
    }

    @Test
    void whoAnswersIsKept() {
        try (ServerProcess server = server(HEARTBEAT_MS);
                WsClient socket = WsClient.open(server, "/ws")) {
            // Whoever were not heard would be given up at the third.
            for (int count = 0; count < 3; count++) {
                WsClient.Frame ping = socket.read();
                socket.send(new ClientFrames().frame(true, ClientFrames.PONG, ping.payload()));
            }
            socket.text("here").expectText("here");
        }
    }

    @Test
    void whoNeverAnswersIsGivenUp() {
        int heartbeatMs = 500;
        try (ServerProcess server = server(heartbeatMs)) {
            long sinceNs = System.nanoTime();
            try (WsClient socket = WsClient.open(server, "/ws")) {
                socket.connection().closedWithin(sinceNs, 2L * heartbeatMs,
                        Slack.notAfterMs(4L * heartbeatMs));
            }
            Hooks after = Hooks.await(server, "streamClosed", 1, RawClient.WAIT);
            assertEquals(0, after.number("open"), "streams still open");
        }
    }

    @Test
    void zeroIsNoPing() {
        try (ServerProcess server = server(0);
                WsClient socket = WsClient.open(server, "/ws")) {
            socket.connection().expectSilence(1500);
            socket.text("here").expectText("here");
        }
    }

    private static ServerProcess server(int heartbeatMs) {
        return ServerProcess.app("host_check")
                .set("M0_SSE_HEARTBEAT_MS", String.valueOf(heartbeatMs)).start();
    }
}
