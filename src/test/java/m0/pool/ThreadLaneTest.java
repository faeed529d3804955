package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import m0.http.Response;
import m0.pool.PoolWorker.Turn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What becomes of jobs, stepped by hand. */
class ThreadLaneTest {
    private static final long MS = 1_000_000L;
    private static final Response OK = Response.text(200, "ok");

    @Test
    void aJobComesBackWithItsAnswerAndSaysWhoGaveIt() {
        SteppedLane bench = new SteppedLane(2);
        Job job = bench.submit();
        assertEquals(1, bench.lane.waiting());
        assertTrue(bench.completions.isEmpty());
        bench.clock.nowNs += 3 * MS;
        assertEquals(Turn.WORKED, bench.step(1));
        assertSame(job, bench.completions.poll(), "the job that came back");
        assertEquals(200, job.response().status());
        assertNull(job.failure());
        assertEquals(1, job.thread(), "the thread that answered");
        assertEquals(3 * MS, job.waitedNs());
        assertEquals(0, bench.lane.waiting());
    }

    @Test
    void whatTheHandlerThrowsComesBackAndTheThreadGoesOn() {
        SteppedLane bench = new SteppedLane(1);
        Exception thrown = new Exception("no");
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            throw thrown;
        });
        assertEquals(Turn.WORKED, bench.step(0));
        assertSame(job, bench.completions.poll());
        assertSame(thrown, job.failure());
        assertNull(job.response());
        bench.answerWith((request, early) -> OK);
        bench.submit();
        assertEquals(Turn.WORKED, bench.step(0));
    }

    @Test
    void anErrorComesBackAndEndsTheThread() {
        SteppedLane bench = new SteppedLane(1);
        Error thrown = new AssertionError("broken");
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            throw thrown;
        });
        assertEquals(Turn.ENDED, bench.step(0), "what the turn came to");
        assertSame(job, bench.completions.poll());
        assertSame(thrown, job.failure());
    }

    @Test
    void noResponseIsAFailure() {
        SteppedLane bench = new SteppedLane(1);
        Job job = bench.submit();
        bench.answerWith((request, early) -> null);
        assertEquals(Turn.WORKED, bench.step(0));
        Throwable failure = assertInstanceOf(IllegalStateException.class, job.failure(),
                "what no response is");
        assertEquals("the handler returned no response", failure.getMessage());
    }

    @Test
    void anInterruptIsNotLeftToTheNextJob() {
        SteppedLane bench = new SteppedLane(1);
        bench.submit();
        bench.answerWith((request, early) -> {
            Thread.currentThread().interrupt();
            throw new InterruptedException();
        });
        assertEquals(Turn.WORKED, bench.step(0));
        assertFalse(Thread.interrupted(), "the interrupt is still there");
    }

    @Test
    void aJobObjectIsUsedAgain() {
        SteppedLane bench = new SteppedLane(1);
        Job job = bench.submit();
        bench.answerWith((request, early) -> null);
        bench.step(0);
        bench.completions.poll().home();
        job.begin(null);
        assertNull(job.failure());
        assertTrue(bench.lane.trySubmit(job));
        bench.answerWith((request, early) -> OK);
        bench.step(0);
        assertSame(OK, job.response());
        assertNull(job.failure());
    }

    @Test
    void aRecalledJobIsNotAnsweredAndStillComesBack() {
        SteppedLane bench = new SteppedLane(1);
        Job job = bench.submit();
        Job behind = bench.submit();
        assertEquals(2, bench.waitingTold);
        assertTrue(job.tryRecall());
        assertFalse(job.tryRecall(), "once");
        assertEquals(1, bench.lane.waiting(), "a recalled job does not wait");
        assertEquals(1, bench.waitingTold);
        bench.answerWith((request, early) -> {
            throw new AssertionError("it was answered");
        });
        assertEquals(Turn.WORKED, bench.step(0), "a recalled job ends nobody");
        assertSame(job, bench.completions.poll());
        assertNull(job.response());
        assertNull(job.failure());
        assertEquals(-1, job.thread());
        job.home();
        assertEquals(1, bench.lane.waiting(), "the recalled one is home, the other waits");
        bench.answerWith((request, early) -> OK);
        assertEquals(Turn.WORKED, bench.step(0));
        assertSame(OK, behind.response());
        assertEquals(0, bench.waitingTold);
        assertEquals(0, bench.lane.waiting());
    }

    @Test
    void aJobThatAThreadHasCannotBeRecalled() {
        SteppedLane bench = new SteppedLane(1);
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            assertFalse(job.tryRecall(), "a thread has it");
            return OK;
        });
        bench.step(0);
        assertFalse(job.tryRecall(), "it is on its way back");
        assertSame(OK, job.response());
        bench.completions.poll().home();
        assertFalse(job.tryRecall(), "it is at home");
    }

    @Test
    void aJobThatHasWaitedTooLongIsNotAnswered() {
        SteppedLane bench = new SteppedLane(1, 0, 50 * MS);
        Job late = bench.submit();
        bench.clock.nowNs += 1;
        Job inTime = bench.submit();
        bench.clock.nowNs += 50 * MS;
        assertEquals(Turn.WORKED, bench.step(0));
        assertSame(late, bench.completions.poll());
        assertNull(late.response(), "the answer of the one that waited too long");
        assertNull(late.failure());
        assertEquals(-1, late.thread());
        assertEquals(50 * MS + 1, late.waitedNs());
        assertEquals(Turn.WORKED, bench.step(0));
        assertEquals(200, inTime.response().status());
        assertEquals(0, bench.lane.waiting());
        assertEquals(0, bench.waitingTold);
    }

    @Test
    void withoutADeadlineAJobWaitsForEver() {
        SteppedLane bench = new SteppedLane(1);
        Job job = bench.submit();
        bench.clock.nowNs += 3_600_000 * MS;
        bench.step(0);
        assertEquals(200, job.response().status());
    }

    @Test
    void beyondTheBoundOfTheQueueAJobIsRefusedAndNothingHasChanged() {
        SteppedLane bench = new SteppedLane(1, 2, 0);
        bench.submit();
        bench.work(0, () -> {
            bench.submit();
            bench.submit();
            Job refused = bench.job();
            assertFalse(bench.lane.trySubmit(refused), "two wait already");
            assertEquals(2, bench.lane.waiting());
            assertEquals(2, bench.waitingTold);
        });
        bench.step(0);
        bench.submit();
        bench.step(0);
        bench.step(0);
        assertEquals(Turn.LOOKED, bench.step(0), "the refused job was queued");
    }

    /** Two free threads take a job each, and so two more may wait than may otherwise. */
    @Test
    void theBoundCountsWhoWaitsBeyondTheFreeThreads() {
        SteppedLane bench = new SteppedLane(2, 1, 0);
        bench.park(0);
        bench.park(1);
        bench.submit();
        bench.submit();
        bench.submit();
        assertFalse(bench.lane.trySubmit(bench.job()), "one waits beyond the two free threads");
    }

    @Test
    void whatWasRecalledTakesNobodysPlaceInTheQueue() {
        SteppedLane bench = new SteppedLane(1, 1, 0);
        Job recalled = bench.submit();
        assertFalse(bench.lane.trySubmit(bench.job()));
        assertTrue(recalled.tryRecall());
        bench.submit();
    }

    @Test
    @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
    void everyConnectionAndEveryPillHasAPlace() {
        SteppedLane bench = new SteppedLane(4);
        for (int job = 0; job < SteppedLane.CONNECTIONS_MAX; job++) {
            bench.submit();
        }
        bench.lane.end();
        for (int job = 0; job < SteppedLane.CONNECTIONS_MAX; job++) {
            assertEquals(Turn.WORKED, bench.step(job % 4));
            assertEquals(job, bench.completions.poll().slot(), "in the order of their coming");
        }
        for (int thread = 0; thread < 4; thread++) {
            assertEquals(Turn.ENDED, bench.step(thread), "a pill for each thread");
        }
    }

    @Test
    void pillsWakeEveryParkedThread() {
        SteppedLane bench = new SteppedLane(3);
        for (int thread = 0; thread < 3; thread++) {
            bench.park(thread);
        }
        bench.lane.end();
        assertEquals(List.of(2, 1, 0), bench.woken(), "who was woken");
        bench.lane.end();
        assertEquals(List.of(), bench.woken(), "who was woken the second time");
        for (int thread = 0; thread < 3; thread++) {
            assertEquals(Turn.ENDED, bench.step(thread), "a pill for each thread");
        }
    }
}
