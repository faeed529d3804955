package streams;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.SocketTable;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.Test;

/** I32: the kernel probes the quiet peer of a stream, and nobody else's. */
@Gate
class StreamKeepAliveGate {
    private static final Duration LOOK = Duration.ofSeconds(8);

    @Test
    void streamsAreProbedAfterFifteenQuietSecondsAndOtherConnectionsAreNot() {
        expectTimer(null, 15);
    }

    @Test
    void theTimeIsTheSettings() {
        expectTimer("60", 60);
    }

    private static void expectTimer(String setting, long seconds) {
        ServerProcess.Plan plan = quiet();
        if (setting != null) {
            plan.set("M0_STREAM_KEEPALIVE_S", setting);
        }
        try (ServerProcess server = plan.start();
                RawClient plain = RawClient.connect(server);
                SseClient events = SseClient.open(server, "/events?channel=c");
                WsClient socket = WsClient.open(server, "/ws")) {
            plain.get("/health").expect(200);
            for (RawClient stream : new RawClient[] {events.connection(), socket.connection()}) {
                SocketTable.Timer[] timer = new SocketTable.Timer[1];
                ServerProcess.await("the keepalive timer of a stream", LOOK, () -> {
                    timer[0] = SocketTable.timer(server, stream);
                    return timer[0].kind().equals(SocketTable.Timer.KEEPALIVE);
                });
                // In hundredths of a second, which is how the kernel tells them.
                long left = timer[0].left();
                assertTrue(left <= 100 * seconds, left + " hundredths of " + seconds + " s left");
                assertTrue(left > 100 * (seconds - 12), left + " hundredths of " + seconds
                        + " s left");
            }
            // Until its answer is acknowledged, another timer runs there.
            ServerProcess.await("the timer of a connection that is none: its end", LOOK,
                    () -> SocketTable.timer(server, plain).kind().equals(SocketTable.Timer.NONE));
        }
    }

    @Test
    void zeroIsNoProbe() {
        try (ServerProcess server = quiet().set("M0_STREAM_KEEPALIVE_S", "0").start();
                SseClient events = SseClient.open(server, "/events?channel=c")) {
            for (int look = 0; look < 10; look++) {
                assertNotEquals(SocketTable.Timer.KEEPALIVE,
                        SocketTable.timer(server, events.connection()).kind(),
                        "a stream has a keepalive timer");
                ServerProcess.pause(100);
            }
        }
    }

    private static ServerProcess.Plan quiet() {
        return ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000");
    }
}
