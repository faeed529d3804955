package m0.loop;

/**
 * What a server's threads know about its stop.
 *
 * <p>Threads: {@link #ask} by the coordinator, {@link #stamp} by a loop as its drain begins, the
 * rest by any.
 */
public final class StopWord {
    /** Written by the coordinator, read by every loop; volatile so that the next answer sees it. */
    private volatile boolean asked;
    /** When the first drain began, or 0; written once by a loop, read by the joins. */
    private volatile long stampNs;

    /** A stop was asked for: not ready any more, each answer closes, nothing else changes yet. */
    public void ask() {
        asked = true;
    }

    public boolean asked() {
        return asked;
    }

    /** The drain has begun; the first stamp stays. */
    public synchronized void stamp(long nowNs) {
        if (stampNs == 0) {
            stampNs = nowNs == 0 ? 1 : nowNs;
        }
    }

    /** When the first drain began on {@link Clock#nanoTime}, or 0 if none has. */
    public long stampNs() {
        return stampNs;
    }
}
