package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** E21, E24, G16, G20: N processes behind one listener, their lines, their files, their descriptors. */
@Gate
class WorkersGate {
    private static final int PIPE_BYTES = 64 * 1024;

    @Test
    void bannerNamesTheSupervisorOfProcessesThatServe() {
        try (ServerProcess server = Fleet.of(2).start()) {
            String line = server.listeningLine();
            assertTrue(line.endsWith(" app=host_check mode=prefork loops=2 pool=0 pid="
                    + server.pid()), line);
            assertEquals(1, server.stderr().lines().count(), server.stderr());
            assertEquals(2, server.workers().size(), "processes beside the supervisor");
            List<Seat> seats = Seat.oneOnEach(server, 2);
            for (int worker = 0; worker < 2; worker++) {
                assertEquals(Fleet.process(server, worker), seats.get(worker).instance().pid(),
                        "the process that answers as worker " + worker);
            }
            Fleet.closeAll(seats);
            server.term();
            assertEquals(0, server.awaitExit(Fleet.BOUND));
            server.awaitNobodyLeft(Fleet.BOUND);
        }
    }

    @Test
    void poolThreadsAreBehindEachWorker() {
        try (ServerProcess server = Fleet.of(2).set("M0_BLOCKING_THREADS", "2").start()) {
            assertTrue(server.listeningLine().contains(" mode=prefork loops=2 pool=4 "),
                    server.listeningLine());
            List<Seat> seats = Seat.oneOnEach(server, 2);
            for (Seat seat : seats) {
                for (int spin = 0; spin < 2; spin++) {
                    seat.client().send("GET /slow?ms=400 HTTP/1.1\r\nHost: a\r\n\r\n");
                }
            }
            try (RawClient client = RawClient.connect(server)) {
                client.get("/health").expect(200);
            }
            Fleet.closeAll(seats);
        }
    }

    @Test
    void whatWorkersSayComesInWholeLines() {
        try (ServerProcess server = Fleet.of(2).set("M0_ACCESS_LOG", "1").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            for (int request = 0; request < 200; request++) {
                seats.get(request % 2).client().get("/health").expect(200);
            }
            ServerProcess.await("a record of each request", Fleet.BOUND,
                    () -> server.stdout().lines().filter(line -> line.contains("/health")).count()
                            == 200);
            for (String line : server.stdout().lines().toList()) {
                assertTrue(line.startsWith("{\"time\":") && line.endsWith("}"), line);
            }
            for (int worker = 0; worker < 2; worker++) {
                assertTrue(server.stdout().contains("\"loop\":" + worker), "vacuous: no record of"
                        + " worker " + worker);
            }
            Fleet.closeAll(seats);
        }
    }

    /**
     * What it was about to say when it ended is there, ahead of what the supervisor says of it: but
     * where the thread that passes lines on gets no processor for a fifth of a second, and that is
     * told from a stream that others hold open by nothing. So the order is one of three tries'.
     */
    @Test
    void lastLinesOfAWorkerThatDiesAreNotLost() {
        String said = "host: loop 1 ended by java.lang.AssertionError: host_check was asked for"
                + " an Error, and the process with it, while it answered GET /error\n";
        String stderr = "";
        for (int attempt = 0; attempt < 3; attempt++) {
            try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_LOOP_ERROR", "1").start()) {
                List<Seat> seats = Seat.oneOnEach(server, 2);
                long pid = seats.get(1).instance().pid();
                seats.get(1).client().send("GET /error HTTP/1.1\r\nHost: a\r\n\r\n");
                String ended = "worker 1, process " + pid + ", ended with code 1";
                server.awaitStderr(ended, Fleet.BOUND);
                server.awaitStderr(said, Fleet.BOUND);
                stderr = server.stderr();
                Fleet.closeAll(seats);
                if (stderr.indexOf(said) < stderr.indexOf(ended)) {
                    return;
                }
            }
        }
        throw new AssertionError("its last line comes last: " + stderr);
    }

    /**
     * More than one pipe holds and less than two, and nobody reads it before all workers are gone and
     * their supervisor has had the time to be as well.
     */
    @Test
    void linesThatAreReadLateAreWaitedForAtTheEnd() throws IOException, InterruptedException {
        int requests = 400;
        Path directory = Files.createTempDirectory("m0late");
        Path pipe = directory.resolve("stdout");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        try (ServerProcess server = Fleet.of(2).set("M0_ACCESS_LOG", "1")
                .set("M0_DRAIN_TIMEOUT_MS", "30000").shell("exec >" + pipe).launch();
                InputStream stdout = Files.newInputStream(pipe)) {
            server.awaitListening(Fleet.BOUND);
            try (RawClient client = RawClient.connect(server)) {
                for (int request = 0; request < requests; request++) {
                    client.get("/health").expect(200);
                }
            }
            server.term();
            ServerProcess.await("the workers' end", Fleet.BOUND, () -> server.workers().isEmpty());
            for (int look = 0; look < 60 && server.isAlive(); look++) {
                ServerProcess.pause(50);
            }
            String read = new String(stdout.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(requests, read.lines().filter(line -> line.contains("/health")).count(),
                    "records that were read late");
            assertTrue(read.length() > PIPE_BYTES, "vacuous: a pipe holds " + read.length());
            assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
        } finally {
            Files.delete(pipe);
            Files.delete(directory);
        }
    }

    @Test
    void sharedFilesAreThisUsersAloneAndGoneAtTheEnd() throws IOException {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_TELL_DOOR", "1").start()) {
            Path directory = Fleet.directory(server);
            assertEquals("rwx------", mode(directory), "the directory's mode");
            try (Stream<Path> files = Files.walk(directory)) {
                List<Path> all = files.toList();
                assertTrue(all.size() >= 3, "vacuous: " + all);
                for (Path file : all) {
                    String wanted = Files.isDirectory(file) ? "rwx------" : "rw-------";
                    // A loop may just have bound its bell, which is there before it has its mode.
                    ServerProcess.await(file + " to be its owner's alone", RawClient.WAIT,
                            () -> mode(file).equals(wanted));
                }
            }
            server.term();
            assertEquals(0, server.awaitExit(Fleet.BOUND));
            assertFalse(Files.exists(directory), "left behind: " + directory);
            assertEquals(List.of(), server.temporaryFiles());
        }
    }

    private static String mode(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The listener is a descriptor of the worker's own making, and its stdin is nothing. */
    @Test
    void workersInheritNothingButTheListener() {
        try (ServerProcess server = Fleet.of(2).start()) {
            for (long worker : server.workers()) {
                List<String> descriptors = ServerProcess.openDescriptors(worker);
                assertTrue(descriptors.contains("/dev/null"), "its stdin: " + descriptors);
                assertFalse(descriptors.stream().anyMatch(target -> target.endsWith("/lock")),
                        "the supervisor's lock is open in a worker: " + descriptors);
                List<String> shared = new ArrayList<>(descriptors);
                shared.retainAll(server.openDescriptors());
                // What both have opened themselves, or what has no name of its own.
                shared.removeIf(target -> target.startsWith("/dev/") || target.endsWith(".jar")
                        || target.endsWith("/modules") || target.startsWith("anon_inode:"));
                assertEquals(List.of("pipe:", "pipe:", "socket:"), shared.stream()
                        .map(target -> target.replaceAll("\\[.*", "")).sorted().toList(),
                        "descriptors that supervisor and worker share, its stdout, its stderr and"
                                + " the listener: " + shared);
            }
        }
    }
}
