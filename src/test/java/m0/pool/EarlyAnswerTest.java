package m0.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import m0.http.Response;
import m0.pool.PoolWorker.Turn;
import org.junit.jupiter.api.Test;

/** Answers that are given before their handler returns, stepped by hand. */
class EarlyAnswerTest {
    private static final Response EARLY = Response.text(200, "early");
    private static final Response OTHER = Response.text(200, "other");
    private static final Response LATE = Response.text(200, "late");

    private final SteppedLane bench = new SteppedLane(2);

    @Test
    void theJobIsHomeWhileItsHandlerGoesOn() {
        Job job = bench.submit();
        List<Response> home = new ArrayList<>();
        bench.answerWith((request, early) -> {
            early.give(EARLY);
            if (bench.completions.poll() == job) {
                home.add(job.response());
            }
            return LATE;
        });
        assertEquals(Turn.WORKED, bench.step(1));
        assertEquals(List.of(EARLY), home, "what is home while the handler goes on");
        assertEquals(1, job.thread());
        assertNull(bench.completions.poll(), "it came back once more");
        assertSame(EARLY, job.response(), "what was given early");
    }

    /** The loop lends the job out again while the first handler still runs. */
    @Test
    void aJobThatIsLentOutAgainIsNotTouched() {
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            early.give(EARLY);
            bench.completions.poll().home();
            job.begin(null);
            assertTrue(bench.lane.trySubmit(job));
            bench.answerWith((next, unused) -> OTHER);
            throw new IllegalStateException("behind it");
        });
        assertEquals(Turn.WORKED, bench.step(0));
        assertNull(bench.completions.poll(), "nobody has answered it yet");
        assertNull(job.response());
        assertNull(job.failure(), "what the first one threw");
        assertEquals(1, bench.lane.waiting());
        assertEquals(Turn.WORKED, bench.step(1));
        assertSame(job, bench.completions.poll());
        assertSame(OTHER, job.response(), "the second one's own answer");
        assertNull(job.failure());
    }

    @Test
    void nothingNeedBeReturnedBehindIt() {
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            early.give(EARLY);
            return null;
        });
        assertEquals(Turn.WORKED, bench.step(0));
        assertSame(job, bench.completions.poll());
        assertSame(EARLY, job.response());
        assertNull(job.failure());
        assertEquals(List.of(), bench.said);
    }

    @Test
    void whatIsThrownBehindItIsToldAndTheThreadGoesOn() {
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            early.give(EARLY);
            Thread.currentThread().interrupt();
            throw new Exception("too late");
        });
        assertEquals(Turn.WORKED, bench.step(1));
        assertFalse(Thread.interrupted(), "the interrupt is still there");
        assertEquals(List.of("lane 0 thread 1 too late"), bench.said, "what the observer was told");
        assertSame(job, bench.completions.poll());
        assertNull(job.failure());
        assertNull(bench.completions.poll());
        bench.answerWith((request, early) -> OTHER);
        Job next = bench.submit();
        assertEquals(Turn.WORKED, bench.step(1));
        assertSame(OTHER, next.response());
    }

    @Test
    void anErrorBehindItEndsTheThreadAndTheLoop() {
        Error broken = new AssertionError("broken");
        bench.submit();
        bench.answerWith((request, early) -> {
            early.give(EARLY);
            bench.completions.poll().home();
            throw broken;
        });
        assertEquals(Turn.ENDED, bench.step(0), "what the turn came to");
        assertFalse(bench.completions.isEmpty(), "the loop would not look");
        assertSame(broken, assertThrows(AssertionError.class, bench.completions::poll));
        assertEquals(List.of(), bench.said);
    }

    @Test
    void itIsGivenOnce() {
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            early.give(EARLY);
            assertThrows(IllegalStateException.class, () -> early.give(LATE));
            return LATE;
        });
        assertEquals(Turn.WORKED, bench.step(0));
        assertEquals(List.of(), bench.said);
        assertSame(job, bench.completions.poll());
        assertSame(EARLY, job.response());
        assertNull(bench.completions.poll(), "a second answer");
    }

    @Test
    void whoKeepsItGivesNothingLater() {
        List<EarlyAnswer> kept = new ArrayList<>();
        bench.submit();
        bench.answerWith((request, early) -> {
            kept.add(early);
            return LATE;
        });
        bench.step(0);
        bench.completions.poll().home();
        assertThrows(IllegalStateException.class, () -> kept.get(0).give(EARLY));
        assertNull(bench.completions.poll());
    }

    @Test
    void anotherThreadGivesItWhileTheHandlerWaits() {
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            Thread other = new Thread(() -> early.give(EARLY));
            other.start();
            other.join();
            assertSame(job, bench.completions.poll(), "what has come back meanwhile");
            return OTHER;
        });
        bench.step(0);
        assertSame(EARLY, job.response());
    }

    @Test
    void neitherNothingNorADeferredAnswerIsGivenAndTheJobStays() {
        Job job = bench.submit();
        bench.answerWith((request, early) -> {
            assertThrows(NullPointerException.class, () -> early.give(null));
            assertThrows(IllegalStateException.class, () -> early.give(Response.deferred()));
            assertNull(bench.completions.poll(), "the job has gone");
            return OTHER;
        });
        bench.step(0);
        assertSame(OTHER, job.response());
    }

    @Test
    void itAllocatesNothing() {
        bench.answerWith((request, early) -> {
            early.give(EARLY);
            return null;
        });
        Job job = bench.job();
        answer(job, 20_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        answer(job, 10_000);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < 10_000, () -> "bytes=" + bytes + " for 10000 jobs");
    }

    private void answer(Job job, int times) {
        for (int time = 0; time < times; time++) {
            job.begin(null);
            bench.lane.trySubmit(job);
            bench.step(0);
            bench.completions.poll().home();
        }
    }
}
