package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * I9: a client that has gone is found and told of once, on a channel that nobody publishes to, with
 * no heartbeat and no probe of TCP to help.
 */
@Gate
class SseDeadClientGate {
    private static final int CLIENTS = 8;
    /** The second probe comes at the first sweep behind the FIN; nothing else ever finds it. */
    private static final Duration FOUND = RawClient.WAIT;

    private static ServerProcess server;
    private static RawClient other;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000")
                .set("M0_SSE_HEARTBEAT_MS", "0").set("M0_STREAM_KEEPALIVE_S", "0").start();
        other = RawClient.connect(server);
    }

    @AfterAll
    static void stop() {
        other.close();
        server.close();
    }

    /** The next method counts ends of its own alone. Who had half-closed is found by a write. */
    @AfterEach
    void awaitEveryEnd() {
        Hooks.await(other, "the end of every stream", FOUND, hooks -> {
            Published.all(other, "channel=half");
            Published.all(other, "channel=quiet");
            return hooks.number("open") == 0;
        });
    }

    @Test
    void clientsThatCloseAreFoundAndToldOnce() {
        expectFound("closed", SseClient::close);
    }

    @Test
    void clientsThatResetAreFoundAndToldOnce() {
        expectFound("reset", client -> client.connection().reset());
    }

    private interface Going {
        void go(SseClient client);
    }

    private static void expectFound(String how, Going going) {
        List<SseClient> clients = open("/events?channel=quiet");
        try (SseClient stays = SseClient.open(server, "/events?channel=quiet")) {
            Hooks before = Hooks.of(other);
            long sinceNs = System.nanoTime();
            clients.forEach(going::go);
            Hooks.await(other, "the end of " + CLIENTS + " streams", FOUND, hooks ->
                    hooks.number("streamClosed") >= before.number("streamClosed") + CLIENTS);
            Figures.add(SseDeadClientGate.class, "clients that " + how + " found after",
                    (System.nanoTime() - sinceNs) / 1e6, "ms", FOUND.toMillis());
            ServerProcess.pause(1500);
            Hooks after = Hooks.of(other);
            assertEquals(before.number("streamClosed") + CLIENTS, after.number("streamClosed"));
            assertEquals(0, after.number("astray"), after.toString());
            long id = Published.all(other, "channel=quiet");
            assertEquals(id, stays.event().id());
        } finally {
            clients.forEach(SseClient::close);
        }
    }

    /** One that has shut its writing side may go on reading, and its stream goes on. */
    @Test
    void aHalfClosedReaderGoesOnReceiving() {
        List<SseClient> clients = open("/events?channel=half");
        try {
            Hooks before = Hooks.of(other);
            clients.forEach(client -> client.connection().shutdownOutput());
            for (int turn = 0; turn < 6; turn++) {
                long id = Published.all(other, "channel=half");
                for (SseClient client : clients) {
                    assertEquals(id, client.event().id());
                }
                ServerProcess.pause(500);
            }
            for (SseClient client : clients) {
                for (Block comment : client.comments()) {
                    assertEquals(": heartbeat\n\n", comment.raw());
                }
            }
            Hooks after = Hooks.of(other);
            assertEquals(before.number("streamClosed"), after.number("streamClosed"));
        } finally {
            clients.forEach(SseClient::close);
        }
    }

    /** A FIN that comes with the request is half-closing too. */
    @Test
    void aReaderThatHalfClosesWithItsRequestIsServed() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /events?channel=half HTTP/1.1\r\nHost: a\r\n\r\n").shutdownOutput();
            SseClient stream = SseClient.over(client);
            for (int turn = 0; turn < 4; turn++) {
                long id = Published.all(other, "channel=half");
                assertEquals(id, stream.event().id());
                ServerProcess.pause(500);
            }
        }
    }

    private static List<SseClient> open(String target) {
        List<SseClient> clients = new ArrayList<>();
        for (int count = 0; count < CLIENTS; count++) {
            clients.add(SseClient.open(server, target));
        }
        return clients;
    }
}
