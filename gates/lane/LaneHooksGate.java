package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** H1, H2, H6, H7 and A39 under a lane: which instance is called for what, on which thread. */
@Gate
class LaneHooksGate {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final int ON_LOOP = 7;
    private static final int ON_LANE = 5;

    @Test
    void theLoopsInstanceIsAskedFirstAndWhatItAnswersIsNoJob() {
        try (ServerProcess server = hostCheck(1).start();
                RawClient client = RawClient.connect(server)) {
            askSome(client);
            String loop = client.get("/hooks").expect(200).text();
            assertEquals(-1, Said.number(loop, "thread"));
            assertEquals(ON_LOOP + ON_LANE + 1, Said.number(loop, "beforeRequest"), loop);
            assertEquals(0, Said.number(loop, "handle"), loop);
            assertEquals(0, Said.number(loop, "foreign"), loop);
            String lane = client.get("/hooks-from-func").expect(200).text();
            assertEquals(0, Said.number(lane, "thread"));
            assertEquals(0, Said.number(lane, "beforeRequest"), lane);
        }
    }

    @Test
    void handleAndAfterResponseAreThePoolThreadsOwn() {
        try (ServerProcess server = hostCheck(1).start();
                RawClient client = RawClient.connect(server)) {
            askSome(client);
            String lane = client.get("/hooks-from-func").expect(200).text();
            assertEquals(0, Said.number(lane, "thread"));
            assertEquals(ON_LANE + 1, Said.number(lane, "handle"), lane);
            assertEquals(ON_LANE, Said.number(lane, "afterResponse"), lane);
            assertEquals(0, Said.number(lane, "foreign"), lane);
            String loop = client.get("/hooks").expect(200).text();
            assertEquals(ON_LOOP, Said.number(loop, "afterResponse"), loop);
        }
    }

    private static void askSome(RawClient client) {
        client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".repeat(ON_LOOP)
                + "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n".repeat(ON_LANE));
        for (int count = 0; count < ON_LOOP + ON_LANE; count++) {
            client.read().expect(200);
        }
    }

    /** Two threads and their own counts: what one has answered the other has not. */
    @Test
    void everyThreadHasAnInstanceOfItsOwn() {
        try (ServerProcess server = hostCheck(2).start();
                RawClient one = RawClient.connect(server);
                RawClient two = RawClient.connect(server)) {
            long[] handled = new long[2];
            for (int round = 0; round < 10; round++) {
                // The second finds the first in its spin, so each has one of them.
                one.send("GET /slow?ms=60 HTTP/1.1\r\nHost: a\r\n\r\n");
                ServerProcess.pause(20);
                String said = two.get("/hooks-from-func").expect(200).text();
                int thread = (int) Said.number(said, "thread");
                handled[thread] = Said.number(said, "handle");
                one.read().expect(200);
            }
            // Ten that are slow and ten that ask, on two instances.
            long sum = handled[0] + handled[1];
            assertTrue(handled[0] <= 20 && handled[1] <= 20 && sum <= 20,
                    "handled " + handled[0] + " and " + handled[1] + " of 20");
            for (int count = 0; count < 20; count++) {
                String said = one.get("/hooks-from-func").expect(200).text();
                assertEquals(0, Said.number(said, "foreign"), "called by another thread: " + said);
            }
        }
    }

    @Test
    void everyInstanceIsClosedOnceOnItsOwnThreadBehindItsLastUse() {
        try (ServerProcess server = hostCheck(2).set("M0_THREADS", "2")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start();
                RawClient client = RawClient.connect(server)) {
            for (int count = 0; count < 10; count++) {
                client.get("/pid").expect(200);
            }
            server.term();
            assertEquals(0, server.awaitExit(BOUND));
            assertEquals(6, server.stderrLinesWith("host_check: handler closed"),
                    server.stderr());
            for (int loop = 0; loop < 2; loop++) {
                for (int thread = -1; thread < 2; thread++) {
                    assertEquals(1, server.stderrLinesWith("handler closed {\"loop\":" + loop
                            + ",\"thread\":" + thread + ","), server.stderr());
                }
            }
            assertEquals(6, server.stderrLinesWith("\"close\":1,\"open\":0,\"foreign\":0"),
                    server.stderr());
            assertEquals(0, server.stderrLinesWith("after close"), server.stderr());
        }
    }

    @Test
    void whatHandleThrowsOnAPoolThreadIsA500AndTheThreadServesOn() {
        expectFailure("/throw");
    }

    @Test
    void whatAfterResponseThrowsOnAPoolThreadIsA500Too() {
        expectFailure("/throw-after");
    }

    @Test
    void noAnswerFromAPoolThreadIsA500Too() {
        expectFailure("/null");
    }

    private static void expectFailure(String path) {
        try (ServerProcess server = hostCheck(1).start()) {
            for (int count = 1; count <= 3; count++) {
                try (RawClient client = RawClient.connect(server)) {
                    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n"
                            + "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
                    client.read().expect(500).expectClose();
                    client.expectEnd();
                }
            }
            server.expectStderrLines(3, "GET " + path + " failed: ", BOUND);
            try (RawClient client = RawClient.connect(server)) {
                String lane = client.get("/hooks-from-func").expect(200).text();
                assertEquals(4, Said.number(lane, "handle"), "what was pipelined is not run");
            }
        }
    }

    /** A lane that is a thread short must not serve. */
    @Test
    void anErrorOnAPoolThreadEndsTheProcess() {
        try (ServerProcess server = hostCheck(2).set("M0_HOSTCHECK_LOOP_ERROR", "1").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/pid").expect(200);
            client.send("GET /error HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals(1, server.awaitExit(BOUND));
            assertTrue(server.stderr().lines().anyMatch(line -> line.startsWith("host: ")
                    && line.contains("host_check was asked for an Error")), server.stderr());
            assertTrue(Pattern.compile(", while its thread [01] answered GET /error\n"
                    + "    at host_check\\.HostCheckHandler\\.error\\(").matcher(server.stderr())
                    .find(), server.stderr());
        }
    }

    private static ServerProcess.Plan hostCheck(int threads) {
        return ServerProcess.app("host_check")
                .set("M0_BLOCKING_THREADS", String.valueOf(threads))
                .set("M0_HOSTCHECK_PERIOD_MS", "600000");
    }
}
