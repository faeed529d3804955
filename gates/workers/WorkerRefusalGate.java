package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** E10, E24, E25, E29: what refuses workers, before the bind or after, and that it ends them all. */
@Gate
class WorkerRefusalGate {
    private static final String RAISES = " asked make to throw";

    @Test
    void makeThatThrowsIsARefusalWithItsMessageOnce() {
        for (int workers : new int[] {1, 2}) {
            expectRefusal(Fleet.of(workers).set("M0_HOSTCHECK_MAKE_RAISES", "1"),
                    "host: the application's make threw on loop [01]: M0_HOSTCHECK_MAKE_RAISES"
                            + RAISES + "\n");
            expectRefusal(Fleet.of(workers).set("M0_HOSTCHECK_PRODUCER_RAISES", "1"),
                    "host: the application's producer threw: M0_HOSTCHECK_PRODUCER_RAISES asked"
                            + " producer to throw\n");
            expectRefusal(Fleet.of(workers).set("M0_BLOCKING_THREADS", "2")
                    .set("M0_HOSTCHECK_POOL_MAKE_RAISES", "1"),
                    "host: the application's make threw on thread 1 of loop [01]:"
                            + " M0_HOSTCHECK_POOL_MAKE_RAISES" + RAISES + " on thread 1\n");
        }
    }

    @Test
    void makeThatFailsIsToldWithItsStackOnce() {
        expectRefusal(Fleet.of(2).set("M0_HOSTCHECK_MAKE_RAISES", "2"),
                "host: the application's make threw on loop [01]: java\\.io\\.IOException:"
                        + " M0_HOSTCHECK_MAKE_RAISES asked make to fail\n"
                        + "    at host_check\\.HostCheck\\.make\\(.*\n(    at .*\n)*"
                        + "    caused by java\\.util\\.NoSuchElementException: for this cause\n"
                        + "(    (at|and) .*\n){1,5}");
    }

    private static void expectRefusal(ServerProcess.Plan plan, String lines) {
        try (ServerProcess server = plan.launch()) {
            assertEquals(78, server.awaitExit(Fleet.BOUND), server.stderr());
            assertTrue(server.stderr().matches(lines), server.stderr());
            assertEquals("", server.stdout());
            server.awaitNobodyLeft(Fleet.BOUND);
        }
    }

    /** Worker 1 refuses two seconds late; meanwhile worker 0 has its handler and could serve. */
    @Test
    void noWorkerServesBeforeAllAreArmed() throws IOException {
        try (Socket held = heldPort(); ServerProcess server = Fleet.of(2)
                .set("M0_PORT", String.valueOf(held.getLocalPort()))
                .set("M0_HOSTCHECK_LOOP_MAKE_RAISES", "1").launch()) {
            RawClient early = firstThatConnects(server, held.getLocalPort());
            early.trySend(RawClient.bytes("GET /instance HTTP/1.1\r\nHost: a\r\n\r\n"));
            String answer = early.readUntilClosed(RawClient.WAIT).text();
            early.close();
            assertEquals("", answer, "what a client got from a host that then refused to serve");
            assertEquals(78, server.awaitExit(Fleet.BOUND));
            assertEquals("host: the application's make threw on loop 1:"
                    + " M0_HOSTCHECK_LOOP_MAKE_RAISES asked make to throw on loop 1\n",
                    server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
        }
    }

    /** The sibling serves when the successor refuses: it is not to go on without a supervisor. */
    @Test
    void refusalOfASuccessorEndsTheSiblings() throws IOException {
        Path root = Files.createTempDirectory("m0files");
        try (ServerProcess server = ServerProcess.app("files").set("M0_WORKERS", "2")
                .set("M0_FILES_ROOT", root.toString()).start()) {
            Files.delete(root);
            ServerProcess.signalOther(Fleet.process(server, 1), "KILL");
            assertEquals(78, server.awaitExit(Fleet.BOUND), server.stderr());
            assertEquals(1, server.stderrLinesWith("host: the application's make threw on loop 1: "),
                    server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
        } finally {
            Files.deleteIfExists(root);
        }
    }

    @Test
    void countsAndLimitsAreRefusedBeforeTheBind() throws IOException {
        expectRefusalOnATakenPort("host: M0_WORKERS=0 is less than 1", "M0_WORKERS", "0");
        expectRefusalOnATakenPort("host: M0_WORKERS=2 and M0_THREADS=2 exclude each other",
                "M0_WORKERS", "2", "M0_THREADS", "2");
        expectRefusalOnATakenPort("host: M0_WORKERS=2 is more than application host_check allows, 1",
                "M0_WORKERS", "2", "M0_HOSTCHECK_MAX_WORKERS", "1");
    }

    private static void expectRefusalOnATakenPort(String words, String... variables)
            throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ServerProcess.Plan plan = ServerProcess.app("host_check")
                    .set("M0_PORT", String.valueOf(taken.getLocalPort()));
            for (int i = 0; i < variables.length; i += 2) {
                plan.set(variables[i], variables[i + 1]);
            }
            expectOneLine(plan, words);
        }
    }

    private static void expectOneLine(ServerProcess.Plan plan, String words) {
        try (ServerProcess server = plan.launch()) {
            assertEquals(78, server.awaitExit(Fleet.BOUND), server.stderr());
            assertEquals(1, server.stderr().lines().count(), server.stderr());
            assertTrue(server.stderr().startsWith(words), server.stderr());
        }
    }

