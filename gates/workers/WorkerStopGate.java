package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** D2, D10, D102: one signal stops all, wherever it comes and whenever, and nobody is left behind. */
@Gate
@Isolated("it measures how long stops take")
class WorkerStopGate {
    private static final long DRAIN_BOUND_MS = 8000;
    private static final Duration ORPHAN_BOUND = Duration.ofSeconds(10);
    /** A machine's stalls, and a fraction of what the drain would take. */
    private static final Duration AT_ONCE_BOUND = Duration.ofSeconds(10);

    @Test
    void signalToTheSupervisorDrainsEveryWorker() {
        expectDrain(ServerProcess::term, server -> { });
    }

    /** Each worker has it from the terminal, and from its supervisor; one more must not cut its drain. */
    @Test
    void signalToTheGroupDrainsEveryWorker() {
        expectDrain(server -> server.signalGroup("INT"), server -> server.workers()
                .forEach(worker -> ServerProcess.signalOther(worker, "TERM")));
    }

    private interface Signal {
        void send(ServerProcess server);
    }

    private static void expectDrain(Signal signal, Signal further) {
        try (ServerProcess server = Fleet.of(2).start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            for (Seat seat : seats) {
                Fleet.hold(server, seat, 3000);
            }
            long sinceNs = System.nanoTime();
            signal.send(server);
            // Far more than makes two signals one.
            ServerProcess.pause(1000);
            further.send(server);
            int exit = server.awaitExit(Fleet.BOUND);
            long ms = msSince(sinceNs);
            assertEquals(0, exit, "the exit code; its last lines: " + server.stderr());
            for (Seat seat : seats) {
                seat.client().read().expect(200).expectBody("slow 3000\n").expectClose();
                seat.client().expectEnd();
            }
            server.awaitNobodyLeft(Fleet.BOUND);
            for (int worker = 0; worker < 2; worker++) {
                assertEquals(1, server.stderrLinesWith("host: worker=" + worker + " stood_back="),
                        server.stderr());
            }
            Figures.add(WorkerStopGate.class, "a stop with 3 s in flight on each of two workers",
                    ms, "ms", DRAIN_BOUND_MS);
            assertTrue(ms <= DRAIN_BOUND_MS, "it ended after " + ms + " ms");
        }
    }

    @Test
    void signalInTheMiddleOfStartingLeavesNobody() {
        for (long ms : new long[] {250, 400, 550, 700, 850}) {
            try (ServerProcess server = Fleet.of(2).launch()) {
                ServerProcess.pause(ms);
                ServerProcess.await("a worker's process", Fleet.BOUND,
                        () -> !server.workers().isEmpty());
                server.term();
                assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
                server.awaitNobodyLeft(Fleet.BOUND);
            }
        }
    }

    /** It must not wait for the last worker's end, and then be cut off. */
    @Test
    void whoComesWhileWorkersDrainIsRefusedAtOnce() {
        try (ServerProcess server = Fleet.of(2).set("M0_BLOCKING_THREADS", "1")
                .set("M0_DRAIN_TIMEOUT_MS", "20000").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            Fleet.hold(server, seats.get(1), 6000);
            server.term();
            ServerProcess.await("nobody to listen while a worker drains", Fleet.BOUND,
                    () -> isRefused(server.port()));
            assertFalse(seats.get(1).client().hasBytes(), "nobody to listen while a worker drains"
                    + " did not come before its end");
            seats.get(1).client().read().expect(200).expectBody("slow 6000\n").expectClose();
            assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
            Fleet.closeAll(seats);
        }
    }

    private static boolean isRefused(int port) {
        try (Socket tried = new Socket("127.0.0.1", port)) {
            return !tried.isConnected();
        } catch (IOException refused) {
            return true;
        }
    }

