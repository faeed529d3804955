package load;

import org.HdrHistogram.Histogram;

/**
 * What one run of a {@link ClosedLoop} did.
 *
 * @param requests  answers received, each of exactly the expected size
 * @param elapsedNs from the first write to the last answer
 * @param latencyNs one value for each burst, from its write to its last byte
 */
public record Slice(long requests, long elapsedNs, Histogram latencyNs) {
    /** Answers received a second. */
    public double requestsPerSecond() {
        return requests * 1e9 / elapsedNs;
    }

    /** The latency at a percentile (0 to 100), in microseconds. */
    public double latencyUs(double percentile) {
        return latencyNs.getValueAtPercentile(percentile) / 1e3;
    }
}
