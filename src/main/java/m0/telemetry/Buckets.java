package m0.telemetry;

import m0.page.LoopCounters;

/**
 * How times are sorted into a histogram: the same bounds for all, from 10 µs to 10 s.
 *
 * <p>In the page each time is counted in one bucket alone, and added to the sum. Whoever reads adds
 * the buckets up, so that what is said to be below a bound never exceeds what there was in all.
 */
final class Buckets {
    private static final long NS_PER_US = 1000;

    /** The bounds as the text has them, in seconds. */
    private static final String[] BOUNDS = {"0.00001", "0.000025", "0.00005", "0.0001", "0.00025",
        "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1",
        "2.5", "5", "10", "+Inf"};
    private static final long[] BOUNDS_NS = {10 * NS_PER_US, 25 * NS_PER_US, 50 * NS_PER_US,
        100 * NS_PER_US, 250 * NS_PER_US, 500 * NS_PER_US, 1000 * NS_PER_US, 2500 * NS_PER_US,
        5000 * NS_PER_US, 10_000 * NS_PER_US, 25_000 * NS_PER_US, 50_000 * NS_PER_US,
        100_000 * NS_PER_US, 250_000 * NS_PER_US, 500_000 * NS_PER_US, 1_000_000 * NS_PER_US,
        2_500_000 * NS_PER_US, 5_000_000 * NS_PER_US, 10_000_000 * NS_PER_US};

    static final int COUNT = 20;
    /** The bucket's words, and the sum's behind them. */
    static final int WORDS = COUNT + 1;

    private Buckets() { }

    /** Counts a time in the histogram that begins at that word. */
    static void count(LoopCounters counters, int first, long ns) {
        counters.add(first + indexOf(ns), 1);
        counters.add(first + COUNT, ns);
    }

    /** The bucket of a time; a bound belongs to what is below it. */
    static int indexOf(long ns) {
        int index = 0;
        while (index < BOUNDS_NS.length && ns > BOUNDS_NS[index]) {
            index++;
        }
        return index;
    }

    /** The bucket's upper bound, as a label's value. */
    static String bound(int index) {
        return BOUNDS[index];
    }
}
