package m0.loop;

/**
 * What a server's threads know about its stop.
 *
 * <p>Threads: {@link #boundDrain} by the coordinator, {@link #ask} by it and by a loop as its drain
 * begins, the rest by any.
 */
public final class StopWord {
    /** Written by the coordinator, read by every loop; volatile so that the next answer sees it. */
    private volatile boolean asked;

    /** What a stop brought with it for the drain, or −1; written before the drain is asked for. */
    private volatile long drainBoundNs = -1;

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
    public synchronized void stampDrain(long nowNs) {
        if (drainSinceNs == 0) {
            drainSinceNs = nowNs == 0 ? 1 : nowNs;
        }
    }

    /** The drain is to take no longer than that, whatever the loops were made with. */
    public void boundDrain(long boundNs) {
        drainBoundNs = boundNs;
    }

    /** How long the drain may take: what the stop said, or else {@code byDefaultNs}. */
    public long drainBoundNs(long byDefaultNs) {
        long bound = drainBoundNs;
        return bound < 0 ? byDefaultNs : bound;
    }

    long drainSinceNs() {
        return drainSinceNs;
    }

    /** Whether a drain has been asked for: the time to stop what is no request. */
    public boolean isDrainAsked() {
        return drainSinceNs != 0;
    }

    /** How much of a bound that runs from the drain's stamp is left: all of it without a stamp. */
    public long leftOf(long boundNs, long nowNs) {
        long since = drainSinceNs;
        return since == 0 ? boundNs : Math.max(0, boundNs - (nowNs - since));
    }

    /** Nanoseconds since the drain's stamp, 0 without one. */
    public long drainedForNs(long nowNs) {
        long since = drainSinceNs;
        return since == 0 ? 0 : nowNs - since;
    }
}
