package m0.loop;

/**
 * What a server's threads know about its stop.
 *
 * <p>Threads: {@link #ask} by the coordinator and by a loop as its drain begins, the rest by any.
 */
public final class StopWord {
    /** Written by the coordinator, read by every loop; volatile so that the next answer sees it. */
    private volatile boolean asked;

    /** When the drain was asked for, or 0; written once by whoever asks, read by every loop. */
    private volatile long drainSinceNs;

    /** A stop was asked for: not ready any more, each answer closes, nothing else changes yet. */
    public void ask() {
        asked = true;
    }

    public boolean asked() {
        return asked;
    }

    /** A drain is to begin, and its bound runs from that time on; the first one stays. */
    synchronized void stampDrain(long nowNs) {
        if (drainSinceNs == 0) {
            drainSinceNs = nowNs == 0 ? 1 : nowNs;
        }
    }

    long drainSinceNs() {
        return drainSinceNs;
    }
}
