package report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One figure of several arms, one value of each arm for each alternated pair. */
public final class Pairs {
    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    /** The arm's value of its next pair. */
    public void add(String arm, double value) {
        values.computeIfAbsent(arm, unused -> new ArrayList<>()).add(value);
    }

    /** In the order in which they first had a value. */
    public Set<String> arms() {
        return values.keySet();
    }

    public double median(String arm) {
        return Statistics.median(values.get(arm));
    }

    public double highest(String arm) {
        return Collections.max(values.get(arm));
    }

    /** Pair by pair, one arm's value divided by another's. */
    public List<Double> ratios(String over, String under) {
        List<Double> ratios = new ArrayList<>();
        for (int pair = 0; pair < values.get(over).size(); pair++) {
            ratios.add(values.get(over).get(pair) / values.get(under).get(pair));
        }
        return ratios;
    }

    /** Pair by pair, one arm's value minus another's. */
    public List<Double> differences(String left, String right) {
        List<Double> differences = new ArrayList<>();
        for (int pair = 0; pair < values.get(left).size(); pair++) {
            differences.add(values.get(left).get(pair) - values.get(right).get(pair));
        }
        return differences;
    }
}
