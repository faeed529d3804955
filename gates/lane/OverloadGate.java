package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.Test;

/** M210: what a lane is asked beyond its bounds is refused with 503 and never run. */
@Gate
class OverloadGate {
    private static final int QUEUE = 3;
    private static final int SHORT_MS = 200;
    private static final int DEADLINE_MS = 400;
    /** A deadline is looked at when a thread takes a job, and by a sweep once a second. */
    private static final long LATEST_MS = Slack.notAfterMs(DEADLINE_MS);
    /** Where there is a deadline, a blocker's thread may come too late, too. */
    private static final int REFUSED_MAX = 3;

    @Test
    void asManyWaitAsMayAndTheNextAreRefusedAtOnce() {
        try (ServerProcess server = spike(2).set("M0_LANE_QUEUE", String.valueOf(QUEUE)).start();
                RawClient refused = RawClient.connect(server)) {
            refused.get("/loop").expect(200);
            try (Blockers blockers = new Blockers(server, 2, 0);
                    Crowd waiting = new Crowd(server, QUEUE)) {
                waiting.ask("/late?ms=0");
                blockers.awaitRead();
                for (int count = 0; count < 5; count++) {
                    expectOverload(refused.get("/late?ms=0"));
                }
                assertEquals(2, Said.number(refused, "/begun", "begun"), "vacuous: begun");
                assertEquals(-1, Said.thread(refused.get("/loop")));
                assertFalse(blockers.answered(), "a blocker was answered before it was let go");
                blockers.read();
                waiting.read().forEach(answer -> answer.expect(200));
                assertEquals(2 + QUEUE, Said.number(refused, "/begun", "begun"));
            }
        }
    }

    /** The bound is of those that wait: as many threads as there are are busy beside them. */
    @Test
    void behindAnOverloadTheLaneServesAsBefore() {
        try (ServerProcess server = spike(2).set("M0_LANE_QUEUE", "1").start();
                RawClient client = RawClient.connect(server)) {
            for (int round = 0; round < 2; round++) {
                try (Blockers blockers = new Blockers(server, 2, 0);
                        Crowd waiting = new Crowd(server, 1)) {
                    waiting.ask("/fast");
                    blockers.awaitRead();
                    expectOverload(client.get("/fast").expectOpen());
                    expectOverload(client.get("/fast").expectOpen());
                    Set<Integer> threads = new TreeSet<>();
                    blockers.read().forEach(answer -> threads.add(Said.thread(answer)));
                    assertEquals(Set.of(0, 1), threads, "round " + round);
                    waiting.read().forEach(answer -> answer.expect(200));
                }
                for (int count = 0; count < 20; count++) {
                    assertTrue(Said.thread(client.get("/fast")) >= 0);
                }
            }
        }
    }

    @Test
    void withoutABoundAllWaitAndAreAnswered() {
        try (ServerProcess server = spike(1).start();
                Blockers blockers = new Blockers(server, 1, 0);
                Crowd waiting = new Crowd(server, 100)) {
            waiting.ask("/fast");
            blockers.awaitRead();
            blockers.read();
            waiting.read().forEach(answer -> assertEquals(0, Said.thread(answer)));
        }
    }

    /**
     * The thread comes back to it: whoever has waited too long is refused and was never run. Three
     * times over, since the sweep may be the first to see it now and then.
     */
    @Test
    void aJobThatHasWaitedTooLongIsRefusedAndNotRun() {
        try (ServerProcess server = spike(1)
                .set("M0_LANE_DEADLINE_MS", String.valueOf(SHORT_MS)).start();
                RawClient client = RawClient.connect(server)) {
            for (int round = 1; round <= 3; round++) {
                try (Blockers blockers = new Blockers(server, 1, 0, REFUSED_MAX);
                        Crowd late = new Crowd(server, 3)) {
                    long begun = Said.number(client, "/begun", "begun");
                    late.ask("/late?ms=0");
                    blockers.awaitRead();
                    ServerProcess.pause(SHORT_MS + 20);
                    blockers.read();
                    late.read().forEach(OverloadGate::expectOverload);
                    assertEquals(begun, Said.number(client, "/begun", "begun"),
                            "begun in round " + round);
                }
                expectServedAgain(server);
            }
        }
    }

    /** What the machine has held up for the whole of a deadline may come too late once more. */
    private static void expectServedAgain(ServerProcess server) {
        Rounds.play(5, () -> {
            try (RawClient client = RawClient.connect(server)) {
                long sinceNs = System.nanoTime();
                Reply answer = client.get("/late?ms=0");
                long ms = (System.nanoTime() - sinceNs) / 1_000_000;
                Rounds.voidIf(answer.status() == 503 && ms >= SHORT_MS,
                        "refused after " + ms + " ms");
                assertEquals(0, Said.thread(answer));
            }
        });
    }

