package m0.loop;

/** What one channel's events go to. Threads: the loop's. */
public interface ReadyWork {
    /** The channel is ready for what was asked for, or has failed, which reads and writes tell. */
    void onReady(boolean readable, boolean writable);
}