    /** A child of a worker, say, that has inherited its environment. */
    @Test
    void whoIsNoWorkerIsToldHowItCameToBeTakenForOne() {
        try (ServerProcess server = Fleet.of(2).start()) {
            String directory = Fleet.directory(server).toString();
            expectNoWorker("1", directory, "host: worker 1 has no listening socket as descriptor 0");
            expectNoWorker("0", "/nowhere",
                    "host: worker 0 does not find its supervisor in /nowhere: ");
            assertEquals(1, server.stderr().lines().count(), server.stderr());
        }
    }

    private static void expectNoWorker(String worker, String directory, String words) {
        try (ServerProcess child = Fleet.of(2).set("M0_INTERNAL_WORKER", worker)
                .set("M0_INTERNAL_DIRECTORY", directory).launch()) {
            assertEquals(1, child.awaitExit(Fleet.BOUND), child.stderr());
            assertTrue(child.stderr().startsWith(words), child.stderr());
            assertTrue(child.stderr().endsWith(" (unset M0_INTERNAL_WORKER and M0_INTERNAL_DIRECTORY"
                    + " in the environment of a program that is no worker, a child of one say)\n"),
                    child.stderr());
        }
    }

    /** A class path start does not read the manifest; that is said before anything is bound. */
    @Test
    void missingOpeningsAreNamedBeforeTheBind() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                ServerProcess server = ServerProcess.program("m0.main.Main", "--workers", "2",
                        "--host", "127.0.0.1", "--port", String.valueOf(taken.getLocalPort()))
                        .jvm("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED").launch()) {
            assertEquals(78, server.awaitExit(Fleet.BOUND));
            assertEquals(List.of("host: java.base does not open java.lang, java.io, sun.nio.ch, so"
                    + " no worker can be given the listener (start with java -jar host.jar, or add"
                    + " --add-opens java.base/java.lang=ALL-UNNAMED"
                    + " --add-opens java.base/java.io=ALL-UNNAMED"
                    + " --add-opens java.base/sun.nio.ch=ALL-UNNAMED to the command line of java;"
                    + " or set M0_WORKERS or --workers to 1)"), server.stderr().lines().toList());
        }
    }

    /** It makes the checks of a start, though it binds nothing. */
    @Test
    void theDoctorIsRefusedByTheOpeningsThatRefuseTheStart() {
        for (String workers : new String[] {"1", "2"}) {
            ServerProcess.Plan plan = ServerProcess.program("m0.main.Main", "--doctor", "--workers",
                    workers);
            if (workers.equals("2")) {
                plan.jvm("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");
            }
            try (ServerProcess doctor = plan.launch()) {
                assertEquals(78, doctor.awaitExit(Fleet.BOUND), doctor.stdout());
                expect(doctor, workers.equals("2")
                        ? "{\"name\":\"workers-count\",\"ok\":false,\"detail\":\"java.base does not open"
                                + " java.lang, java.io, sun.nio.ch, so no worker can be given the"
                                + " listener\",\"fix\":\"start with java -jar host.jar, or add"
                        : "{\"name\":\"application\",\"ok\":false,\"detail\":\"java.base does not open"
                                + " jdk.internal.misc\",\"fix\":\"start with java -jar host.jar, or add");
                assertEquals("", doctor.stderr());
            }
        }
    }

    private static void expect(ServerProcess doctor, String part) {
        assertTrue(doctor.stdout().contains(part), () -> part + " is not in " + doctor.stdout());
    }

    /** In a namespace of its own, where /dev/shm holds a megabyte, as a container's can. */
    @Test
    void tooLittleRoomIsSaidByTheStartAndByTheDoctor() throws Exception {
        assumeTrue(new ProcessBuilder("unshare", "-rm", "true").start().waitFor() == 0,
                "this user may make no namespaces");
        String narrow = "exec unshare -rm sh -c 'mount -t tmpfs -o size=1m none /dev/shm &&"
                + " exec \"$@\"' sh \"$@\"";
        String finding = "M0_WORKERS=2 needs 20[0-9]{2} KiB in /dev/shm, where 1024 KiB are free";
        try (ServerProcess start = Fleet.of(2).shell(narrow).launch()) {
            assertEquals(1, start.awaitExit(Fleet.BOUND), start.stderr());
            assertTrue(start.stderr().matches("host: " + finding + " \\(make room there, with"
                    + " --shm-size where a container's is too small, or set M0_WORKERS or --workers"
                    + " to fewer\\)\n"), start.stderr());
        }
        try (ServerProcess doctor = Fleet.of(2).args("--doctor").shell(narrow).launch()) {
            assertEquals(1, doctor.awaitExit(Fleet.BOUND), doctor.stdout());
            assertTrue(Pattern.compile("\"workers-count\",\"ok\":false,\"detail\":\"" + finding)
                    .matcher(doctor.stdout()).find(), doctor.stdout());
        }
    }

    /** A port that nobody is given by chance, and that a server can listen on all the same. */
    private static Socket heldPort() throws IOException {
        Socket held = new Socket();
        held.setReuseAddress(true);
        held.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        return held;
    }

    private static RawClient firstThatConnects(ServerProcess server, int port) {
        while (server.isAlive()) {
            try {
                return RawClient.connect("127.0.0.1", port, 0);
            } catch (AssertionError notYet) {
                assertFalse(server.stderr().contains("listening"));
                ServerProcess.pause(5);
            }
        }
        throw new AssertionError("vacuous: it ended before anybody could connect");
    }
}