    /**
     * Not before its deadline, and not after a sweep. Its job stands in the queue until a thread
     * comes by, and the connection's slot with it: so the connection ends.
     */
    @Test
    void aJobThatNoThreadEverTakesIsRefusedAtItsDeadline() {
        try (ServerProcess server = spike(1)
                .set("M0_LANE_DEADLINE_MS", String.valueOf(DEADLINE_MS)).start();
                Blockers blockers = new Blockers(server, 1, 0, REFUSED_MAX);
                Crowd late = new Crowd(server, 3)) {
            long sinceNs = System.nanoTime();
            late.ask("/late?ms=0");
            Arrivals arrivals = Arrivals.await(sinceNs, late.clients(), RawClient.WAIT);
            for (int index = 0; index < 3; index++) {
                long ms = arrivals.ms(index);
                assertTrue(ms >= DEADLINE_MS - 20, "refused after " + ms + " ms of " + DEADLINE_MS);
                assertTrue(ms <= LATEST_MS, "refused after " + ms + " ms of " + DEADLINE_MS);
            }
            late.read().forEach(answer -> expectOverload(answer.expectClose()));
            late.clients().forEach(RawClient::expectEnd);
            assertFalse(blockers.answered(), "a blocker was answered before it was let go");
        }
    }

    /** Two slots: nobody else has the refused one's before the thread has come by its job. */
    @Test
    void aSlotStaysBorrowedAsLongAsItsJobStandsInTheQueue() {
        try (ServerProcess server = spike(1).set("M0_LANE_DEADLINE_MS", "500")
                .set("M0_MAX_CONNECTIONS", "2").start();
                RawClient blocker = RawClient.connect(server);
                RawClient late = RawClient.connect(server)) {
            late.get("/loop").expect(200);
            blocker.send("GET /slow?ms=5000 HTTP/1.1\r\nHost: gate\r\n\r\n");
            ServerProcess.await("the blocker to begin", RawClient.WAIT,
                    () -> Said.number(late, "/begun", "begun") == 1);
            expectOverload(late.get("/late?ms=0").expectClose());
            late.expectEnd();
            late.close();
            assertTrue(!blocker.hasBytes(), "vacuous: the blocker has ended");
            try (RawClient next = RawClient.connect(server)) {
                next.get("/loop").expect(200);
                assertTrue(blocker.hasBytes(), "the slot had a new owner beside its job");
                blocker.read().expect(200);
                assertEquals(1, Said.number(next, "/begun", "begun"));
                next.expectSilence(50);
            }
        }
    }

    /** A deadline is for the wait: what a thread has taken in time it may take its time for. */
    @Test
    void aJobThatIsTakenInTimeIsAnsweredHoweverLongItTakes() {
        try (ServerProcess server = spike(1)
                .set("M0_LANE_DEADLINE_MS", "3500").start();
                Blockers blockers = new Blockers(server, 1, 0, REFUSED_MAX);
                Crowd second = new Crowd(server, 1)) {
            second.ask("/slow?ms=3600");
            blockers.awaitRead();
            // Long enough for a sweep, which is to pass it over.
            ServerProcess.pause(1100);
            blockers.read();
            second.read().forEach(answer -> answer.expect(200));
        }
    }

    /** The refused one's connection is as good as before, and what it pipelined is answered. */
    @Test
    void whatIsPipelinedBehindARefusedRequestIsAnswered() {
        try (ServerProcess server = spike(1).set("M0_LANE_QUEUE", "1").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/loop").expect(200);
            try (Blockers blockers = new Blockers(server, 1, 0);
                    Crowd waiting = new Crowd(server, 1)) {
                waiting.ask("/fast");
                blockers.awaitRead();
                client.send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /loop HTTP/1.1\r\nHost: a\r\n\r\n");
                expectOverload(client.read());
                assertEquals(-1, Said.thread(client.read()));
                blockers.read();
                waiting.read();
            }
        }
    }

    private static void expectOverload(Reply answer) {
        answer.expect(503);
        assertEquals("1", answer.header("Retry-After"), answer.toString());
    }

    private static ServerProcess.Plan spike(int threads) {
        return ServerProcess.app("pool_spike").set("M0_BLOCKING_THREADS", String.valueOf(threads));
    }

    /** Connections that ask the same, all at once. */
    private static final class Crowd implements AutoCloseable {
        private final List<RawClient> clients = new ArrayList<>();

        Crowd(ServerProcess server, int count) {
            for (int index = 0; index < count; index++) {
                RawClient client = RawClient.connect(server);
                clients.add(client);
                client.get("/loop").expect(200);
            }
        }

        void ask(String target) {
            clients.forEach(client ->
                    client.send("GET " + target + " HTTP/1.1\r\nHost: gate\r\n\r\n"));
        }

        List<RawClient> clients() {
            return clients;
        }

        List<Reply> read() {
            return clients.stream().map(RawClient::read).toList();
        }

        @Override
        public void close() {
            clients.forEach(RawClient::close);
        }
    }
}
