package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.Test;

/** I32: the kernel probes the quiet peer of a stream, and nobody else's. */
@Gate
class StreamKeepAliveGate {
    private static final Path TABLE = Path.of("/proc/net/tcp");
    /** The timer's kind in that table. */
    private static final String KEEPALIVE = "02";

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
                ServerProcess.await("the keepalive timer of a stream", Duration.ofSeconds(5),
                        () -> timer(server, stream)[0].equals(KEEPALIVE));
                // In hundredths of a second, which is how the kernel tells them.
                long left = Long.parseLong(timer(server, stream)[1], 16);
                assertTrue(left <= 100 * seconds, left + " hundredths of " + seconds + " s left");
                assertTrue(left > 100 * (seconds - 12), left + " hundredths of " + seconds
                        + " s left");
            }
            assertEquals("00", timer(server, plain)[0], "the timer of a connection that is none");
        }
    }

    @Test
    void zeroIsNoProbe() {
        try (ServerProcess server = quiet().set("M0_STREAM_KEEPALIVE_S", "0").start();
                SseClient events = SseClient.open(server, "/events?channel=c")) {
            for (int look = 0; look < 10; look++) {
                assertTrue(!timer(server, events.connection())[0].equals(KEEPALIVE),
                        "a stream has a keepalive timer");
                ServerProcess.pause(100);
            }
        }
    }

    /** Kind and time left of the timer at the server's end of that connection. */
    private static String[] timer(ServerProcess server, RawClient client) {
        String local = String.format(":%04X", server.port());
        String remote = String.format(":%04X", client.localPort());
        try {
            for (String line : Files.readString(TABLE, StandardCharsets.US_ASCII).split("\n")) {
                String[] fields = line.trim().split("\\s+");
                if (fields.length > 5 && fields[1].endsWith(local) && fields[2].endsWith(remote)) {
                    return fields[5].split(":");
                }
            }
        } catch (IOException failure) {
            throw new AssertionError(TABLE + ": " + failure, failure);
        }
        throw new AssertionError("no connection " + local + " to " + remote + " in " + TABLE);
    }

    private static ServerProcess.Plan quiet() {
        return ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000");
    }
}
