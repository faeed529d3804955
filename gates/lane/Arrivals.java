package lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.RawClient;
import kit.ServerProcess;

/**
 * When the next answer on each of several connections began to arrive, seen by looking at all of
 * them again and again; it leaves the answers to be read.
 *
 * <p>Limits: a millisecond's resolution on a quiet machine; what arrives between two looks counts as
 * at once.
 */
final class Arrivals {
    private final long sinceNs;
    private final long[] atNs;

    private Arrivals(long sinceNs, int connections) {
        this.sinceNs = sinceNs;
        atNs = new long[connections];
    }

    /**
     * Looks until an answer has begun on each.
     *
     * @param sinceNs what {@link #ms} counts from, on {@link System#nanoTime}
     */
    static Arrivals await(long sinceNs, List<RawClient> connections, Duration bound) {
        var arrivals = new Arrivals(sinceNs, connections.size());
        long untilNs = System.nanoTime() + bound.toNanos();
        List<Integer> missing = new ArrayList<>();
        for (int index = 0; index < connections.size(); index++) {
            missing.add(index);
        }
        while (!missing.isEmpty()) {
            missing.removeIf(index -> arrivals.sees(index, connections.get(index)));
            if (!missing.isEmpty() && System.nanoTime() - untilNs > 0) {
                throw new AssertionError("no answer within " + bound.toMillis()
                        + " ms on connections " + missing + " of " + connections.size());
            }
            ServerProcess.pause(1);
        }
        return arrivals;
    }

    private boolean sees(int index, RawClient connection) {
        if (!connection.hasBytes()) {
            return false;
        }
        atNs[index] = System.nanoTime();
        return true;
    }

    /** Milliseconds until the answer of that connection began. */
    long ms(int index) {
        return (atNs[index] - sinceNs) / 1_000_000;
    }

    /** How many of the others were seen to begin before that connection's. */
    int before(int index) {
        int count = 0;
        for (long each : atNs) {
            if (each < atNs[index]) {
                count++;
            }
        }
        return count;
    }
}
