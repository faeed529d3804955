package m0.host;

import java.util.ArrayDeque;

/**
 * How often workers that died are replaced, and when dying at once has to end it all.
 *
 * <p>A budget is a rate: so many replacements within any hour, the oldest coming back as it gets an
 * hour old. One over a whole life would be used up by a host that loses a worker a day. A death is
 * at once if the worker had not served for {@value #AT_ONCE_MS} ms, be it that it never began to;
 * and as many of those with no other between them say that the next would end likewise.
 *
 * <p>Threads: the supervising one. Limits: {@value #PER_WORKER} replacements an hour for each worker
 * there is to be; {@value #AT_ONCE_MAX} deaths at once.
 */
final class Succession {
    static final int PER_WORKER = 10;
    static final int AT_ONCE_MAX = 5;
    static final long AT_ONCE_MS = 1000;

    private static final long NS_PER_MS = 1_000_000L;
    private static final long HOUR_NS = 3_600_000L * NS_PER_MS;

    private final int most;
    /** When the replacements of the last hour were taken. */
    private final ArrayDeque<Long> taken = new ArrayDeque<>();
    private int atOnce;
    /** How many of the last never served. */
    private int unserved;

    Succession(int workers) {
        most = PER_WORKER * workers;
    }

    /**
     * Counts a death.
     *
     * @param servedNs how long that worker had served, 0 where it never did
     */
    void died(long servedNs) {
        atOnce = servedNs < AT_ONCE_MS * NS_PER_MS ? atOnce + 1 : 0;
        unserved = servedNs == 0 ? unserved + 1 : 0;
    }

    /** Whether there is no sense in replacing anybody any more. */
    boolean isHopeless() {
        return atOnce >= AT_ONCE_MAX;
    }

    /** What the last deaths at once have in common, in words. */
    String row() {
        return atOnce + " workers in a row ended " + (unserved == atOnce ? "before they served"
                : "within " + AT_ONCE_MS + " ms of serving, or before");
    }

    /** Takes one replacement of the budget, if there is one. */
    boolean tryTake(long nowNs) {
        forgetBefore(nowNs - HOUR_NS);
        if (taken.size() >= most) {
            return false;
        }
        taken.addLast(nowNs);
        return true;
    }

    /** How long until the next replacement may be taken; 0 where one may be taken now. */
    long waitNs(long nowNs) {
        forgetBefore(nowNs - HOUR_NS);
        return taken.size() < most ? 0 : taken.peekFirst() + HOUR_NS - nowNs;
    }

    private void forgetBefore(long ns) {
        while (!taken.isEmpty() && taken.peekFirst() - ns <= 0) {
            taken.pollFirst();
        }
    }

    /** Replacements that any hour may have. */
    int most() {
        return most;
    }
}
