package m0.host;

/**
 * When the producer's next step is due: at a fixed rate, never catching up.
 *
 * <pre>
 * due     |       |       |       |       |       |        period p
 * step    [==]    [===========]           [==]             the third slot passed during the second
 *                                         [==]             step, so nothing is done for it
 * </pre>
 *
 * <p>Each step names the time from its own scheduled start to the next one's. Threads: the
 * producer's. It reads no clock.
 */
final class ProducerSchedule {
    /** The longest single wait, so that a stop is seen soon. */
    static final long SLICE_NS = 50_000_000L;
    /** A century; longer periods would overflow the difference of two times. */
    private static final long PERIOD_NS_MAX = 100L * 365 * 24 * 3600 * 1_000_000_000L;

    private long dueNs;

    /** The first step is due at that time. */
    ProducerSchedule(long nowNs) {
        dueNs = nowNs;
    }

    /** How long to wait before looking again; 0: the step is due. */
    long waitNs(long nowNs) {
        return Math.max(0, Math.min(dueNs - nowNs, SLICE_NS));
    }

    /**
     * The step that was due is done.
     *
     * @param periodNs from its scheduled start to the next one's; 0 or less: at once
     * @param nowNs after the step
     */
    void stepped(long periodNs, long nowNs) {
        if (periodNs <= 0) {
            dueNs = nowNs;
            return;
        }
        long period = Math.min(periodNs, PERIOD_NS_MAX);
        dueNs += period;
        long lateNs = nowNs - dueNs;
        if (lateNs > 0) {
            long slotsPassed = (lateNs + period - 1) / period;
            dueNs += slotsPassed * period;
        }
    }
}
