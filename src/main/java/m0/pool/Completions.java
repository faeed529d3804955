package m0.pool;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import m0.http.Body;
import m0.http.Response;
import m0.loop.Waker;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * The jobs that have come back to one loop, from all of its lanes.
 *
 * <p>Threads: {@link #push} and {@link #fail} any pool thread, {@link #waker} any, the rest the
 * loop's. Limits: one job for each connection is out at most, so a queue as large as there are
 * connections cannot fill. Behind {@link #end} whoever brings a job back drops its answer.
 */
public final class Completions {
    private final int connectionsMax;
    private final Waker waker;
    /** What is to end the loop; the first that a pool thread has left, or null. */
    private final AtomicReference<Error> fatal = new AtomicReference<>();
    /** Null until the first job goes out; written by the loop, before any other thread has a job. */
    private ManyToOneConcurrentArrayQueue<Job> jobs;
    /** Null as long as there is a loop; set by it as its last act, read by whoever pushes. */
    private volatile Consumer<RuntimeException> over;

    /**
     * @param connectionsMax the connections of the loop
     * @param waker the loop's
     */
    public Completions(int connectionsMax, Waker waker) {
        this.connectionsMax = connectionsMax;
        this.waker = waker;
    }

    /** Makes the queue, once: a loop that lends no job out does not pay for one. */
    public void open() {
        if (jobs == null) {
            jobs = new ManyToOneConcurrentArrayQueue<>(Math.max(2, connectionsMax));
        }
    }

    /** Gives the job, and all that belongs to it, back to the loop. The last act on it. */
    public void push(Job job) {
        if (!jobs.offer(job)) {
            throw new IllegalStateException("completions=" + jobs.size() + " are full");
        }
        waker.wake();
        // The offer is seen before this is read: waking has put a fence between the two.
        if (over != null) {
            dropAll();
        }
    }

    /**
     * The loop has ended, and nobody takes what comes back. What lies here and what comes behind is
     * dropped: its source is closed and its deferral forgone, on the thread that brings it, so that
     * a writer learns that nobody sends what it writes.
     *
     * @param tells what a source or a deferral throws at that
     */
    public void end(Consumer<RuntimeException> tells) {
        over = tells;
        dropAll();
    }

    private synchronized void dropAll() {
        Job job = jobs == null ? null : jobs.poll();
        while (job != null) {
            try {
                drop(job.response());
            } catch (RuntimeException thrown) {
                over.accept(thrown);
            }
            job = jobs.poll();
        }
    }

    private static void drop(Response unused) {
        if (unused == null) {
            return;
        }
        if (unused.body() instanceof Body.Chunks chunks) {
            chunks.source().close();
        } else if (unused.body() instanceof Body.Later later) {
            drop(later.deferred().forgo());
            later.deferred().tellGone();
        }
    }

    /** Ends the loop by an error that no job can bring back, since it has gone home before. */
    void fail(Error thrown) {
        fatal.compareAndSet(null, thrown);
        waker.wake();
    }

    /** Wakes the loop, for whatever else other threads leave for it. */
    public Waker waker() {
        return waker;
    }

    public boolean isEmpty() {
        return (jobs == null || jobs.isEmpty()) && fatal.get() == null;
    }

    /**
     * The next job that has come back, or null.
     *
     * @throws Error that of a pool thread whose job came back before it: nobody replaces the thread
     */
    public Job poll() {
        Error thrown = fatal.get();
        if (thrown != null) {
            throw thrown;
        }
        return jobs == null ? null : jobs.poll();
    }
}
