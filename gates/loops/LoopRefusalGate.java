package loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * E24, E29: what refuses a start with several loops, and when. Refusals come before the bind, so
 * the port of most starts here is taken: a host that binds first would fail with 1.
 */
@Gate
class LoopRefusalGate {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @Test
    void noLoopsAreRefused() throws IOException {
        expectRefusal(78, "host: M0_THREADS=0 is less than 1", "M0_THREADS", "0");
        expectRefusal(78, "host: M0_THREADS=-2 is less than 1", "M0_THREADS", "-2");
    }

    @Test
    void loopsAndWorkersTogetherAreRefused() throws IOException {
        expectRefusal(78, "host: ", "M0_THREADS", "2", "M0_WORKERS", "2");
        try (ServerProcess asked = ServerProcess.app("host_check").set("M0_THREADS", "2")
                .set("M0_WORKERS", "2").args("--doctor").launch()) {
            assertEquals(78, asked.awaitExit(BOUND));
            assertTrue(asked.stdout().contains("{\"name\":\"workers-vs-threads\",\"ok\":false,"
                    + "\"detail\":\"M0_WORKERS=2 and M0_THREADS=2 exclude each other\""),
                    asked.stdout());
        }
    }

    @Test
    void applicationsLimitOfWorkersIsItsLimitOfLoopsToo() throws IOException {
        expectRefusal(78, "host: M0_THREADS=2 is more than application host_check allows, 1",
                "M0_THREADS", "2", "M0_HOSTCHECK_MAX_WORKERS", "1");
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", "2")
                .set("M0_HOSTCHECK_MAX_WORKERS", "2").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/health").expect(200);
        }
    }

    private static void expectRefusal(int exit, String words, String... variables)
            throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ServerProcess.Plan plan = ServerProcess.app("host_check")
                    .set("M0_PORT", String.valueOf(taken.getLocalPort()));
            for (int i = 0; i < variables.length; i += 2) {
                plan.set(variables[i], variables[i + 1]);
            }
            try (ServerProcess server = plan.launch()) {
                assertEquals(exit, server.awaitExit(BOUND), server.stderr());
                assertEquals(1, server.stderr().lines().count(), server.stderr());
                assertTrue(server.stderr().startsWith(words), server.stderr());
            }
        }
    }

    /**
     * Loop 1 refuses two seconds late; meanwhile loop 0 has its handler and could serve. On a busy
     * machine nobody may come in time: then it is started again.
     */
    @Test
    void noLoopServesBeforeAllHandlersExist() {
        Rounds.untilProven("it ended before anybody could connect",
                LoopRefusalGate::connectsAndIsNotServed);
    }

    private static boolean connectsAndIsNotServed() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", "2")
                .set("M0_HOSTCHECK_LOOP_MAKE_RAISES", "1").launch()) {
            RawClient early = firstThatConnects(server);
            if (early != null) {
                early.trySend(RawClient.bytes("GET /instance HTTP/1.1\r\nHost: a\r\n\r\n"));
                String answer = early.readUntilClosed(RawClient.WAIT).text();
                early.close();
                assertEquals("", answer,
                        "what a client got from a host that then refused to serve");
            }
            assertEquals(78, server.awaitExit(BOUND));
            assertEquals("host: the application's make threw on loop 1:"
                    + " M0_HOSTCHECK_LOOP_MAKE_RAISES asked make to throw on loop 1\n",
                    server.stderr());
            assertFalse(server.stderr().contains("listening"));
            return early != null;
        }
    }

    /** Null where it ended before. */
    private static RawClient firstThatConnects(ServerProcess server) {
        while (server.isAlive()) {
            int port = server.boundPort();
            if (port == 0) {
                ServerProcess.pause(1);
                continue;
            }
            try {
                return RawClient.connect("127.0.0.1", port, 0);
            } catch (AssertionError ended) {
                server.awaitExit(BOUND);
            }
        }
        return null;
    }
}
