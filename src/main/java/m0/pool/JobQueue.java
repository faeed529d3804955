package m0.pool;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/**
 * The jobs of one lane, from its loop to whichever thread is free, first in, first out.
 *
 * <p>Threads: {@link #put} the loop's, the rest any. Limits: as many jobs as the loop has
 * connections, and one pill for each thread, so it is never full.
 */
final class JobQueue {
    private final ManyToManyConcurrentArrayQueue<Job> jobs;

    JobQueue(int connectionsMax, int threads) {
        jobs = new ManyToManyConcurrentArrayQueue<>(connectionsMax + threads);
    }

    /** Queues it; after this the caller may look who is parked. */
    void put(Job job) {
        while (!jobs.offer(job)) {
            // A thread has been stopped between taking a place and clearing it, and the others have
            // been round the whole queue since: what is left for it to do is one store.
            Thread.yield();
        }
        VarHandle.fullFence();
    }

    /** The oldest, or null. */
    Job take() {
        return jobs.poll();
    }

    /** The oldest, or null; some thread may have taken it since. */
    Job peek() {
        return jobs.peek();
    }

    boolean isEmpty() {
        return jobs.isEmpty();
    }

    /** How many there are: exact on the loop's thread, on others perhaps less what comes just now. */
    int count() {
        long added = jobs.addedCount();
        return (int) Math.max(0, added - jobs.removedCount());
    }
}
