package m0.bus;

/**
 * The frames that wait for one loop, and what it lost.
 *
 * <p>Threads: {@link #refused} any, the rest the loop's.
 */
public interface FrameSource {
    /**
     * Whether the loop has nothing to take: neither a frame nor a loss that it was not told of. A
     * loop that waits must have asked since it last took some, and behind its parked flag: what is
     * published after a yes wakes it.
     */
    boolean isEmpty();

    /**
     * Hands over at most {@code framesMax} frames, and what was lost among and behind them.
     *
     * @return how many frames that were
     */
    int poll(FrameSink to, int framesMax);

    /** Frames that found no room so far. */
    long refused();
}
