package m0.host;

import m0.loop.Clock;
import m0.pool.BoundedWait;

/**
 * What the loops' threads and their coordinator tell each other: one monitor, one condition.
 *
 * <pre>
 *              all ready            a stop was asked for, or a loop failed
 *   building ------------> serving ------------------------> ending
 *       |                                                      ^
 *       +------------------------------------------------------+
 *         a loop failed, or a stop was asked for
 * </pre>
 *
 * <p>No loop serves before every loop has its handler: one whose application refuses must not find
 * that its siblings have answered requests meanwhile.
 *
 * <p>A monitor, and not a pipe: the JVM runs a signal's handler on an ordinary thread, so nothing
 * forbids locks there, and a wait on a monitor can be bounded.
 *
 * <p>Threads: any.
 */
final class Muster {
    /** What a loop's thread was at when it failed. */
    enum Stage {
        /** Its lanes' threads were started. */
        LANES,
        /** Its own handler was made. */
        MAKE,
        /** It waited for those of its lanes' threads. */
        LANES_MAKE,
        /** Its handler was asked for its interval. */
        TICK_MS,
        /** Its selector was opened. */
        OPEN,
        /** It served. */
        SERVE
    }

    /**
     * A loop that could not begin, or did not go on.
     *
     * @param lane the lane of that thread
     * @param thread the pool thread whose handler is missing or which threw, or −1
     * @param cause null where a handler is still being made
     * @param asked the request that the application was answering, in words, or null
     */
    record LoopFailure(int loop, int lane, int thread, Stage stage, Throwable cause,
            String asked) {
    }

    private enum Phase { BUILDING, SERVING, ENDING }

    private final int first;
    private final boolean[] ready;
    private final boolean[] ended;
    private Phase phase = Phase.BUILDING;
    /** Whether the loops were ever let serve. */
    private boolean opened;
    private int readyCount;
    private int endedCount;
    private LoopFailure failure;

    Muster(int loops) {
        this(0, loops);
    }

    /** @param first the number of the first loop */
    Muster(int first, int loops) {
        this.first = first;
        ready = new boolean[loops];
        ended = new boolean[loops];
    }

    /**
     * Says that this loop's handler exists, and waits for the others'.
     *
     * @return whether to serve; false: leave, nothing was begun
     */
    synchronized boolean awaitServing(int loop) throws InterruptedException {
        ready[loop - first] = true;
        readyCount++;
        notifyAll();
        while (phase == Phase.BUILDING) {
            wait();
        }
        return phase == Phase.SERVING;
    }

    /** A loop's end by a throw; the first is kept. */
    synchronized void failed(LoopFailure failed) {
        if (failure == null) {
            failure = failed;
        }
        phase = Phase.ENDING;
        notifyAll();
    }

    /** A loop's thread is through, and nobody takes its place. */
    synchronized void ended(int loop) {
        phase = Phase.ENDING;
        ended[loop - first] = true;
        endedCount++;
        notifyAll();
    }

    /** A stop is wanted. */
    synchronized void askStop() {
        phase = Phase.ENDING;
        notifyAll();
    }

    /**
     * Waits until every loop has its handler; false if a loop failed or a stop came first, or if so
     * long has passed, and then {@link #firstUnready} says which loop it was.
     */
    synchronized boolean awaitReady(long boundNs) throws InterruptedException {
        BoundedWait bound = new BoundedWait(Clock.SYSTEM, boundNs);
        while (phase == Phase.BUILDING && readyCount < ready.length && !bound.isOver()) {
            bound.waitOn(this);
        }
        return phase == Phase.BUILDING && readyCount == ready.length;
    }

    /** The first loop that is still building, or −1 if none is or the building is given up. */
    synchronized int firstUnready() {
        for (int loop = 0; loop < ready.length && phase == Phase.BUILDING; loop++) {
            if (!ready[loop]) {
                return first + loop;
            }
        }
        return -1;
    }

    /** Lets the loops serve; false if a stop came first. */
    synchronized boolean open() {
        if (phase == Phase.BUILDING) {
            phase = Phase.SERVING;
            opened = true;
            notifyAll();
        }
        return phase == Phase.SERVING;
    }

    /** Whether the building was given up: nothing was served, and nothing will be. */
    synchronized boolean isGivenUp() {
        return phase == Phase.ENDING && !opened;
    }

    /** Waits until a stop was asked for or a loop has failed. */
    synchronized void awaitEnding() throws InterruptedException {
        while (phase != Phase.ENDING) {
            wait();
        }
    }

    /** Waits until every loop has ended or so long has passed; whether all have. */
    synchronized boolean awaitEnded(long boundNs) throws InterruptedException {
        BoundedWait bound = new BoundedWait(Clock.SYSTEM, boundNs);
        while (endedCount < ended.length && !bound.isOver()) {
            bound.waitOn(this);
        }
        return endedCount == ended.length;
    }

    /** Waits for a failure, so long at most; whether there is one. */
    synchronized boolean awaitFailure(long boundNs) throws InterruptedException {
        BoundedWait bound = new BoundedWait(Clock.SYSTEM, boundNs);
        while (failure == null && !bound.isOver()) {
            bound.waitOn(this);
        }
        return failure != null;
    }

    /** The first failure, or null. */
    synchronized LoopFailure failure() {
        return failure;
    }

    synchronized boolean hasEnded(int loop) {
        return ended[loop - first];
    }
}
