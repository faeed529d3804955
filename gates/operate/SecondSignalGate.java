package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import kit.Ending;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.Seat;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** D102: whoever asks twice does not want to wait. */
@Gate
class SecondSignalGate {
    private static final String SECOND = "host: a second signal, SIG";
    private static final int LARGE = 8 * 1024 * 1024;
    /** Behind the tenth of a second that makes two signals one, on a machine that is late. */
    private static final long BEHIND_MS = 1500;
    /** Far from the minute that a drain may take here. */
    private static final Duration SOON = Duration.ofSeconds(6);

    @Test
    void endsADrainAtOnce() {
        try (ServerProcess server = draining("60000").start();
                RawClient client = RawClient.connectWithReceiveBuffer(server, 16 * 1024)) {
            ask(client);
            Stop.term(server).awaitNobodyListens();
            ServerProcess.pause(BEHIND_MS);
            assertTrue(server.isAlive(), "the first signal ended it: there is no drain to cut");
            expectEnd(server);
        }
    }

    /** What is idle on the other loop is closed once the first signal has been seen. */
    @Test
    void endsALoopThatIsHeld() {
        try (ServerProcess server = draining("60000").set("M0_THREADS", "2").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            seats.get(0).client().send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n")
                    .awaitTaken();
            Stop.term(server);
            seats.get(1).client().expectEnd();
            ServerProcess.pause(BEHIND_MS);
            assertTrue(server.isAlive(), "the first signal ended it: there is no drain to cut");
            expectEnd(server);
        }
    }

    /**
     * A terminal signals the whole group, and a parent in it passes the signal on once more. The
     * server stands still until both are there. Whether both are handled within the tenth of a
     * second that makes them one is the machine's too, and {@code SignalsTest} has a clock for it.
     */
    @Test
    void twoSignalsAtOnceAreOne() {
        Rounds.play(5, () -> {
            try (ServerProcess server = draining("30000").start();
                    RawClient client = RawClient.connectWithReceiveBuffer(server, 16 * 1024)) {
                ask(client);
                server.whileSuspended(() -> {
                    server.signal("TERM");
                    server.signal("INT");
                });
                ServerProcess.pause(1000);
                Ending ending = client.readUntilClosed(RawClient.WAIT);
                int exit = server.awaitExit(RawClient.WAIT);
                Rounds.voidIf(exit == 1 && server.stderrLinesWith(SECOND) == 1,
                        "the server took the second signal for another");
                assertEquals(0, exit, server.stderr());
                assertTrue(ending.text().startsWith("HTTP/1.1 200 ")
                        && ending.bytes().length > LARGE, ending.bytes().length + " bytes of it");
            }
        });
    }

    private static ServerProcess.Plan draining(String ms) {
        return ServerProcess.app("host_check").set("M0_DRAIN_TIMEOUT_MS", ms);
    }

    /** Asks for an answer that it does not read: a drain waits for as long as that may leave. */
    private static void ask(RawClient client) {
        client.send("GET /bytes?n=" + LARGE + " HTTP/1.1\r\nHost: a\r\n\r\n").awaitBytes();
    }

    private static void expectEnd(ServerProcess server) {
        server.signal("INT");
        try {
            assertEquals(1, server.awaitExit(SOON));
        } catch (AssertionError failure) {
            throw new AssertionError("after the second signal: " + failure.getMessage(), failure);
        }
        assertEquals(1, server.stderrLinesWith(SECOND), server.stderr());
    }
}
