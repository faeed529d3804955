package m0.pool;

/**
 * Told what a lane does, for metrics and the log.
 *
 * <p>Threads: each method is called on the thread that did it, the loop's or a pool thread's.
 */
public interface LaneObserver {
    /** Wants to hear nothing. */
    LaneObserver NONE = new LaneObserver() { };

    /** So many more jobs wait for a thread of that lane: 1 or −1. */
    default void onWaiting(int lane, int change) { }

    /** A handler threw behind the answer that it had given early: nobody gets another. */
    default void onThrowBehindAnswer(int lane, int thread, Throwable thrown) { }

    /** The executor of a lane threw something else than a refusal; the job counts as refused. */
    default void onExecutorFailed(int lane, Throwable thrown) { }

    /** A handler threw as it was closed, which is the last that its thread does. */
    default void onCloseFailed(int lane, int thread, Throwable thrown) { }
}
