package m0.pool;

import m0.loop.Clock;

/**
 * Which threads of a lane have their handler: one monitor, one condition.
 *
 * <p>Threads: any.
 */
final class LaneMuster {
    private final boolean[] ready;
    private final Clock clock;
    private int readyCount;
    private Shortfall shortfall;
    private boolean givenUp;

    LaneMuster(int threads, Clock clock) {
        ready = new boolean[threads];
        this.clock = clock;
    }

    synchronized void ready(int thread) {
        ready[thread] = true;
        readyCount++;
        notifyAll();
    }

    /** That thread's handler could not be made; the first is kept. */
    synchronized void failed(int thread, Throwable cause) {
        if (shortfall == null) {
            shortfall = new Shortfall(thread, cause);
        }
        notifyAll();
    }

    synchronized void giveUp() {
        givenUp = true;
        notifyAll();
    }

    /** As {@link Lane#awaitReady}. */
    synchronized Shortfall await(long boundNs) throws InterruptedException {
        BoundedWait bound = new BoundedWait(clock, boundNs);
        while (!givenUp && shortfall == null && readyCount < ready.length && !bound.isOver()) {
            bound.waitOn(this);
        }
        if (givenUp || readyCount == ready.length) {
            return null;
        }
        return shortfall == null ? new Shortfall(firstUnready(), null) : shortfall;
    }

    private int firstUnready() {
        int thread = 0;
        while (ready[thread]) {
            thread++;
        }
        return thread;
    }
}