    /** Who had connected before the signal is served, however late a worker comes to look. */
    @Test
    void whoWaitsInTheBacklogAtAStopIsServed() {
        try (ServerProcess server = Fleet.of(2).set("M0_DRAIN_TIMEOUT_MS", "20000").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            for (Seat seat : seats) {
                Fleet.hold(server, seat, 4000);
            }
            List<RawClient> waiting = new ArrayList<>();
            for (int client = 0; client < 20; client++) {
                waiting.add(RawClient.connect(server)
                        .send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n"));
            }
            server.term();
            for (RawClient client : waiting) {
                client.read().expect(200).expectClose();
                client.close();
            }
            assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
            Fleet.closeAll(seats);
        }
    }

    @Test
    void failedDrainOfAWorkerIsTheSupervisors() {
        try (ServerProcess server = Fleet.of(2).set("M0_DRAIN_TIMEOUT_MS", "1500").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            Fleet.hold(server, seats.get(1), 60_000);
            server.term();
            assertEquals(1, server.awaitExit(Fleet.BOUND), "the exit code");
            assertEquals(1, server.stderrLinesWith("host: loop 1 did not end"), server.stderr());
            assertEquals(1, server.stderrLinesWith("host: worker 1 failed its drain: it ended with"
                    + " code 1"), server.stderr());
            assertEquals(0, server.stderrLinesWith("worker 0 failed"), server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
            Fleet.closeAll(seats);
        }
    }

    /** Where the drain would take a minute. */
    @Test
    void secondSignalToTheSupervisorEndsAllAtOnce() {
        try (ServerProcess server = Fleet.of(2).set("M0_DRAIN_TIMEOUT_MS", "60000").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            Fleet.hold(server, seats.get(1), 60_000);
            Path directory = Fleet.directory(server);
            server.term();
            ServerProcess.await("the first signal to drain the worker that is idle", Fleet.BOUND,
                    () -> server.workers().size() == 1);
            // Far more than makes two signals one.
            ServerProcess.pause(500);
            assertTrue(server.isAlive(), "vacuous: it had ended before the second signal");
            server.term();
            assertEquals(1, server.awaitExit(AT_ONCE_BOUND), "the exit code");
            server.awaitNobodyLeft(AT_ONCE_BOUND);
            assertEquals(1, server.stderrLinesWith("a second signal, SIGTERM, ends it at once"),
                    server.stderr());
            assertFalse(Files.exists(directory), "left behind: " + directory);
            Fleet.closeAll(seats);
        }
    }

    /** The end of a third, which is idle, shows that the stop has begun. */
    @Test
    void nothingIsReplacedAfterAStop() {
        try (ServerProcess server = Fleet.of(3).set("M0_DRAIN_TIMEOUT_MS", "20000").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 3);
            Fleet.hold(server, seats.get(0), 5000);
            Fleet.hold(server, seats.get(1), 60_000);
            long killed = Fleet.process(server, 1);
            List<Long> before = server.workers();
            server.term();
            ServerProcess.await("the end of the worker that is idle", Fleet.BOUND,
                    () -> server.workers().size() == 2);
            ServerProcess.signalOther(killed, "KILL");
            server.awaitStderr("ended with signal 9", Fleet.BOUND);
            for (int look = 0; look < 20; look++) {
                ServerProcess.pause(50);
                assertTrue(before.containsAll(server.workers()), "a successor of a worker that died"
                        + " in its drain");
            }
            seats.get(0).client().read().expect(200);
            assertEquals(1, server.awaitExit(Fleet.BOUND), "the exit code");
            assertEquals(1, server.stderrLinesWith("host: worker 1 failed its drain: it ended with"
                    + " signal 9"), server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
            Fleet.closeAll(seats);
        }
    }

    /**
     * Orphans would serve on, and nobody could stop them: they drain, and the next start tidies up.
     * Any start on this machine would; so until ours the gate waits for the lock of what is left, and
     * has it from the moment that its owner has it no more.
     */
    @Test
    void workersOfAKilledSupervisorDrainAndGo() throws Exception {
        Path directory;
        try (ServerProcess server = Fleet.of(2).start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            directory = Fleet.directory(server);
            Fleet.hold(server, seats.get(1), 2500);
            FutureTask<FileChannel> locking = locking(directory.resolve("lock"));
            long sinceNs = System.nanoTime();
            server.signal("KILL");
            seats.get(1).client().read().expect(200).expectBody("slow 2500\n").expectClose();
            server.awaitNobodyLeft(ORPHAN_BOUND);
            long ms = msSince(sinceNs);
            Figures.add(WorkerStopGate.class, "nobody left behind a killed supervisor", ms, "ms",
                    ORPHAN_BOUND.toMillis());
            Fleet.closeAll(seats);
            try (FileChannel lock = locking.get(10, TimeUnit.SECONDS)) {
                assertTrue(lock.isOpen() && Files.exists(directory),
                        "vacuous: nothing was left to be reclaimed");
            }
        }
        try (ServerProcess next = Fleet.of(2).start(); RawClient client = RawClient.connect(next)) {
            client.get("/health").expect(200);
            assertFalse(Files.exists(directory), "not reclaimed: " + directory);
        }
    }

    /** Waits for a lock on a thread of its own; the lock ends with the channel. */
    private static FutureTask<FileChannel> locking(Path file) {
        FutureTask<FileChannel> locking = new FutureTask<>(() -> {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            channel.lock();
            return channel;
        });
        Thread waiting = new Thread(locking, "waits-for-a-lock");
        waiting.setDaemon(true);
        waiting.start();
        ServerProcess.await("somebody to wait for a lock", Fleet.BOUND,
                () -> isInLock(waiting));
        return locking;
    }

    private static boolean isInLock(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("lock0"));
    }

    private static long msSince(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1_000_000L;
    }
}
