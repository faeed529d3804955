package kind;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import load.Blockers;
import report.Artifact;
import report.Pairs;
import report.Statistics;

/**
 * How soon a parked thread takes a request while the lane's other thread is busy: a lane wakes
 * nobody at once where somebody is awake, so this is the wait that must not become a millisecond.
 */
final class LaneWakeBench implements Bench {
    private static final int PAIRS = 9;
    private static final int SAMPLES = 300;
    private static final long CELL_NS_MAX = TimeUnit.SECONDS.toNanos(15);
    private static final double BOUND_MS = 0.3;
    private static final long SEED = 4;
    /** Some tens of milliseconds of computing, begun again as soon as it has ended. */
    private static final String SPIN = "/busy?n=20000";
    private static final List<Situation> SITUATIONS = List.of(
        new Situation("asleep", 2, Spike.SLOW, true),
        new Situation("spinning", 2, SPIN, true),
        new Situation("asleep-again", 2, Spike.SLOW, false),
        new Situation("parked", 2, "", false),
        new Situation("loop", 0, "", false));

    private final Stage stage;
    private final int pairs;
    private final int samples;
    private final long warmNs;
    private final Random random = new Random(SEED);
    private final Artifact artifact;

    LaneWakeBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.samples = brief ? 100 : SAMPLES;
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 500 : 1_000);
        this.artifact = stage.artifact(Map.of("application", "pool_spike", "pairs", pairs,
            "samples", samples, "gap_ms", Spike.GAP_MS_MIN + " to " + Spike.GAP_MS_MAX, "seed",
            SEED, "server_core", Spike.CORES, "request", Spike.FAST));
    }

    private void define() {
        artifact.define("asleep, asleep-again", "a pool of two, one thread of which sleeps for "
            + Spike.SLOW + " again and again; twice in each pair");
        artifact.define("spinning", "the same with " + SPIN + ", which computes");
        artifact.define("parked", "a pool of two with nothing beside the fast route");
        artifact.define("loop", "no pool and nothing beside it");
        artifact.define("p50_ms, p99_ms", "of a fresh process's requests for " + Spike.FAST
            + " on one connection, each a random gap after the answer before it; in medians and"
            + " ratios the median of that over pairs");
        artifact.define("blocked", "answers that the busy thread gave meanwhile");
        artifact.define("over_parked_ms", "median over pairs of p50_ms minus parked's");
        artifact.define("aa_half_width_ms", "half the distance from the second-lowest to the"
            + " second-highest of asleep-again minus asleep");
        artifact.define("holds", "p50_ms is below bound_ms plus aa_half_width_ms");
    }

    @Override
    public void run() throws IOException {
        define();
        Pairs medians = new Pairs();
        Pairs tails = new Pairs();
        for (int pair = 0; pair < pairs; pair++) {
            for (int turn = 0; turn < SITUATIONS.size(); turn++) {
                measure(pair, SITUATIONS.get((pair + turn) % SITUATIONS.size()), medians, tails);
            }
            System.out.println("pair " + (pair + 1) + " of " + pairs);
        }
        double halfWidth = Statistics.halfWidth(medians.differences("asleep-again", "asleep"));
        for (Situation situation : SITUATIONS) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("arm", situation.name);
            line.put("p50_ms", medians.median(situation.name));
            line.put("p99_ms", tails.median(situation.name));
            line.put("over_parked_ms",
                Statistics.median(medians.differences(situation.name, "parked")));
            if (situation.judged) {
                line.put("aa_half_width_ms", halfWidth);
                line.put("bound_ms", BOUND_MS);
                line.put("holds", medians.median(situation.name) < BOUND_MS + halfWidth);
            }
            artifact.ratio(line);
        }
        artifact.write(stage.results());
    }

    private void measure(int pair, Situation situation, Pairs medians, Pairs tails)
            throws IOException {
        try (Spike spike = Spike.start(Spike.arm(stage, situation.name, situation.threads),
                warmNs)) {
            List<Double> fastMs;
            long blocked;
            try (Blockers blockers =
                    spike.blockers(situation.busy.isEmpty() ? 0 : 1, situation.busy)) {
                fastMs = spike.fastMs(random, samples, CELL_NS_MAX);
                blocked = blockers.answered();
            }
            if (!situation.busy.isEmpty() && blocked == 0) {
                throw new IOException("vacuous: the busy thread gave no answer");
            }
            medians.add(situation.name, Statistics.median(fastMs));
            tails.add(situation.name, Statistics.percentile(fastMs, 99));
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("pair", pair);
            row.put("arm", situation.name);
            row.put("samples", fastMs.size());
            row.put("p50_ms", Statistics.median(fastMs));
            row.put("p99_ms", Statistics.percentile(fastMs, 99));
            row.put("blocked", blocked);
            artifact.row(row);
        }
    }

    /**
     * What a fast request meets.
     *
     * @param threads of the pool
     * @param busy    what one of them is asked for all the time, or empty
     * @param judged  whether the bound is for this one
     */
    private record Situation(String name, int threads, String busy, boolean judged) {
    }
}
