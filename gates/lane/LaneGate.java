package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** M19: each pool thread has a handler of its own, and several jobs go on at once. */
@Gate
class LaneGate {
    private static final int BLOCK_MS = 600;
    private static final int ROUNDS_MAX = 5;
    private static final Duration EXIT = Duration.ofSeconds(30);

    @Test
    void everyThreadAnswersAndNamesItself() {
        try (ServerProcess server = spike(3).start()) {
            for (int round = 0; round < 2; round++) {
                try (Blockers blockers = new Blockers(server, 3, 0)) {
                    assertEquals(Set.of(0, 1, 2), threads(blockers.read()), "round " + round);
                }
            }
        }
    }

    @Test
    void withoutALaneTheLoopAnswers() {
        try (ServerProcess server = spike(0).start();
                RawClient client = RawClient.connect(server)) {
            assertEquals(-1, Said.thread(client.get("/fast")));
            assertEquals(-1, Said.thread(client.get("/slow?ms=1")));
        }
    }

    @Test
    void anIndexIsOneOfTheLanesAndTheLoopsRouteHasNone() {
        try (ServerProcess server = spike(2).start();
                RawClient client = RawClient.connect(server)) {
            for (int count = 0; count < 50; count++) {
                int thread = Said.thread(client.get("/fast"));
                assertTrue(thread == 0 || thread == 1, "thread " + thread + " of 2");
                assertEquals(-1, Said.thread(client.get("/loop")));
            }
        }
    }

    /**
     * The negative arm is a lane of one thread, where the second waits for the first. What a busy
     * machine adds makes either look like the other, but not five times.
     */
    @Test
    void twoThatBlockOnTwoThreadsTakeAboutAsLongAsOne() {
        double two = secondOfTwo(2, ended -> ended < 1.5);
        double one = secondOfTwo(1, ended -> ended > 1.7);
        Figures.add(LaneGate.class, "second of two that block, 2 threads", two, "of one", 1.5);
        assertTrue(two < 1.5, "the second of two ended after " + two + " times one alone");
        assertTrue(one > 1.7, "vacuous: on one thread the second ended after " + one
                + " times one alone");
    }

    /** When the second of two that block ended, in times of one alone, as expected or the last. */
    private static double secondOfTwo(int threads, DoublePredicate expected) {
        try (ServerProcess server = spike(threads).start();
                RawClient first = RawClient.connect(server);
                RawClient second = RawClient.connect(server)) {
            first.get("/slow?ms=1");
            second.get("/slow?ms=1");
            double ended = secondOfTwo(first, second);
            for (int round = 1; round < ROUNDS_MAX && !expected.test(ended); round++) {
                ended = secondOfTwo(first, second);
            }
            return ended;
        }
    }

    private static double secondOfTwo(RawClient first, RawClient second) {
        // What a busy machine adds to one alone would make two of them look quick.
        long aloneNs = Long.MAX_VALUE;
        for (int count = 0; count < 3; count++) {
            long sinceNs = System.nanoTime();
            first.get("/slow?ms=" + BLOCK_MS).expect(200);
            aloneNs = Math.min(aloneNs, System.nanoTime() - sinceNs);
        }
        long bothNs = System.nanoTime();
        for (RawClient client : List.of(first, second)) {
            client.send("GET /slow?ms=" + BLOCK_MS + " HTTP/1.1\r\nHost: gate\r\n\r\n");
        }
        Arrivals.await(bothNs, List.of(first, second), RawClient.WAIT);
        bothNs = System.nanoTime() - bothNs;
        first.read().expect(200);
        second.read().expect(200);
        return (double) bothNs / aloneNs;
    }

    /** As many that block as there are threads but one: a fast request passes them all. */
    @Test
    void aFreeThreadAnswersBesideThoseThatAreHeld() {
        try (ServerProcess server = spike(4).start();
                RawClient fast = RawClient.connect(server)) {
            try (Blockers blockers = new Blockers(server, 3, 0)) {
                assertTrue(Said.thread(fast.get("/fast")) >= 0);
                assertFalse(blockers.answered(), "a blocker was answered before it was let go");
                blockers.read();
            }
        }
    }

    /**
     * Two more that block than there are threads: a fast request behind them waits for one of them,
     * not for the queue's sum, and passes the two that waited with it. Behind it the lane is as it
     * was, and ends when it is told to.
     */
    @Test
    void twoBlockersTooManyCostOneBlockingTimeAndNoMore() {
        try (ServerProcess server = spike(4).start();
                RawClient fast = RawClient.connect(server)) {
            fast.get("/fast").expect(200);
            try (Blockers blockers = new Blockers(server, 4, 2)) {
                blockers.awaitRead();
                fast.send("GET /fast HTTP/1.1\r\nHost: gate\r\n\r\n");
                blockers.awaitRead();
                assertFalse(fast.hasBytes(), "vacuous: the fast one did not wait");
                blockers.release();
                ServerProcess.await("an answer to the fast one before those that waited with it",
                        RawClient.WAIT, fast::hasBytes);
                List<RawClient> waited = blockers.clients().subList(4, 6);
                assertFalse(waited.stream().anyMatch(RawClient::hasBytes),
                        "the fast one came behind a blocker that waited");
                List<Reply> answers = blockers.read();
                assertEquals(Set.of(0, 1, 2, 3), threads(answers.subList(0, 4)));
                assertTrue(Said.thread(fast.read()) >= 0);
            }
            try (Blockers blockers = new Blockers(server, 4, 0)) {
                assertEquals(Set.of(0, 1, 2, 3), threads(blockers.read()));
            }
            server.term();
            assertEquals(0, server.awaitExit(EXIT));
            assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
        }
    }

    /** What the lane is for: on the bare loop a fast request waits for all in front of it. */
    @Test
    void onTheBareLoopAFastRequestWaitsForTheQueuesSum() {
        try (ServerProcess server = spike(0).start();
                RawClient fast = RawClient.connect(server)) {
            fast.get("/fast").expect(200);
            List<RawClient> all = new ArrayList<>();
            try {
                for (int count = 0; count < 6; count++) {
                    RawClient client = RawClient.connect(server);
                    all.add(client);
                    client.get("/loop").expect(200);
                }
                long sinceNs = System.nanoTime();
                for (RawClient client : all) {
                    client.send("GET /slow?ms=" + BLOCK_MS + " HTTP/1.1\r\nHost: gate\r\n\r\n");
                }
                // The loop is held, so all of them are there before it looks again.
                ServerProcess.pause(BLOCK_MS / 4);
                fast.send("GET /fast HTTP/1.1\r\nHost: gate\r\n\r\n");
                all.add(fast);
                int before = Arrivals.await(sinceNs, all, RawClient.WAIT).before(6);
                assertTrue(before >= 5, "only " + before + " of 6 were answered before it");
                all.forEach(client -> client.read().expect(200));
            } finally {
                all.forEach(RawClient::close);
            }
        }
    }

    private static Set<Integer> threads(List<Reply> answers) {
        Set<Integer> threads = new TreeSet<>();
        answers.forEach(answer -> threads.add(Said.thread(answer)));
        return threads;
    }

    private static ServerProcess.Plan spike(int threads) {
        return ServerProcess.app("pool_spike").set("M0_BLOCKING_THREADS", String.valueOf(threads));
    }
}
