package report;

import java.util.List;

/** The statistics that a bound is judged by. */
public final class Statistics {
    private Statistics() {
    }

    public static double median(List<Double> values) {
        double[] sorted = sorted(values);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
            ? sorted[middle]
            : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * Half the distance from the second-lowest to the second-highest value.
     *
     * <p>Of nine values these two enclose the true median with a probability of 96 %.
     */
    public static double halfWidth(List<Double> values) {
        double[] sorted = sorted(values);
        int skip = sorted.length > 4 ? 1 : 0;
        return (sorted[sorted.length - 1 - skip] - sorted[skip]) / 2;
    }

    /**
     * The lowest value that so many per cent of all do not exceed (nearest rank).
     *
     * @param percent above 0, 100 at most
     */
    public static double percentile(List<Double> values, double percent) {
        double[] sorted = sorted(values);
        return sorted[Math.max(1, (int) Math.ceil(percent / 100 * sorted.length)) - 1];
    }

    /** The second-highest value: one stall of the machine does not move it. */
    public static double secondHighest(List<Double> values) {
        double[] sorted = sorted(values);
        return sorted[Math.max(0, sorted.length - 2)];
    }

    private static double[] sorted(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no values");
        }
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
