package m0.loop;

/** What a loop tells about its environment. Threads: that loop's. */
public interface LoopObserver {
    /** Accepting failed for want of descriptors; said once until it has worked again. */
    void onAcceptFailed(int loop, String message);

    /** The drain's bound, so long, has passed with that many connections still at work; they are cut. */
    void onDrainCut(int loop, int connections, long boundNs);

    /** The drain is over; so many accepted connections went to siblings and came from them. */
    void onShared(int loop, long passed, long received);

    /** The drain is over; so often was a connection left to other processes. */
    void onStoodBack(int loop, long times);

    /** Whether {@link #onPass} is wanted; asked once, when the loop is built. */
    default boolean wantsPasses() {
        return false;
    }

    /** A pass is over, which took so long without its waiting; called only where wanted. */
    default void onPass(int loop, long durationNs) { }
}
