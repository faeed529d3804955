package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import m0.http.Request;
import m0.http.Response;
import m0.loop.Waker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Jobs that an executor runs, a virtual thread for each where the JDK has them; one handler. */
@Timeout(60)
class ExecutorLaneTest {
    private static final int JOBS = 200;
    private static final long MS = 1_000_000L;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long BACK_NS = TimeUnit.SECONDS.toNanos(20);
    private static final Response OK = Response.text(200, "ok");

    private final SteppedClock clock = new SteppedClock();
    private final Completions completions = new Completions(JOBS, new Waker());
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger waitingTold = new AtomicInteger();
    private ExecutorLane lane;

    @AfterEach
    void letGo() throws InterruptedException {
        held.countDown();
        if (lane != null) {
            lane.end();
            assertEquals(List.of(), lane.join(LONG_NS), "the keeper did not end");
        }
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void isRefusedByNameWhereTheJdkHasNone() {
        assertFalse(ExecutorLane.hasVirtual());
        IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> begin(0, 0, thread -> (request, early) -> OK));
        assertEquals("this JDK has no virtual threads", refused.getMessage());
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void asManyJobsAreUnderWayAsWereSubmittedAllWithOneHandler() throws Exception {
        assertTrue(ExecutorLane.hasVirtual());
        CyclicBarrier together = new CyclicBarrier(JOBS);
        List<Integer> made = Collections.synchronizedList(new ArrayList<>());
        begin(0, 0, thread -> {
            made.add(thread);
            return (request, early) -> {
                together.await(20, TimeUnit.SECONDS);
                return OK;
            };
        });
        assertNull(lane.awaitReady(LONG_NS));
        submit(JOBS);
        for (Job job : back(JOBS)) {
            assertSame(OK, job.response(), () -> "failure: " + job.failure());
            assertEquals(0, job.thread(), "the index of its handler");
        }
        assertEquals(List.of(0), made, "handlers made");
        assertEquals(0, lane.waiting());
        assertEquals(0, waitingTold.get());
        assertEquals(Lane.NEVER, lane.lookAgainNs());
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void theHandlerIsClosedOnceBehindTheLastJob() throws Exception {
        CountDownLatch inside = new CountDownLatch(2);
        begin(0, 0, thread -> new JobHandler() {
            @Override
            public Response answer(Request request, EarlyAnswer early) throws Exception {
                inside.countDown();
                held.await();
                said.add("answered");
                return OK;
            }

            @Override
            public void close() {
                said.add("closed");
                throw new IllegalStateException("still open");
            }
        });
        assertNull(lane.awaitReady(LONG_NS));
        submit(2);
        inside.await();
        lane.end();
        lane.end();
        assertEquals(List.of(0), lane.join(20 * MS), "stragglers");
        assertEquals(List.of(), said);
        held.countDown();
        assertEquals(List.of(), lane.join(LONG_NS), "the keeper did not end");
        assertEquals(List.of("answered", "answered", "closed", "lane 1 thread 0 still open"), said);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void whatTheHandlerThrowsComesBack() throws Exception {
        Error broken = new AssertionError("broken");
        begin(0, 0, thread -> (request, early) -> {
            throw broken;
        });
        assertNull(lane.awaitReady(LONG_NS));
        submit(1);
        assertSame(broken, back(1).get(0).failure());
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void aThrowingMakeIsAShortfall() throws Exception {
        RuntimeException refused = new RuntimeException("no database");
        begin(0, 0, thread -> {
            throw refused;
        });
        assertEquals(new Shortfall(0, refused), lane.awaitReady(LONG_NS));
        lane.end();
        assertEquals(List.of(), lane.join(LONG_NS), "the keeper did not end");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void aMakeThatTakesTooLongIsNamedAndCanBeGivenUp() throws Exception {
        begin(0, 0, thread -> {
            held.await();
            return (request, early) -> OK;
        });
        assertEquals(new Shortfall(0, null), lane.awaitReady(0));
        lane.giveUp();
        assertNull(lane.awaitReady(LONG_NS));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void deadlineAndBoundCountForJobsThatHaveNotBegun() throws Exception {
        CountDownLatch busy = new CountDownLatch(carriers());
        begin(1, 50 * MS, thread -> (request, early) -> {
            busy.countDown();
            // It spins, so that it keeps the thread which carries it.
            while (held.getCount() > 0) {
                Thread.onSpinWait();
            }
            return OK;
        });
        assertNull(lane.awaitReady(LONG_NS));
        int carried = carriers();
        for (int job = 0; job < carried; job++) {
            submit(1);
            while (lane.waiting() > 0) {
                Thread.onSpinWait();
            }
        }
        busy.await();
        Job waits = submit(1).get(0);
        assertEquals(1, lane.waiting());
        assertEquals(1, waitingTold.get());
        Job refused = new Job(JOBS - 1);
        refused.begin(null);
        assertFalse(lane.trySubmit(refused), "one waits already");
        clock.nowNs += 50 * MS + 1;
        held.countDown();
        back(carried + 1);
        assertNull(waits.response(), "the answer of the one that waited too long");
        assertEquals(-1, waits.thread());
        assertEquals(0, lane.waiting());
    }

    /** How many virtual threads run at a time. */
    private static int carriers() {
        return Integer.getInteger("jdk.virtualThreadScheduler.parallelism",
                Runtime.getRuntime().availableProcessors());
    }

    /** An executor that is the test: what it was handed runs when the test says so. */
    private final BlockingQueue<Runnable> handed = new LinkedBlockingQueue<>();

    @Test
    void eachJobIsHandedToTheExecutorAndWaitsUntilItIsRun() throws Exception {
        begin(handed::add, 0, (request, early) -> OK);
        List<Job> jobs = submit(2);
        assertEquals(2, lane.waiting());
        assertEquals(2, waitingTold.get());
        assertTrue(completions.isEmpty());
        handed.take().run();
        assertSame(jobs.get(0), completions.poll());
        assertSame(OK, jobs.get(0).response());
        assertEquals(0, jobs.get(0).thread());
        assertEquals(1, lane.waiting());
        handed.take().run();
        assertSame(jobs.get(1), completions.poll());
        assertEquals(0, lane.waiting());
        assertEquals(0, waitingTold.get());
    }

    @Test
    void aJobThatTheExecutorRefusesComesBackUnanswered() throws Exception {
        begin(run -> {
            throw new RejectedExecutionException("no");
        }, 0, (request, early) -> OK);
        Job job = submit(1).get(0);
        assertSame(job, backWithin("a job that was refused"));
        assertNull(job.response(), "the answer of one that was refused");
        assertNull(job.failure());
        assertEquals(-1, job.thread());
        assertEquals(0, lane.waiting(), "how many wait");
        assertEquals(0, waitingTold.get(), "how many wait, as was told");
        assertFalse(job.tryRecall(), "it is out");
        assertEquals(List.of(), said);
        // And the keeper, at the test's end, waits for no job that never was one.
    }

    @Test
    void whatTheExecutorRefusesAndRunsLaterIsNobodysJob() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        begin(run -> {
            handed.add(run);
            if (refuses.get()) {
                throw new RejectedExecutionException("no");
            }
        }, 0, (request, early) -> OK);
        Job job = submit(1).get(0);
        assertSame(job, backWithin("a job that was refused"));
        job.home();
        refuses.set(false);
        job.begin(null);
        assertTrue(lane.trySubmit(job));
        handed.take().run();
        assertNull(completions.poll(), "the refused run has taken the job");
        Runnable runsTwice = handed.take();
        runsTwice.run();
        assertSame(job, completions.poll());
        runsTwice.run();
        assertNull(completions.poll(), "it was answered twice");
        assertEquals(0, lane.waiting());
    }

    @Test
    void whatTheExecutorRunsAndThenRefusesIsAnswered() throws Exception {
        begin(run -> {
            runElsewhere(run);
            throw new RejectedExecutionException("too late");
        }, 0, (request, early) -> OK);
        Job job = submit(1).get(0);
        assertSame(job, backWithin("a job that ran"));
        assertSame(OK, job.response());
        assertEquals(0, waitingTold.get());
    }

    /** As the JDK's server has it: its dispatcher does what nobody else is left to do. */
    @Test
    void whatTheExecutorRunsInItsCallerIsAnsweredByTheKeeper() throws Exception {
        begin(run -> {
            run.run();
            Thread.currentThread().interrupt();
        }, 0, (request, early) -> {
            said.add(Thread.currentThread().getName());
            return OK;
        });
        for (Job job : submit(2)) {
            assertSame(job, backWithin("a job that ran in its caller"));
            assertSame(OK, job.response());
        }
        assertEquals(List.of(keeperName(), keeperName()), said);
        assertEquals(0, waitingTold.get());
    }

    /** What it waits for may be waiting for the loop. */
    @Test
    void anExecutorThatWaitsHoldsNoLoop() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        begin(run -> {
            waits.countDown();
            awaitHeld();
            run.run();
        }, 0, (request, early) -> OK);
        List<Job> jobs = submit(3);
        waits.await();
        assertTrue(jobs.get(1).tryRecall(), "it waits behind one that is handed over");
        assertTrue(completions.isEmpty());
        held.countDown();
        for (Job job : jobs) {
            assertSame(job, backWithin("a job that waited"));
        }
        assertSame(OK, jobs.get(2).response());
        assertNull(jobs.get(1).response(), "the answer of the recalled one");
    }

    private void awaitHeld() {
        try {
            held.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private String keeperName() {
        return new LaneConfig(0, 1, 0, JOBS, 0, 0).threadName(0) + "-keeper";
    }

    private static void runElsewhere(Runnable run) {
        Thread other = new Thread(run);
        other.start();
        try {
            other.join();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void anExecutorThatBreaksOrFindsNoThreadRefusesAndIsTold() throws Exception {
        Iterator<Throwable> thrown = List.<Throwable>of(new IllegalArgumentException("broken"),
                new OutOfMemoryError("no thread")).iterator();
        begin(run -> {
            Throwable next = thrown.next();
            if (next instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) next;
        }, 0, (request, early) -> OK);
        for (Job job : submit(2)) {
            assertSame(job, backWithin("a job that could not run"));
            assertNull(job.response());
        }
        assertEquals(List.of("lane 1 executor broken", "lane 1 executor no thread"), said);
        assertEquals(0, waitingTold.get());
    }

    @Test
    void anErrorOfTheExecutorEndsTheLoop() throws Exception {
        Error broken = new AssertionError("broken");
        begin(run -> {
            throw broken;
        }, 0, (request, early) -> OK);
        submit(1);
        assertSame(broken, assertThrows(AssertionError.class, () -> backWithin("a job")));
        // The keeper would wait for the job that it could not hand over.
        lane = null;
    }

    @Test
    void aRecalledJobIsNotAnswered() throws Exception {
        begin(handed::add, 0, (request, early) -> OK);
        Job job = submit(1).get(0);
        assertTrue(job.tryRecall());
        assertEquals(0, lane.waiting());
        handed.take().run();
        assertSame(job, completions.poll());
        assertNull(job.response());
        job.home();
        assertEquals(0, lane.waiting());
    }

    @Test
    void theHandlerIsClosedBehindACallWhoseAnswerWasEarly() throws Exception {
        begin(handed::add, 0, new JobHandler() {
            @Override
            public Response answer(Request request, EarlyAnswer early) throws Exception {
                early.give(OK);
                completions.poll().home();
                lane.end();
                assertEquals(List.of(0), lane.join(20 * MS), "stragglers");
                said.add("returns");
                return null;
            }

            @Override
            public void close() {
                said.add("closed");
            }
        });
        submit(1);
        handed.take().run();
        assertEquals(List.of(), lane.join(LONG_NS), "the keeper did not end");
        assertEquals(List.of("returns", "closed"), said);
    }

    private void begin(Executor executor, int waitingMax, JobHandler handler)
            throws InterruptedException {
        lane = new ExecutorLane(new LaneConfig(0, 1, 0, JOBS, waitingMax, 0), thread -> handler,
                completions, clock, observer(), executor);
        lane.start();
        assertNull(lane.awaitReady(LONG_NS));
    }

    private void begin(int waitingMax, long deadlineNs, JobHandlers handlers) {
        lane = ExecutorLane.ofVirtual(new LaneConfig(0, 1, 0, JOBS, waitingMax, deadlineNs),
                handlers, completions, clock, observer());
        lane.start();
    }

    private LaneObserver observer() {
        return new LaneObserver() {
            @Override
            public void onWaiting(int ofLane, int change) {
                waitingTold.addAndGet(change);
            }

            @Override
            public void onCloseFailed(int ofLane, int thread, Throwable thrown) {
                said.add("lane " + ofLane + " thread " + thread + " " + thrown.getMessage());
            }

            @Override
            public void onExecutorFailed(int ofLane, Throwable thrown) {
                said.add("lane " + ofLane + " executor " + thrown.getMessage());
            }
        };
    }

    private List<Job> submit(int count) {
        List<Job> jobs = new ArrayList<>();
        for (int slot = 0; slot < count; slot++) {
            Job job = new Job(slot);
            job.begin(null);
            assertTrue(lane.trySubmit(job));
            jobs.add(job);
        }
        return jobs;
    }

    /** The next job that comes back, in a time in which everything that comes has come. */
    private Job backWithin(String what) {
        long sinceNs = System.nanoTime();
        Job job = completions.poll();
        while (job == null) {
            assertTrue(System.nanoTime() - sinceNs < BACK_NS, what + " did not come back");
            Thread.yield();
            job = completions.poll();
        }
        return job;
    }

    private List<Job> back(int count) {
        List<Job> back = new ArrayList<>();
        while (back.size() < count) {
            Job job = completions.poll();
            if (job == null) {
                Thread.yield();
            } else {
                back.add(job);
            }
        }
        return back;
    }
}
