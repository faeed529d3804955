package m0.pool;

import m0.loop.Clock;

/**
 * A wait on a monitor that has an end: made as it begins, and waited on as often as whoever waits is
 * woken for nothing.
 *
 * <pre>
 * BoundedWait bound = new BoundedWait(clock, boundNs);
 * while (!ready &amp;&amp; !bound.isOver()) {
 *     bound.waitOn(this);
 * }
 * </pre>
 *
 * <p>Threads: the one that waits, which holds the monitor.
 */
public final class BoundedWait {
    private static final long NS_PER_MS = 1_000_000L;

    private final Clock clock;
    private final long boundNs;
    private final long sinceNs;
    private long leftNs;

    public BoundedWait(Clock clock, long boundNs) {
        this.clock = clock;
        this.boundNs = boundNs;
        sinceNs = clock.nanoTime();
        leftNs = boundNs;
    }

    /** Whether so long has passed. */
    public boolean isOver() {
        return leftNs <= 0;
    }

    /** Waits until somebody notifies, or for what is left; not where that {@link #isOver is} none. */
    public void waitOn(Object monitor) throws InterruptedException {
        monitor.wait(leftNs / NS_PER_MS, (int) (leftNs % NS_PER_MS));
        leftNs = boundNs - (clock.nanoTime() - sinceNs);
    }
}
