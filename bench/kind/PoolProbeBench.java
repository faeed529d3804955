package kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import load.Blockers;
import report.Artifact;
import report.Statistics;

/**
 * What a fast route suffers from slow ones beside it: on the bare loop, and on a pool that has more
 * threads than there are slow requests, or fewer.
 *
 * <p>Every cell of the table is a fresh process; the whole table is measured several times, and a
 * cell's figures are those of all its samples.
 */
final class PoolProbeBench implements Bench {
    private static final int ROUNDS = 3;
    private static final int THREADS = 4;
    private static final int SATURATED = THREADS + 2;
    private static final int[] BLOCKERS = {0, 1, 2, SATURATED};
    private static final int SAMPLES = 1_000;
    private static final double P50_MS_BOUND = 0.3;
    private static final double P99_MS_BOUND = 10;
    private static final double BLOCKS_MIN = 0.8;
    private static final double BLOCKS_MAX = 1.5;
    private static final long SEED = 4;

    private final Stage stage;
    private final int rounds;
    private final long cellNs;
    private final long warmNs;
    private final Random random = new Random(SEED);
    private final Artifact artifact;
    private final Map<Cell, List<Double>> samples = new LinkedHashMap<>();

    PoolProbeBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.rounds = brief ? 1 : stage.options().pairsOr(ROUNDS);
        this.cellNs = TimeUnit.MILLISECONDS.toNanos(brief ? 2_500 : 15_000);
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 500 : 1_000);
        this.artifact = stage.artifact(Map.of("application", "pool_spike", "rounds", rounds,
            "samples_max", SAMPLES, "cell_ms_max", TimeUnit.NANOSECONDS.toMillis(cellNs),
            "block_ms", Spike.BLOCK_MS, "gap_ms", Spike.GAP_MS_MIN + " to " + Spike.GAP_MS_MAX,
            "seed", SEED, "server_core", Spike.CORES, "request", Spike.FAST));
    }

    private void define() {
        artifact.define("threads", "pool threads behind the one loop; 0: the loop answers all");
        artifact.define("blockers", "connections that ask for " + Spike.SLOW + ", a sleep, each"
            + " again as soon as it is answered; all begin at once");
        artifact.define("samples", "requests for " + Spike.FAST + " on one connection, each a"
            + " random gap after the answer before it");
        artifact.define("p50_ms, p99_ms, second_ms", "median, 99th percentile (nearest rank) and"
            + " second-highest of a round's samples, or in ratios of those of all rounds");
        artifact.define("blocks", "p99_ms divided by block_ms");
        artifact.define("blocked", "answers that the blockers had meanwhile");
        artifact.define("bound", "what is claimed, in words; - where a figure is only shown");
    }

    @Override
    public void run() throws IOException {
        define();
        for (int round = 0; round < rounds; round++) {
            for (int blockers : BLOCKERS) {
                measure(round, new Cell(THREADS, blockers));
                measure(round, new Cell(0, blockers));
            }
            System.out.println("round " + (round + 1) + " of " + rounds);
        }
        samples.forEach(this::conclude);
        artifact.write(stage.results());
    }

    private void measure(int round, Cell cell) throws IOException {
        String name = cell.threads == 0 ? "loop" : "pool-" + cell.threads;
        try (Spike spike = Spike.start(Spike.arm(stage, name, cell.threads), warmNs)) {
            List<Double> fastMs;
            long blocked;
            try (Blockers blockers = spike.blockers(cell.blockers, Spike.SLOW)) {
                fastMs = spike.fastMs(random, SAMPLES, cellNs);
                blocked = blockers.answered();
            }
            if (cell.blockers > 0 && blocked == 0) {
                throw new IOException("vacuous: no blocker was answered");
            }
            samples.computeIfAbsent(cell, unused -> new ArrayList<>()).addAll(fastMs);
            Map<String, Object> row = figures(cell, fastMs);
            row.put("round", round);
            row.put("blocked", blocked);
            artifact.row(row);
        }
    }

    private static Map<String, Object> figures(Cell cell, List<Double> fastMs) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("threads", cell.threads);
        figures.put("blockers", cell.blockers);
        figures.put("samples", fastMs.size());
        figures.put("p50_ms", Statistics.median(fastMs));
        figures.put("p99_ms", Statistics.percentile(fastMs, 99));
        figures.put("second_ms", Statistics.secondHighest(fastMs));
        return figures;
    }

    private void conclude(Cell cell, List<Double> fastMs) {
        double p50Ms = Statistics.median(fastMs);
        double p99Ms = Statistics.percentile(fastMs, 99);
        double blocks = p99Ms / Spike.BLOCK_MS;
        Map<String, Object> line = figures(cell, fastMs);
        line.put("blocks", blocks);
        if (cell.threads > 0 && cell.blockers <= cell.threads) {
            line.put("bound", "p99_ms below " + P99_MS_BOUND + ", p50_ms below " + P50_MS_BOUND);
            line.put("holds", p99Ms < P99_MS_BOUND && p50Ms < P50_MS_BOUND);
        } else if (cell.threads > 0) {
            line.put("bound", "blocks from " + BLOCKS_MIN + " to " + BLOCKS_MAX);
            line.put("holds", blocks >= BLOCKS_MIN && blocks <= BLOCKS_MAX);
        } else if (cell.blockers == SATURATED) {
            line.put("bound", "blocks no less than " + (SATURATED - 1) + ": the queue's sum");
            line.put("holds", blocks >= SATURATED - 1);
        } else {
            line.put("bound", "-");
        }
        artifact.ratio(line);
    }

    /** One cell of the table. */
    private record Cell(int threads, int blockers) {
    }
}
