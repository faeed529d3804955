package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import m0.http.Response;
import m0.loop.Waker;
import m0.pool.PoolWorker.Turn;

/** A lane whose threads and whose loop are all the test's own, with a clock that stands. */
final class SteppedLane {
    static final long US = 1_000L;
    static final int CONNECTIONS_MAX = 64;

    final SteppedClock clock = new SteppedClock();
    final Completions completions = new Completions(CONNECTIONS_MAX, new Waker());
    final ThreadLane lane;
    private final PoolWorker[] workers;
    private final List<Integer> woken = new ArrayList<>();
    private JobHandler handler = (request, early) -> Response.text(200, "ok");
    private int jobsMade;
    /** How many wait, as the observer was told. */
    int waitingTold;
    /** What else it was told. */
    final List<String> said = new ArrayList<>();

    SteppedLane(int threads) {
        this(threads, 0, 0);
    }

    SteppedLane(int threads, int waitingMax, long deadlineNs) {
        LaneConfig config = new LaneConfig(3, 0, threads, CONNECTIONS_MAX, waitingMax, deadlineNs);
        lane = new ThreadLane(config, thread -> null, completions, clock,
                new CountedWaiting(), new KeptWakes());
        workers = new PoolWorker[threads];
        for (int thread = 0; thread < threads; thread++) {
            workers[thread] = lane.worker(thread,
                    (request, early) -> handler.answer(request, early));
        }
    }

    /** How every thread answers from now on. */
    void answerWith(JobHandler how) {
        handler = how;
    }

    Job job() {
        Job job = new Job(jobsMade++);
        job.begin(null);
        return job;
    }

    /** Gives the lane a new job, which it must take. */
    Job submit() {
        Job job = job();
        assertTrue(lane.trySubmit(job), "the lane refused a job");
        return job;
    }

    Turn step(int thread) {
        return workers[thread].runOnce();
    }

    /** Lets that thread find nothing until it parks. */
    void park(int thread) {
        assertEquals(Turn.LOOKED, step(thread), "it looks for a while before it parks");
        clock.nowNs += 10 * US;
        assertEquals(Turn.PARK, step(thread));
    }

    /** Has that thread answer the oldest job; meanwhile that happens elsewhere. */
    void work(int thread, Runnable elsewhere) {
        JobHandler before = handler;
        List<AssertionError> failures = new ArrayList<>();
        List<Runnable> pending = new ArrayList<>(List.of(elsewhere));
        handler = (request, early) -> {
            handler = before;
            try {
                pending.remove(0).run();
            } catch (AssertionError failure) {
                failures.add(failure);
            }
            return before.answer(request, early);
        };
        assertEquals(Turn.WORKED, step(thread));
        for (AssertionError failure : failures) {
            throw failure;
        }
        assertTrue(pending.isEmpty(), "the job was not answered");
    }

    /** Who was woken since the last call, in that order. */
    List<Integer> woken() {
        List<Integer> since = List.copyOf(woken);
        woken.clear();
        return since;
    }

    /** Nobody waits: the test steps, and keeps who was woken. */
    private final class KeptWakes implements Parking {
        @Override
        public void begin(int thread) {
            throw new AssertionError("thread " + thread + " was started");
        }

        @Override
        public void park(int thread) {
            throw new AssertionError("thread " + thread + " waits");
        }

        @Override
        public void unpark(int thread) {
            woken.add(thread);
        }
    }

    private final class CountedWaiting implements LaneObserver {
        @Override
        public void onWaiting(int ofLane, int change) {
            waitingTold += change;
        }

        @Override
        public void onThrowBehindAnswer(int ofLane, int thread, Throwable thrown) {
            said.add("lane " + ofLane + " thread " + thread + " " + thrown.getMessage());
        }
    }
}
