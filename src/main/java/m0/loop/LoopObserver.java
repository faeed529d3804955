package m0.loop;

/** What a loop tells about its environment. Threads: that loop's. */
public interface LoopObserver {
    /** Accepting failed for want of descriptors; said once until it has worked again. */
    void onAcceptFailed(int loop, String message);

    /** The drain's bound has passed with that many connections still at work; they are cut. */
    void onDrainCut(int loop, int connections);
}
