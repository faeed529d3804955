package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import m0.http.Request;
import m0.http.Response;
import m0.loop.Clock;
import m0.loop.Waker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * M25: no wake is lost. The test is the loop: where the lane needs no further look, it waits for a
 * completion and for nothing else, so a job beside a parked thread stays for ever.
 */
@Timeout(300)
class LaneStressTest {
    private static final int THREADS = 4;
    private static final int CONNECTIONS_MAX = 16;
    private static final int ROUNDS = 20;
    /** As many as there are kinds of rounds. */
    private static final int ROUNDS_LEAST = 2 * THREADS;
    /** Where others have the cores, no more rounds are begun behind this. */
    private static final long ROUNDS_NS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final int JOBS_A_ROUND = 3_000;
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(20);
    private static final Response OK = Response.text(200, "ok");

    private static final Request FAST = token();
    private static final Request SLOW = token();

    private final Completions completions = new Completions(CONNECTIONS_MAX, new Waker());
    private final Deque<Job> home = new ArrayDeque<>();
    private volatile CountDownLatch slowEnd = new CountDownLatch(0);
    private final ThreadLane lane = new ThreadLane(
            new LaneConfig(0, 0, THREADS, CONNECTIONS_MAX, 0, 0),
            thread -> this::answer, completions, Clock.SYSTEM, LaneObserver.NONE);
    private int fastOut;

    private static Request token() {
        return (Request) Proxy.newProxyInstance(Request.class.getClassLoader(),
                new Class<?>[] {Request.class}, (proxy, method, arguments) -> null);
    }

    private Response answer(Request request, EarlyAnswer early) throws InterruptedException {
        if (request == SLOW) {
            slowEnd.await();
        }
        return OK;
    }

    @BeforeEach
    void start() throws InterruptedException {
        for (int slot = 0; slot < CONNECTIONS_MAX; slot++) {
            home.add(new Job(slot));
        }
        lane.start();
        assertNull(lane.awaitReady(STUCK_NS), "the lane is short");
    }

    @AfterEach
    void end() throws InterruptedException {
        slowEnd.countDown();
        lane.end();
        assertEquals(List.of(), lane.join(STUCK_NS), "threads that did not end");
    }

    @Test
    void noJobStaysBesideAParkedThread() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long sinceNs = System.nanoTime();
        for (int round = 0; round < ROUNDS && (round < ROUNDS_LEAST
                || System.nanoTime() - sinceNs < ROUNDS_NS_MAX); round++) {
            slowEnd = new CountDownLatch(1);
            // Most rounds leave one thread for everything: nobody else then hides what it misses.
            int slow = Math.min(THREADS - 1, round % ROUNDS_LEAST);
            for (int job = 0; job < slow; job++) {
                submit(SLOW);
            }
            String where = "seed=" + seed + " round=" + round + " slow=" + slow;
            for (int done = 0; done < JOBS_A_ROUND;) {
                int burst = 1 + random.nextInt(random.nextBoolean() ? 1 : CONNECTIONS_MAX - slow);
                for (int job = 0; job < burst; job++) {
                    submit(FAST);
                }
                done += burst;
                while (fastOut > 0) {
                    waitAsALoop(where);
                    takeCompletions();
                }
                rest(random.nextBoolean() ? random.nextInt(40_000) : nearParking(random));
            }
            slowEnd.countDown();
            while (home.size() < CONNECTIONS_MAX) {
                waitAsALoop(where);
                takeCompletions();
            }
        }
    }

    private void submit(Request request) {
        Job job = home.remove();
        job.begin(request);
        assertTrue(lane.trySubmit(job), "a job was refused");
        fastOut += request == FAST ? 1 : 0;
    }

    private void takeCompletions() {
        Job job = completions.poll();
        while (job != null) {
            assertSame(OK, job.response());
            fastOut -= job.request() == FAST ? 1 : 0;
            job.home();
            home.add(job);
            job = completions.poll();
        }
    }

    /** Nothing but a completion ends it, unless the lane wants to be asked again. */
    private void waitAsALoop(String where) {
        long startNs = System.nanoTime();
        while (completions.isEmpty() && lane.lookAgainNs() != Lane.NEVER) {
            Thread.onSpinWait();
        }
        while (completions.isEmpty()) {
            assertTrue(System.nanoTime() - startNs < STUCK_NS, "a job waits for ever: " + where);
            Thread.yield();
        }
    }

    /** About as long as a thread looks before it parks. */
    private static long nearParking(Random random) {
        return WakeRule.SPIN_NS - 1_500 + random.nextInt(3_000);
    }

    private static void rest(long ns) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < ns) {
            Thread.onSpinWait();
        }
    }
}
