package wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * C10: a connection that is not being read costs no CPU. A selector reports a pending byte, or a
 * FIN, on every pass for as long as somebody asks for it.
 */
@Gate
class UnreadCostGate {

    /** Half a second is promised; a spinning loop on a crowded machine may get little more. */
    private static final double CPU_SECONDS_MAX = 0.2;
    private static final int LARGE = 32 * 1024 * 1024;
    private static final String STUCK = "GET /bytes?n=" + LARGE + " HTTP/1.1\r\nHost: a\r\n\r\n";

    @Test
    void idleConnections() {
        costsNothing("idle", client -> client.get("/pid").expect(200));
    }

    @Test
    void aStuckAnswer() {
        costsNothing("a stuck answer", client -> client.send(STUCK).awaitBytes());
    }

    @Test
    void aStuckFile() {
        costsNothing("a stuck file", client -> client.send(
                "GET /file?bytes=" + LARGE + " HTTP/1.1\r\nHost: a\r\n\r\n").awaitBytes());
    }

    @Test
    void aHalfClosedClientWithItsAnswerPending() {
        costsNothing("a half-closed client with its answer pending", client -> {
            client.send(STUCK).awaitBytes();
            client.shutdownOutput();
        });
    }

    @Test
    void pendingInputBehindAStuckAnswer() {
        costsNothing("pending input behind a stuck answer", client -> {
            client.send(STUCK).awaitBytes();
            client.send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20));
        });
    }

    @Test
    void aRequestThatIsHalfThere() {
        costsNothing("a half-sent request", client -> client.send("GET /pid HTT"));
    }

    @Test
    void whatWaitsOutsideWhereAllSlotsAreTaken() {
        try (ServerProcess server = ServerProcess.app("host_check")
                    .set("M0_MAX_CONNECTIONS", "2").start();
                RawClient first = RawClient.connect(server);
                RawClient second = RawClient.connect(server);
                RawClient outside = RawClient.connect(server)) {
            first.get("/pid").expect(200);
            second.get("/pid").expect(200);
            outside.send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
            measure(server, "a connection outside a full server");
        }
    }

    private static void costsNothing(String what, Consumer<RawClient> state) {
        List<RawClient> clients = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("host_check").start()) {
            try {
                for (int index = 0; index < 8; index++) {
                    RawClient client = RawClient.connectWithReceiveBuffer(server, 16 * 1024);
                    clients.add(client);
                    state.accept(client);
                }
                measure(server, what);
            } finally {
                clients.forEach(RawClient::close);
            }
        }
    }

    private static void measure(ServerProcess server, String what) {
        // What the start and the requests themselves have cost is over by then.
        ServerProcess.pause(500);
        double used = server.quietCpuSeconds(2000, CPU_SECONDS_MAX);
        Figures.add(UnreadCostGate.class, "CPU in 2 s with " + what, used, "s", CPU_SECONDS_MAX);
        assertTrue(used < CPU_SECONDS_MAX, what + " cost " + used + " CPU seconds in 2 s");
    }
}
