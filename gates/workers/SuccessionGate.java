package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** E2, E3, E36: who dies is replaced in its place, as often as the budget allows. */
@Gate
@Isolated("it kills processes by the time they have lived")
class SuccessionGate {
    private static final int CONNECTIONS = 32;
    private static final int BUDGET = 20;
    /** More than the second within which a death counts as one at once. */
    private static final long SERVED_MS = 1300;

    @Test
    void whoIsKilledIsReplacedInItsPlaceAndTheSiblingServesOn() {
        try (ServerProcess server = Fleet.of(2).start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            long killed = seats.get(1).instance().pid();
            long sibling = seats.get(0).instance().pid();
            long pipes = pipes(server);
            ServerProcess.signalOther(killed, "KILL");
            Fleet.awaitSuccessor(server, 1, killed);
            ServerProcess.await("as many pipes of the supervisor as before, a death later",
                    RawClient.WAIT, () -> pipes(server) == pipes);
            assertEquals(sibling, seats.get(0).instance().pid(), "who answers the sibling's client");
            assertEquals(1, server.stderrLinesWith("host: worker 1, process " + killed
                    + ", ended with signal 9"), server.stderr());
            assertEquals(1, server.stderrLinesWith("host: worker=1 serves, pid="
                    + Fleet.process(server, 1) + ", after "), server.stderr());
            assertEquals(2, server.workers().size());
            server.term();
            assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
            Fleet.closeAll(seats);
        }
    }

    /** A worker's output comes by two, and what a death leaves open adds up. */
    private static long pipes(ServerProcess server) {
        return server.openDescriptors().stream().filter(name -> name.startsWith("pipe:")).count();
    }

    /** A worker alone that is told to go drains, and has a successor as well. */
    @Test
    void whoIsToldToGoDrainsAndIsReplaced() {
        try (ServerProcess server = Fleet.of(2).start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            long told = seats.get(1).instance().pid();
            Fleet.hold(server, seats.get(1), 2500);
            ServerProcess.signalOther(told, "TERM");
            seats.get(1).client().read().expect(200).expectBody("slow 2500\n").expectClose();
            Fleet.awaitSuccessor(server, 1, told);
            Fleet.closeAll(seats);
        }
    }

    /** Its main, or what it has hooked to its end, hangs: its place would stay empty for ever. */
    @Test
    void whoServesNoMoreAndDoesNotEndIsReplaced() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_EXIT_HANGS", "1").start()) {
            long told = Fleet.process(server, 1);
            long sinceNs = System.nanoTime();
            ServerProcess.signalOther(told, "TERM");
            server.awaitStderr("host: worker=1 stood_back=", Fleet.BOUND);
            Fleet.awaitSuccessor(server, 1, told);
            long ms = (System.nanoTime() - sinceNs) / 1_000_000L;
            assertTrue(ms >= 4500, "vacuous: it ended by itself, after " + ms + " ms");
            server.term();
            assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
        }
    }

    /** Their handlers take longer than it takes to kill them, so none has served. */
    @Test
    void fiveDeathsAtOnceEndItAll() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_MAKE_MS", "30000")
                .set("M0_DRAIN_TIMEOUT_MS", "500").launch()) {
            Set<Long> killed = new HashSet<>();
            ServerProcess.await("the supervisor's end", Fleet.BOUND, () -> {
                for (long worker : server.workers()) {
                    // The JDK's helper, which becomes the worker, is none yet.
                    boolean begun = ServerProcess.variable(worker, "M0_INTERNAL_WORKER") != null;
                    if (begun && killed.size() < 5 && killed.add(worker)) {
                        ServerProcess.signalOther(worker, "KILL");
                    }
                }
                return !server.isAlive();
            });
            assertEquals(1, server.exitCode(), server.stderr());
            assertEquals(5, killed.size());
            assertEquals(1, server.stderrLinesWith("host: 5 workers in a row ended before they"
                    + " served, so none is replaced any more"), server.stderr());
            assertEquals(0, server.stderrLinesWith("failed its drain"), server.stderr());
            assertEquals(0, server.stderrLinesWith("listening"), server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
        }
    }

    /** Whoever cleans up takes what is in use: who has it mapped serves on, and nobody comes to it. */
    @Test
    void whoseDirectoryIsGoneIsNotReplacedAndTheSiblingServesOn() throws IOException {
        try (ServerProcess server = Fleet.of(2).start()) {
            // A worker makes its bell in there as it begins, behind the listening line.
            Fleet.closeAll(Seat.oneOnEach(server, 2));
            Path directory = Fleet.directory(server);
            removeAll(directory);
            expectNoSuccessor(server, directory);
        }
    }

    /** A successor needs each of the files, and starts in vain would end the sibling. */
    @Test
    void whoseRingsAreGoneIsNotReplacedEither() throws IOException {
        try (ServerProcess server = Fleet.of(2).start()) {
            Path directory = Fleet.directory(server);
            Files.delete(directory.resolve("frames"));
            expectNoSuccessor(server, directory);
        }
    }

    private static void expectNoSuccessor(ServerProcess server, Path directory) {
        long sibling = Fleet.process(server, 0);
        ServerProcess.signalOther(Fleet.process(server, 1), "KILL");
        server.awaitStderr(", ended with signal 9\n", Fleet.BOUND);
        ServerProcess.await("what becomes of worker 1", Fleet.BOUND, () -> !server.isAlive()
                || server.stderr().contains("host: worker 1 is not replaced: " + directory
                        + " was cleaned from outside (restart the host; "));
        assertTrue(server.isAlive(), "the sibling ended with it: " + server.stderr());
        assertEquals(List.of(sibling), server.workers());
        assertEquals(0, Seat.take(server).loop(), "who answers");
        ServerProcess.signalOther(sibling, "KILL");
        assertEquals(1, server.awaitExit(Fleet.BOUND), server.stderr());
        assertEquals(1, server.stderrLinesWith("host: no worker is left"), server.stderr());
    }

    private static void removeAll(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The budget's last death is for good; the sibling answers all, and soon. */
    @Test
    void whoIsKilledForGoodGetsNoneAndTheOtherAnswersAll() {
        try (ServerProcess server = Fleet.of(2).start()) {
            for (int round = 0; round < BUDGET / 2; round++) {
                ServerProcess.pause(SERVED_MS);
                killBoth(server);
            }
            ServerProcess.pause(SERVED_MS);
            long last = Fleet.process(server, 1);
            ServerProcess.signalOther(last, "KILL");
            server.awaitStderr("host: worker 1 is not replaced for ", RawClient.WAIT);
            long[] waitedMs = new long[CONNECTIONS];
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                long sinceNs = System.nanoTime();
                assertEquals(0, Seat.take(server).loop(), "who answered connection " + connection);
                waitedMs[connection] = (System.nanoTime() - sinceNs) / 1_000_000L;
            }
            Arrays.sort(waitedMs);
            // The machine may keep one or two of them waiting, and no host that is right does more.
            assertTrue(waitedMs[CONNECTIONS - 3] < 1000, "they waited " + Arrays.toString(waitedMs)
                    + " ms");
            assertEquals(1, server.workers().size(), "workers left");
            server.term();
            assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
        }
    }

    private static void killBoth(ServerProcess server) {
        long[] killed = {Fleet.process(server, 0), Fleet.process(server, 1)};
        for (int worker = 0; worker < 2; worker++) {
            ServerProcess.signalOther(killed[worker], "KILL");
        }
        for (int worker = 0; worker < 2; worker++) {
            Fleet.awaitSuccessor(server, worker, killed[worker]);
        }
    }
}
