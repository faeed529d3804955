package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * E26, E30: which lanes are served and which are refused, by a start and by the doctor alike.
 * Refusals come before the bind, so the port of those starts is taken: a host that binds first would
 * fail with 1.
 */
@Gate
class LaneRefusalGate {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final int JDK_WITH_VIRTUAL_THREADS = 21;

    @Test
    void aLaneIsInTheListeningLineAndInTheDoctorsReport() {
        ServerProcess.Plan plan = ServerProcess.app("pool_spike").set("M0_THREADS", "2")
                .set("M0_BLOCKING_THREADS", "3");
        try (ServerProcess server = plan.start(); RawClient client = RawClient.connect(server)) {
            assertTrue(server.listeningLine().contains(" mode=threads loops=2 pool=6 pid="),
                    server.listeningLine());
            client.get("/fast").expect(200);
        }
        String report = doctor("pool_spike", 0, "M0_THREADS", "2", "M0_BLOCKING_THREADS", "3");
        assertTrue(report.contains("\"loops\":2,\"handler_threads\":6,"), report);
        assertTrue(report.contains("{\"name\":\"blocking-threads\",\"ok\":true,\"detail\":"
                + "\"3 behind each loop\"}"), report);
    }

    /** Whose state lives in one handler would have as many states as there are threads. */
    @Test
    void anApplicationOfOneHandlerIsRefusedALane() throws IOException {
        for (String pool : new String[] {"1", "virtual"}) {
            expectRefusal("host_check", "M0_BLOCKING_THREADS=" + pool + " is more than application"
                    + " host_check allows, whose state lives in one handler",
                    "set M0_BLOCKING_THREADS or --blocking-threads to 0",
                    "M0_BLOCKING_THREADS", pool, "M0_HOSTCHECK_MAX_WORKERS", "1");
        }
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_BLOCKING_THREADS", "1")
                .set("M0_HOSTCHECK_MAX_WORKERS", "2").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/pid").expect(200);
        }
    }

    @Test
    void virtualThreadsAreServedOrRefusedByTheJdkThatHasNone() throws IOException {
        int jdk = Runtime.version().feature();
        if (jdk < JDK_WITH_VIRTUAL_THREADS) {
            expectRefusal("pool_spike", "M0_BLOCKING_THREADS=virtual is for JDK 21 and later, and"
                    + " this is " + jdk, "set M0_BLOCKING_THREADS or --blocking-threads to 0..1024,"
                    + " or run it on a later JDK", "M0_BLOCKING_THREADS", "virtual");
            return;
        }
        try (ServerProcess server = ServerProcess.app("pool_spike")
                .set("M0_BLOCKING_THREADS", "virtual").start();
                RawClient client = RawClient.connect(server)) {
            assertTrue(server.listeningLine().contains(" pool=virtual pid="),
                    server.listeningLine());
            client.get("/fast").expect(200).expectBody("fast thread=0 loop=0\n");
        }
        String report = doctor("pool_spike", 0, "M0_BLOCKING_THREADS", "virtual");
        assertTrue(report.contains("\"handler_threads\":\"virtual\","), report);
    }

    /** Where the JDK has them, the application's word is what is missing. */
    @Test
    void virtualThreadsNeedAHandlerThatMayBeShared() throws IOException {
        boolean served = Runtime.version().feature() >= JDK_WITH_VIRTUAL_THREADS;
        expectRefusal("host_check", "M0_BLOCKING_THREADS=virtual is for "
                + (served ? "handlers that several threads may share, which application"
                        + " host_check's may not" : "JDK 21 and later"),
                "set M0_BLOCKING_THREADS or --blocking-threads to 0..1024",
                "M0_BLOCKING_THREADS", "virtual");
    }

    @Test
    void whatIsNoNumberOfThreadsIsRefused() throws IOException {
        for (String pool : new String[] {"-1", "1025", "many"}) {
            expectRefusal("pool_spike", "M0_BLOCKING_THREADS=" + pool
                    + " cannot be read as 0..1024 or virtual",
                    "set M0_BLOCKING_THREADS or --blocking-threads to 0..1024 or virtual",
                    "M0_BLOCKING_THREADS", pool);
        }
    }

    /** It would be without effect. */
    @Test
    void aBoundOfALaneWithoutALaneIsRefused() throws IOException {
        for (String bound : new String[] {"M0_LANE_QUEUE", "M0_LANE_DEADLINE_MS"}) {
            expectRefusal("pool_spike", bound + "=200 bounds the wait for a pool thread, and there is"
                    + " none", "set M0_BLOCKING_THREADS or --blocking-threads to 1..1024, or "
                    + bound + " or ", bound, "200");
        }
    }

    /** Served and asked, it is 78, with the same finding and the same fix. */
    private static void expectRefusal(String app, String finding, String fix, String... variables)
            throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ServerProcess.Plan plan = plan(app, variables)
                    .set("M0_PORT", String.valueOf(taken.getLocalPort()));
            try (ServerProcess server = plan.launch()) {
                assertEquals(78, server.awaitExit(BOUND), server.stderr());
                assertEquals(1, server.stderr().lines().count(), server.stderr());
                assertTrue(server.stderr().startsWith("host: " + finding), server.stderr());
                assertTrue(server.stderr().contains(" (" + fix), server.stderr());
            }
        }
        String report = doctor(app, 78, variables);
        assertTrue(report.contains("{\"name\":\"blocking-threads\",\"ok\":false,\"detail\":\""
                + finding), report);
        assertTrue(report.contains("\"fix\":\"" + fix), report);
    }

    private static String doctor(String app, int exit, String... variables) {
        try (ServerProcess asked = plan(app, variables).args("--doctor").launch()) {
            assertEquals(exit, asked.awaitExit(BOUND), asked.stderr());
            return asked.stdout();
        }
    }

    private static ServerProcess.Plan plan(String app, String... variables) {
        ServerProcess.Plan plan = ServerProcess.app(app);
        for (int index = 0; index < variables.length; index += 2) {
            plan.set(variables[index], variables[index + 1]);
        }
        return plan;
    }
}
