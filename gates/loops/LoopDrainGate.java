package loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** E28: one signal reaches every loop, and a loop that does not end or that dies is named. */
@Gate
@Isolated("it measures how long stops take")
class LoopDrainGate {
    private static final long DRAIN_BOUND_MS = 8000;
    private static final String STALL_MS = "500";
    private static final Duration BOUND = Duration.ofSeconds(40);

    @Test
    void requestInFlightOnEachLoopIsAnsweredWhole() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", "2")
                .set("M0_LOOP_STALL_MS", STALL_MS).start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            for (Seat seat : seats) {
                seat.client().send("GET /slow?ms=2500 HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            awaitHeld(server, 0);
            awaitHeld(server, 1);
            long sinceNs = System.nanoTime();
            server.term();
            int exit = server.awaitExit(BOUND);
            long ms = (System.nanoTime() - sinceNs) / 1_000_000L;
            assertEquals(0, exit, "the exit code; its last lines: " + server.stderr());
            for (Seat seat : seats) {
                seat.client().read().expect(200).expectBody("slow 2500\n").expectClose();
                seat.client().expectEnd();
            }
            Figures.add(LoopDrainGate.class, "a stop with 2.5 s in flight on each of two loops",
                    ms, "ms", DRAIN_BOUND_MS);
            assertTrue(ms <= DRAIN_BOUND_MS, "it ended " + ms + " ms after the signal");
        }
    }

    /** The stall watch sees it, where no loop is left to be asked. */
    private static void awaitHeld(ServerProcess server, int loop) {
        server.awaitStderr("host: loop=" + loop + " has been inside one pass for ", RawClient.WAIT);
    }

    @Test
    void idleLoopsEndAtOnceAndEachTellsWhatItShared() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", "3")
                .start()) {
            List<Seat> seats = Seat.oneOnEach(server, 3);
            server.term();
            for (Seat seat : seats) {
                seat.client().expectEnd();
            }
            assertEquals(0, server.awaitExit(BOUND));
            for (int loop = 0; loop < 3; loop++) {
                assertEquals(1, server.stderrLinesWith("host: loop=" + loop + " passed="),
                        server.stderr());
            }
        }
    }

    @Test
    void loopThatDoesNotEndIsNamed() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", "2")
                .set("M0_DRAIN_TIMEOUT_MS", "1500").set("M0_LOOP_STALL_MS", STALL_MS).start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            seats.get(1).client().send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitHeld(server, 1);
            server.term();
            assertEquals(1, server.awaitExit(BOUND), "the exit code");
            assertEquals(1, server.stderrLinesWith("host: loop 1 did not end"), server.stderr());
            assertEquals(0, server.stderrLinesWith("host: loop 0 did not end"), server.stderr());
            seats.forEach(Seat::close);
        }
    }

    @Test
    void loopThatDiesTakesTheProcess() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", "2")
                .set("M0_HOSTCHECK_LOOP_ERROR", "1").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            seats.get(1).client().send("GET /error HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals(1, server.awaitExit(RawClient.WAIT), "the exit code");
            assertEquals(1, server.stderrLinesWith("host: loop 1 ended by"
                    + " java.lang.AssertionError: host_check was asked for an Error, and the"
                    + " process with it"), server.stderr());
            seats.forEach(Seat::close);
        }
    }
}
