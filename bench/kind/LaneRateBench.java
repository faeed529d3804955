package kind;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import load.ClosedLoop;
import load.Slice;
import process.CpuClock;
import process.ServerProcess;
import report.Artifact;
import report.Pairs;
import report.Statistics;

/**
 * What the way through a lane costs a trivial route: a pool of four beside a pool of one, and that
 * beside the loop.
 *
 * <p>A pair is four fresh processes; slices alternate between them in an order that rotates. A
 * pair's figure is the median of its slices.
 */
final class LaneRateBench implements Bench {
    private static final int PAIRS = 9;
    private static final Load LOAD = new Load(64, 1, 0);
    private static final String LOOP = "loop";
    private static final String ONE = "pool-1";
    private static final String AGAIN = "pool-1-again";
    private static final String FOUR = "pool-4";
    private static final Map<String, Integer> THREADS = threads();
    private static final double FOUR_OVER_ONE = 0.95;
    private static final double ONE_OVER_LOOP = 0.6;

    private final Stage stage;
    private final int pairs;
    private final int rounds;
    private final long sliceNs;
    private final long warmNs;
    private final Artifact artifact;
    private final Map<String, Pairs> figures = new LinkedHashMap<>();

    LaneRateBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.rounds = brief ? 2 : 5;
        this.sliceNs = TimeUnit.MILLISECONDS.toNanos(brief ? 300 : 1_000);
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 1_000 : 3_000);
        this.artifact = stage.artifact(Map.of("pairs", pairs, "rounds", rounds, "slice_ms",
            TimeUnit.NANOSECONDS.toMillis(sliceNs), "warm_ms",
            TimeUnit.NANOSECONDS.toMillis(warmNs), "load", LOAD.name(), "application",
            "pool_spike", "request", Spike.FAST, "server_core", Spike.CORES));
    }

    private static Map<String, Integer> threads() {
        Map<String, Integer> threads = new LinkedHashMap<>();
        threads.put(LOOP, 0);
        threads.put(ONE, 1);
        threads.put(FOUR, 4);
        threads.put(AGAIN, 1);
        return threads;
    }

    private void define() {
        artifact.define("loop, pool-1, pool-4", "no pool, and a pool of one and of four threads"
            + " behind the one loop, which then answer every request");
        artifact.define("pool-1-again", "a second fresh process with a pool of one in each pair");
        artifact.define("rate", "answers a second");
        artifact.define("cpu_us", "CPU time of all the server's threads divided by answers");
        artifact.define("loop_waits", "how often the loop's thread slept, per request");
        artifact.define("p50_us, p99_us", "of one request, microseconds");
        artifact.define("server_busy, client_busy", "CPU time over elapsed time, in cores");
        artifact.define("ratio", "median over pairs of one arm's rate divided by the other's");
        artifact.define("aa_ratio", "median over pairs of pool-1-again divided by pool-1");
        artifact.define("half_width, aa_half_width", "half the distance from the second-lowest to"
            + " the second-highest pair");
        artifact.define("cpu_ratio", "as ratio, of cpu_us; above 1 the first costs more");
        artifact.define("holds", "ratio is at least bound minus aa_half_width");
    }

    @Override
    public void run() throws IOException {
        define();
        for (int pair = 0; pair < pairs; pair++) {
            pair(pair);
            System.out.println("pair " + (pair + 1) + " of " + pairs);
        }
        for (String arm : THREADS.keySet()) {
            Map<String, Object> median = new LinkedHashMap<>();
            median.put("arm", arm);
            figures.forEach((figure, values) -> median.put(figure, values.median(arm)));
            artifact.median(median);
        }
        conclude(FOUR, ONE, FOUR_OVER_ONE);
        conclude(ONE, LOOP, ONE_OVER_LOOP);
        artifact.write(stage.results());
    }

    private void pair(int pair) throws IOException {
        List<Side> sides = new ArrayList<>();
        try {
            for (Map.Entry<String, Integer> arm : THREADS.entrySet()) {
                sides.add(new Side(ServerProcess.start(
                    Spike.arm(stage, arm.getKey(), arm.getValue()), Spike.CORES)));
            }
            for (Side side : sides) {
                side.clock = new CpuClock(side.server);
                side.loop = Spike.load(side.server, LOAD);
                side.loop.runFor(warmNs);
            }
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < sides.size(); turn++) {
                    slice(pair, round, sides.get((pair + round + turn) % sides.size()));
                }
            }
        } finally {
            for (Side side : sides) {
                side.close();
            }
        }
        for (Side side : sides) {
            side.slices.forEach((figure, values) ->
                figures.computeIfAbsent(figure, unused -> new Pairs())
                    .add(side.server.arm().name(), Statistics.median(values)));
        }
    }

    private void slice(int pair, int round, Side side) throws IOException {
        var thread = ManagementFactory.getThreadMXBean();
        CpuClock.Reading before = side.clock.read();
        long clientBefore = thread.getCurrentThreadCpuTime();
        Slice slice = side.loop.runFor(sliceNs);
        long clientNs = thread.getCurrentThreadCpuTime() - clientBefore;
        CpuClock.Reading spent = side.clock.read().since(before);
        double requests = slice.requests();
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("rate", slice.requestsPerSecond());
        values.put("cpu_us", spent.processNs() / 1e3 / requests);
        values.put("loop_waits", spent.loopWaits() / requests);
        values.put("p50_us", slice.latencyUs(50));
        values.put("p99_us", slice.latencyUs(99));
        values.put("server_busy", spent.processNs() / (double) slice.elapsedNs());
        values.put("client_busy", clientNs / (double) slice.elapsedNs());
        values.forEach((figure, value) ->
            side.slices.computeIfAbsent(figure, unused -> new ArrayList<>()).add(value));
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("pair", pair);
        row.put("round", round);
        row.put("arm", side.server.arm().name());
        row.putAll(values);
        artifact.row(row);
    }

    private void conclude(String over, String under, double bound) {
        Pairs rates = figures.get("rate");
        List<Double> ratios = rates.ratios(over, under);
        double ratio = Statistics.median(ratios);
        double halfWidth = Statistics.halfWidth(rates.ratios(AGAIN, ONE));
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("over", over);
        line.put("under", under);
        line.put("ratio", ratio);
        line.put("half_width", Statistics.halfWidth(ratios));
        line.put("aa_ratio", Statistics.median(rates.ratios(AGAIN, ONE)));
        line.put("aa_half_width", halfWidth);
        line.put("cpu_ratio", Statistics.median(figures.get("cpu_us").ratios(over, under)));
        line.put("bound", bound);
        line.put("holds", ratio >= bound - halfWidth);
        artifact.ratio(line);
    }

    /** One server of a pair and its client. */
    private static final class Side implements AutoCloseable {
        private final ServerProcess server;
        private final Map<String, List<Double>> slices = new LinkedHashMap<>();
        private CpuClock clock;
        private ClosedLoop loop;

        private Side(ServerProcess server) {
            this.server = server;
        }

        @Override
        public void close() throws IOException {
            if (loop != null) {
                loop.close();
            }
            server.close();
        }
    }
}
