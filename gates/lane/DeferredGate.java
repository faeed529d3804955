package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * M211: an answer that comes later, from any thread, once. host_check completes its own on a timer's
 * thread and counts what became of them.
 */
@Gate
class DeferredGate {
    private static final int DEADLINE_MS = 500;
    private static final Duration EXIT = Duration.ofSeconds(30);
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration TOLD = Duration.ofSeconds(20);
    private static final List<String> ROUTES = List.of("/deferred-on-loop", "/deferred");

    /** From the loop, from handle on the loop, and from a pool thread. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void isAnsweredWhenItIsCompletedAndNotBefore(int threads) {
        try (ServerProcess server = hostCheck(threads).start();
                RawClient client = RawClient.connect(server)) {
            for (String route : ROUTES) {
                for (int ms : new int[] {0, 1, 200}) {
                    long startNs = System.nanoTime();
                    client.get(route + "?ms=" + ms).expect(200).expectOpen()
                            .expectBody("deferred " + ms + "\n");
                    long tookMs = (System.nanoTime() - startNs) / 1_000_000;
                    assertTrue(tookMs >= ms - 1, route + " of " + ms + " ms took " + tookMs);
                }
            }
            expectTold(client, 6, 6, 0, 0);
        }
    }

    /** Nothing is held meanwhile, neither the loop nor the only pool thread. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void othersAreAnsweredMeanwhile(int threads) {
        try (ServerProcess server = hostCheck(threads).start();
                RawClient other = RawClient.connect(server)) {
            for (String route : ROUTES) {
                // A busy machine may hold the others up for longer than it takes, not each time.
                int answeredFirst = 0;
                for (int ms = 700; answersMeanwhile(server, other, route, ms) < 5; ms *= 3) {
                    assertTrue(++answeredFirst < 3, "it was answered first, each time");
                }
            }
        }
    }

    /** How many others were answered before it was, five at the most. */
    private static int answersMeanwhile(ServerProcess server, RawClient other, String route,
            int ms) {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET " + route + "?ms=" + ms + " HTTP/1.1\r\nHost: a\r\n\r\n");
            int meanwhile = 0;
            for (int count = 0; count < 5; count++) {
                other.get("/pid").expect(200);
                meanwhile += client.hasBytes() ? 0 : 1;
            }
            client.read().expect(200).expectBody("deferred " + ms + "\n");
            return meanwhile;
        }
    }

    /** Many at once, completed in an order that has nothing to do with that of the requests. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void manyAtOnceAreAnsweredEachWithItsOwn(int threads) {
        List<Integer> waits = new ArrayList<>();
        for (int index = 0; index < 60; index++) {
            waits.add(100 + 5 * index);
        }
        Collections.shuffle(waits, new Random(60));
        List<RawClient> clients = new ArrayList<>();
        try (ServerProcess server = hostCheck(threads).start()) {
            for (int ms : waits) {
                RawClient client = RawClient.connect(server);
                clients.add(client);
                client.send("GET /deferred?ms=" + ms + "&times=3 HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            for (int index = 0; index < waits.size(); index++) {
                clients.get(index).read().expect(200)
                        .expectBody("deferred " + waits.get(index) + "\n");
                clients.get(index).read().expect(200).expectBody("ok");
            }
            try (RawClient client = RawClient.connect(server)) {
                // Each was completed three times, of which one is taken.
                expectTold(client, 60, 60, 120, 0);
            }
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void whatIsPipelinedBehindIsAnsweredInOrder() {
        try (ServerProcess server = hostCheck(1).start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /deferred?ms=150 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "HEAD /deferred-on-loop?ms=0 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /deferred-on-loop?ms=20 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectBody("deferred 150\n");
            client.read().expect(200).expectBody("ok");
            assertEquals("11", client.read("HEAD").expect(200).header("Content-Length"));
            client.read().expect(200).expectBody("deferred 20\n");
            client.read().expect(200).expectBody(server.pid() + "\n");
        }
    }

    @Test
    void aHalfCloseMeanwhileIsAnsweredWithClose() {
        try (ServerProcess server = hostCheck(1).start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /deferred?ms=2000 HTTP/1.1\r\nHost: a\r\n\r\n");
            try (RawClient other = RawClient.connect(server)) {
                awaitDeferred(other, 1);
                client.shutdownOutput();
                client.read().expect(200).expectClose().expectBody("deferred 2000\n");
                client.expectEnd();
                expectTold(other, 1, 1, 0, 0);
            }
        }
    }

    /** Neither before the deadline nor after a sweep; whoever completes it then is told. */
    @ParameterizedTest
    @ValueSource(strings = {"/deferred", "/deferred-on-loop"})
    void itsDeadlineIs503AndTheConnectionIsKept(String route) {
        try (ServerProcess server = hostCheck(1)
                .set("M0_DEFERRED_DEADLINE_MS", String.valueOf(DEADLINE_MS)).start();
                RawClient client = RawClient.connect(server)) {
            long startNs = System.nanoTime();
            client.send("GET " + route + "?ms=-1 HTTP/1.1\r\nHost: a\r\n\r\n")
                    .read("GET", BOUND).expect(503).expectOpen();
            long tookMs = (System.nanoTime() - startNs) / 1_000_000;
            assertTrue(tookMs >= DEADLINE_MS - 1, "503 after " + tookMs + " ms");
            assertTrue(tookMs <= Slack.notAfterMs(DEADLINE_MS), "503 after " + tookMs + " ms");
            client.get("/pid").expect(200).expectBody(server.pid() + "\n");
            expectTold(client, 1, 0, 0, 1);
            client.get(route + "?ms=4000").expect(503).expectOpen();
            expectTold(client, 2, 0, 1, 2);
            client.expectSilence(50);
        }
    }

    @Test
    void anAnswerWithinTheDeadlineIsTaken() {
        try (ServerProcess server = hostCheck(1).set("M0_DEFERRED_DEADLINE_MS", "10000").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/deferred?ms=1500").expect(200).expectBody("deferred 1500\n");
            expectTold(client, 1, 1, 0, 0);
        }
    }

    /**
     * It is in flight: the drain waits for it, and answers it with close. It takes longer than what
     * makes no progress has in a drain.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/deferred", "/deferred-on-loop"})
    void aDrainWaitsForIt(String route) {
        try (ServerProcess server = hostCheck(1).set("M0_DRAIN_TIMEOUT_MS", "20000").start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            client.get("/pid").expect(200);
            client.send("GET " + route + "?ms=2500 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitDeferred(other, 1);
            server.term();
            client.read().expect(200).expectClose().expectBody("deferred 2500\n");
            client.expectEnd();
            assertEquals(0, server.awaitExit(EXIT));
        }
    }

    /** One that never comes does not hold the drain beyond its bound. */
    @Test
    void aDrainEndsAtItsBoundWithoutOneThatNeverComes() {
        try (ServerProcess server = hostCheck(1).set("M0_DRAIN_TIMEOUT_MS", "1000").start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            client.send("GET /deferred?ms=-1 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitDeferred(other, 1);
            long sinceNs = System.nanoTime();
            server.term();
            assertEquals(0, server.awaitExit(EXIT));
            long tookMs = (System.nanoTime() - sinceNs) / 1_000_000;
            assertTrue(tookMs >= 900, "it ended after " + tookMs + " ms of a bound of 1000");
            assertTrue(tookMs <= Slack.notAfterMs(1000), "it ended after " + tookMs + " ms");
        }
    }

    /** Told before it is completed, and then by the completion. */
    @ParameterizedTest
    @ValueSource(strings = {"/deferred", "/deferred-on-loop"})
    void aClientThatHasGoneIsToldToWhoeverCompletes(String route) {
        try (ServerProcess server = hostCheck(1).start();
                RawClient other = RawClient.connect(server)) {
            RawClient never = RawClient.connect(server);
            never.send("GET " + route + "?ms=-1 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitDeferred(other, 1);
            never.reset();
            expectTold(other, 1, 0, 0, 1);
            RawClient late = RawClient.connect(server);
            late.send("GET " + route + "?ms=3000 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitDeferred(other, 2);
            late.reset();
            expectTold(other, 2, 0, 1, 2);
        }
    }

    /** One slot: who has it next is sent nothing of what was completed for the one before. */
    @Test
    void aLateAnswerIsNotTheNextOwnersOfTheSlot() {
        try (ServerProcess server = hostCheck(1).set("M0_MAX_CONNECTIONS", "1").start()) {
            for (String route : ROUTES) {
                RawClient gone = RawClient.connect(server);
                gone.get("/pid").expect(200);
                gone.send("GET " + route + "?ms=700 HTTP/1.1\r\nHost: a\r\n\r\n");
                gone.awaitTaken();
                gone.reset();
                try (RawClient next = RawClient.connect(server)) {
                    next.get("/health").expect(200).expectBody("ok");
                    next.send("GET /deferred?ms=900 HTTP/1.1\r\nHost: a\r\n\r\n");
                    next.read().expect(200).expectBody("deferred 900\n");
                    next.expectSilence(50);
                }
            }
        }
    }

    /** The loop writes it, so the loop's instance sees it last, with the request it was for. */
    @Test
    void afterResponseRunsOnTheLoopsInstance() {
        try (ServerProcess server = hostCheck(1).start();
                RawClient client = RawClient.connect(server)) {
            for (int count = 0; count < 5; count++) {
                client.get("/deferred?ms=10").expect(200);
            }
            client.get("/deferred?ms=0").expect(200);
            String lane = client.get("/hooks-from-func").expect(200).text();
            assertEquals(7, Said.number(lane, "handle"), lane);
            assertEquals(0, Said.number(lane, "afterResponse"), lane);
            String loop = client.get("/hooks").expect(200).text();
            assertEquals(6, Said.number(loop, "afterResponse"), loop);
            assertEquals(0, Said.number(loop, "foreign"), loop);
        }
    }

    private static void awaitDeferred(RawClient client, int count) {
        ServerProcess.await(count + " deferred answers", RawClient.WAIT,
                () -> Said.number(client, "/deferred-told", "deferred") == count);
    }

    /** Waits for these counts: how many were deferred, taken, too late, and gone. */
    private static void expectTold(RawClient client, int deferred, int taken, int late, int gone) {
        String wanted = "{\"deferred\":" + deferred + ",\"taken\":" + taken + ",\"late\":" + late
                + ",\"gone\":" + gone + "}\n";
        long untilNs = System.nanoTime() + TOLD.toNanos();
        while (true) {
            Reply told = client.get("/deferred-told").expect(200);
            if (told.text().equals(wanted)) {
                return;
            }
            if (System.nanoTime() - untilNs > 0) {
                throw new AssertionError("told " + told.text().strip() + " and not "
                        + wanted.strip());
            }
            // Seldom: a connection takes a thousand requests.
            ServerProcess.pause(25);
        }
    }

    private static ServerProcess.Plan hostCheck(int threads) {
        return ServerProcess.app("host_check")
                .set("M0_BLOCKING_THREADS", String.valueOf(threads))
                .set("M0_HOSTCHECK_PERIOD_MS", "600000");
    }
}
