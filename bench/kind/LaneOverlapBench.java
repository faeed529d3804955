package kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import load.Asker;
import report.Artifact;
import report.Pairs;
import report.Statistics;

/**
 * Whether two jobs that compute are on two cores at once: the later end of two that were sent
 * together, beside the end of one alone.
 *
 * <p>The work is a number of rounds, not a time, or a job that waits for its core would do less of
 * it. A pair is a fresh process with two pool threads and one with a single thread, which must show
 * twice the time of one: the arm without which the other would prove nothing. Two jobs sent to two
 * processes tell what the machine gives: where that is no overlap, there was no second core to use.
 */
final class LaneOverlapBench implements Bench {
    private static final int PAIRS = 9;
    private static final int ROUNDS = 11;
    private static final double BOUND = 1.6;
    private static final double VACUOUS_BELOW = 1.8;
    private static final int JOB_MS = 40;
    private static final int THOUSANDS_TRIED = 2_000;
    private static final List<Integer> THREADS = List.of(2, 1);
    private static final String ALONE = "alone";
    private static final String AGAIN = "alone-again";
    private static final String TOGETHER = "together";
    private static final String APART = "apart";

    private final Stage stage;
    private final int pairs;
    private final int rounds;
    private final long warmNs;
    private final int thousands;
    private final Artifact artifact;

    LaneOverlapBench(Stage stage) throws IOException {
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.rounds = stage.options().brief() ? 5 : ROUNDS;
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(500);
        this.thousands = thousandsOf(JOB_MS);
        this.artifact = stage.artifact(Map.of("application", "pool_spike", "pairs", pairs,
            "rounds", rounds, "thousands", thousands, "server_core", Spike.CORES, "request",
            target(thousands)));
    }

    private static String target(int thousands) {
        return "/busy?n=" + thousands;
    }

    /** How much work takes about so long here. */
    private int thousandsOf(int ms) throws IOException {
        try (Spike spike = Spike.start(Spike.arm(stage, "calibration", 1), warmNs);
                Asker asker = spike.asker(target(THOUSANDS_TRIED))) {
            List<Double> tries = new ArrayList<>();
            for (int index = 0; index < ROUNDS; index++) {
                tries.add(asker.askNs() / 1e6);
            }
            return Math.max(1, (int) (THOUSANDS_TRIED * ms / Statistics.median(tries)));
        }
    }

    private void define() {
        artifact.define("thousands", "of rounds that one job computes, the same in the whole run");
        artifact.define("alone, alone-again", "milliseconds of one job with nothing beside it");
        artifact.define("together", "milliseconds from before two jobs are sent, on two"
            + " connections, to the end of the one that ends later");
        artifact.define("apart", "as together, of one job there and one on another process with a"
            + " pool of one");
        artifact.define("rows", "a fresh process each: the medians of its rounds, in each of which"
            + " the four follow one another");
        artifact.define("ratio", "median over processes of together divided by alone");
        artifact.define("apart_ratio", "the same of apart: what the machine gave to two");
        artifact.define("aa_half_width", "half the distance from the second-lowest to the"
            + " second-highest of alone-again divided by alone");
        artifact.define("holds", "with two threads: ratio is at most bound plus aa_half_width;"
            + " with one: ratio is at least bound, or the other proves nothing");
    }

    @Override
    public void run() throws IOException {
        define();
        Map<Integer, Pairs> byThreads = new LinkedHashMap<>();
        for (int pair = 0; pair < pairs; pair++) {
            for (int turn = 0; turn < THREADS.size(); turn++) {
                int threads = THREADS.get((pair + turn) % THREADS.size());
                measure(pair, threads, byThreads.computeIfAbsent(threads, unused -> new Pairs()));
            }
        }
        for (int threads : THREADS) {
            conclude(threads, byThreads.get(threads));
        }
        artifact.write(stage.results());
    }

    private void measure(int pair, int threads, Pairs figures) throws IOException {
        Map<String, List<Double>> times = new LinkedHashMap<>();
        for (String name : List.of(ALONE, TOGETHER, AGAIN, APART)) {
            times.put(name, new ArrayList<>());
        }
        try (Spike spike = Spike.start(Spike.arm(stage, "pool-" + threads, threads), warmNs);
                Spike other = Spike.start(Spike.arm(stage, "other", 1), warmNs);
                Asker first = spike.asker(target(thousands));
                Asker second = spike.asker(target(thousands));
                Asker third = other.asker(target(thousands))) {
            for (int round = 0; round < rounds; round++) {
                times.get(ALONE).add(first.askNs() / 1e6);
                times.get(TOGETHER).add(togetherNs(first, second) / 1e6);
                times.get(AGAIN).add(second.askNs() / 1e6);
                times.get(APART).add(togetherNs(first, third) / 1e6);
            }
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("pair", pair);
        row.put("threads", threads);
        times.forEach((name, values) -> {
            row.put(name, Statistics.median(values));
            figures.add(name, Statistics.median(values));
        });
        artifact.row(row);
    }

    private static long togetherNs(Asker first, Asker second) throws IOException {
        long startNs = System.nanoTime();
        first.send();
        second.send();
        long firstNs = first.takeAnswer();
        long secondNs = second.takeAnswer();
        return Math.max(firstNs - startNs, secondNs - startNs);
    }

    private void conclude(int threads, Pairs figures) {
        Map<String, Object> median = new LinkedHashMap<>();
        median.put("threads", threads);
        for (String name : figures.arms()) {
            median.put(name, figures.median(name));
        }
        artifact.median(median);
        List<Double> ratios = figures.ratios(TOGETHER, ALONE);
        double ratio = Statistics.median(ratios);
        double halfWidth = Statistics.halfWidth(figures.ratios(AGAIN, ALONE));
        double bound = threads == 1 ? VACUOUS_BELOW : BOUND;
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("threads", threads);
        line.put("ratio", ratio);
        line.put("half_width", Statistics.halfWidth(ratios));
        line.put("apart_ratio", Statistics.median(figures.ratios(APART, ALONE)));
        line.put("aa_ratio", Statistics.median(figures.ratios(AGAIN, ALONE)));
        line.put("aa_half_width", halfWidth);
        line.put("bound", bound);
        line.put("holds", threads == 1 ? ratio >= bound : ratio <= bound + halfWidth);
        artifact.ratio(line);
    }
}
