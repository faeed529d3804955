package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import m0.http.Body;
import m0.http.Request;
import m0.http.Response;
import m0.loop.Clock;
import m0.loop.Waker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From the start of a lane's threads to their end, with real ones. */
@Timeout(60)
class ThreadLaneLifeTest {
    private static final int CONNECTIONS_MAX = 16;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);
    private static final Response OK = Response.text(200, "ok");

    private final Completions completions = new Completions(CONNECTIONS_MAX, new Waker());
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch held = new CountDownLatch(1);
    private ThreadLane lane;

    @AfterEach
    void letGo() throws InterruptedException {
        held.countDown();
        if (lane != null) {
            lane.end();
            assertEquals(List.of(), lane.join(LONG_NS), "threads that did not end");
        }
    }

    @Test
    void eachThreadHasAHandlerOfItsOwnWhichItMakesUsesAndCloses() throws Exception {
        Set<Integer> made = new ConcurrentSkipListSet<>();
        Set<Integer> used = new ConcurrentSkipListSet<>();
        CyclicBarrier together = new CyclicBarrier(3);
        begin(3, thread -> {
            made.add(thread);
            return new JobHandler() {
                private final Thread madeOn = Thread.currentThread();

                @Override
                public Response answer(Request request, EarlyAnswer early) throws Exception {
                    together.await(20, TimeUnit.SECONDS);
                    used.add(thread);
                    return Response.text(200,
                            (Thread.currentThread() == madeOn) + " " + madeOn.getName());
                }

                @Override
                public void close() {
                    said.add(thread + " " + (Thread.currentThread() == madeOn));
                }
            };
        });
        assertNull(lane.awaitReady(LONG_NS));
        assertEquals(Set.of(0, 1, 2), made, "handlers made");
        Set<String> answers = new TreeSet<>();
        for (Job job : answered(3)) {
            assertNull(job.failure());
            answers.add(job.thread() + " " + textOf(job));
        }
        assertEquals(Set.of(0, 1, 2), used, "handlers used");
        assertEquals(Set.of("0 true m0-handler-7-0", "1 true m0-handler-7-1",
                "2 true m0-handler-7-2"), answers);
        lane.end();
        assertEquals(List.of(), lane.join(LONG_NS), "threads that did not end");
        Collections.sort(said);
        assertEquals(List.of("0 true", "1 true", "2 true"), said, "handlers closed");
    }

    @Test
    @Timeout(10)
    void aThrowWhileAnotherIsStillBuildingIsSaidAtOnce() throws Exception {
        RuntimeException refused = new RuntimeException("no database");
        begin(3, thread -> {
            if (thread == 1) {
                throw refused;
            }
            if (thread == 2) {
                held.await();
            }
            return (request, early) -> OK;
        });
        assertEquals(new Shortfall(1, refused), lane.awaitReady(LONG_NS), "who is short");
    }

    @Test
    void aBuildThatTakesTooLongIsNamedWithoutACause() throws Exception {
        begin(2, thread -> {
            if (thread == 1) {
                held.await();
            }
            return (request, early) -> OK;
        });
        Shortfall shortfall = lane.awaitReady(TimeUnit.MILLISECONDS.toNanos(1));
        while (shortfall != null && shortfall.thread() == 0) {
            shortfall = lane.awaitReady(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertEquals(new Shortfall(1, null), shortfall, "who is short");
        held.countDown();
        assertNull(lane.awaitReady(LONG_NS));
    }

    @Test
    void anErrorAndNoHandlerAtAllAreThrowsToo() throws Exception {
        Error broken = new NoClassDefFoundError("gone");
        begin(1, thread -> {
            throw broken;
        });
        assertEquals(new Shortfall(0, broken), lane.awaitReady(LONG_NS), "who is short");
        begin(1, thread -> null);
        assertEquals("make returned no handler", lane.awaitReady(LONG_NS).cause().getMessage());
    }

    @Test
    @Timeout(10)
    void whoGivesUpEndsTheWaitForHandlers() throws Exception {
        begin(1, thread -> {
            held.await();
            return (request, early) -> OK;
        });
        Thread other = new Thread(lane::giveUp);
        other.start();
        assertNull(lane.awaitReady(LONG_NS), "the handler is not needed any more");
        other.join();
    }

    @Test
    void aStopRightAfterTheStartJoinsAll() throws Exception {
        for (int round = 0; round < 50; round++) {
            begin(4, thread -> (request, early) -> OK);
            lane.end();
            assertEquals(List.of(), lane.join(LONG_NS), "threads that did not end");
        }
    }

    @Test
    void jobsInTheQueueAreAnsweredBeforeThePills() throws Exception {
        begin(2, thread -> (request, early) -> OK);
        List<Job> jobs = submitted(CONNECTIONS_MAX);
        lane.end();
        assertEquals(List.of(), lane.join(LONG_NS), "threads that did not end");
        for (Job job : jobs) {
            assertSame(OK, job.response(), "the answer of slot " + job.slot());
        }
    }

    @Test
    @Timeout(20)
    void theJoinIsBoundedAndTellsWhoHasNotEnded() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        begin(3, thread -> (request, early) -> {
            inside.countDown();
            held.await();
            return OK;
        });
        assertNull(lane.awaitReady(LONG_NS));
        Job job = submitted(1).get(0);
        inside.await();
        lane.end();
        List<Integer> stragglers = lane.join(TimeUnit.MILLISECONDS.toNanos(50));
        while (stragglers.size() > 1) {
            stragglers = lane.join(TimeUnit.MILLISECONDS.toNanos(50));
        }
        assertEquals(1, stragglers.size(), "stragglers");
        held.countDown();
        assertEquals(List.of(), lane.join(LONG_NS), "threads that did not end");
        assertEquals(List.of(job.thread()), stragglers, "stragglers");
    }

    @Test
    void anErrorEndsItsThreadWhichClosesItsHandler() throws Exception {
        Error broken = new AssertionError("broken");
        begin(1, thread -> new JobHandler() {
            @Override
            public Response answer(Request request, EarlyAnswer early) {
                throw broken;
            }

            @Override
            public void close() {
                said.add("closed");
            }
        });
        Job job = answered(1).get(0);
        assertSame(broken, job.failure());
        assertEquals(List.of(), lane.join(LONG_NS), "threads that did not end");
        assertEquals(List.of("closed"), said);
    }

    @Test
    void whatAClosingThrowsIsTold() throws Exception {
        begin(1, thread -> new JobHandler() {
            @Override
            public Response answer(Request request, EarlyAnswer early) {
                return OK;
            }

            @Override
            public void close() {
                throw new IllegalStateException("still open");
            }
        });
        lane.end();
        assertEquals(List.of(), lane.join(LONG_NS), "threads that did not end");
        assertEquals(List.of("lane 0 thread 0 still open"), said);
    }

    @Test
    @Timeout(20)
    void aThreadThatWasInterruptedParksAllTheSame() throws Exception {
        List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        begin(1, thread -> {
            threads.add(Thread.currentThread());
            return (request, early) -> OK;
        });
        assertNull(lane.awaitReady(LONG_NS));
        Thread thread = threads.get(0);
        for (int round = 0; round < 20; round++) {
            thread.interrupt();
            while (thread.isInterrupted() || thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
            assertSame(OK, answered(1).get(0).response());
        }
    }

    @Test
    void noThreadKeepsTheProcess() throws Exception {
        List<Boolean> daemons = Collections.synchronizedList(new ArrayList<>());
        begin(1, thread -> {
            daemons.add(Thread.currentThread().isDaemon());
            return (request, early) -> OK;
        });
        assertNull(lane.awaitReady(LONG_NS));
        assertEquals(List.of(true), daemons, "whether the thread is a daemon");
    }

    private void begin(int threads, JobHandlers handlers) {
        LaneObserver observer = new LaneObserver() {
            @Override
            public void onCloseFailed(int ofLane, int thread, Throwable thrown) {
                said.add("lane " + ofLane + " thread " + thread + " " + thrown.getMessage());
            }
        };
        lane = new ThreadLane(new LaneConfig(7, 0, threads, CONNECTIONS_MAX, 0, 0), handlers,
                completions, Clock.SYSTEM, observer);
        lane.start();
    }

    private List<Job> submitted(int count) {
        List<Job> jobs = new ArrayList<>();
        for (int slot = 0; slot < count; slot++) {
            Job job = new Job(slot);
            job.begin(null);
            assertTrue(lane.trySubmit(job));
            jobs.add(job);
        }
        return jobs;
    }

    /** So many jobs, all out at once, when they have come back. */
    private List<Job> answered(int count) {
        submitted(count);
        List<Job> back = new ArrayList<>();
        while (back.size() < count) {
            Job job = completions.poll();
            if (job != null) {
                back.add(job);
            } else if (lane.lookAgainNs() == Lane.NEVER) {
                Thread.yield();
            }
        }
        return back;
    }

    private static String textOf(Job job) {
        Body.Bytes body = (Body.Bytes) job.response().body();
        return new String(body.array(), body.offset(), body.length(), StandardCharsets.UTF_8);
    }
}
