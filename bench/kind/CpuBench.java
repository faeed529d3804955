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
import process.Arm;
import process.CpuClock;
import process.ServerProcess;
import report.Artifact;
import report.Statistics;

/**
 * CPU time per request beside the floor.
 *
 * <p>A pair is three fresh processes on one core: ours, ours again, the floor. All are warmed with
 * every load; then slices of one load alternate between them, in an order that rotates, so that
 * what the machine does to one second it does to all three. A slice's figure is the CPU time of the
 * server's process divided by the answers received. A pair's figure is the median of its slices,
 * its ratio that of the medians, and the run's ratio the median over pairs. Ours again beside ours
 * is what the method itself moves by.
 */
final class CpuBench implements Bench {
    private static final int PAIRS = 9;
    private static final List<Load> LOADS = List.of(Load.FEW, Load.MANY, Load.PIPELINED);
    private static final String OURS = "ours";
    private static final String AGAIN = "ours-again";
    private static final String BARE = "bare";

    private final Stage stage;
    private final int pairs;
    private final int rounds;
    private final long warmNs;
    private final long sliceNs;
    private final Artifact artifact;
    /** For each load and arm, and each figure, one value a pair. */
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();

    CpuBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.rounds = brief ? 3 : 5;
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 1_500 : 3_000);
        this.sliceNs = TimeUnit.MILLISECONDS.toNanos(brief ? 400 : 1_000);
        this.artifact = stage.artifact(Map.of("pairs", pairs, "rounds", rounds,
            "warm_ms_per_load", warmNs / 1_000_000, "slice_ms", sliceNs / 1_000_000));
    }

    @Override
    public void run() throws IOException {
        define();
        for (int pair = 0; pair < pairs; pair++) {
            pair(pair);
            System.out.println("pair " + (pair + 1) + " of " + pairs);
        }
        for (Load load : LOADS) {
            conclude(load);
        }
        artifact.write(stage.results());
    }

    private void pair(int pair) throws IOException {
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (Arm arm : List.of(stage.ours(OURS), stage.ours(AGAIN), stage.bare())) {
                servers.add(ServerProcess.start(arm, Stage.SERVER_CORE));
            }
            for (ServerProcess server : servers) {
                warm(server);
            }
            for (Load load : LOADS) {
                alternate(pair, load, servers);
            }
        } finally {
            servers.forEach(ServerProcess::close);
        }
    }

    private void warm(ServerProcess server) throws IOException {
        for (Load load : LOADS) {
            try (ClosedLoop loop = stage.load(server.address(), load)) {
                loop.runFor(warmNs);
            }
        }
    }

    private void alternate(int pair, Load load, List<ServerProcess> servers) throws IOException {
        List<Side> sides = new ArrayList<>();
        try {
            for (ServerProcess server : servers) {
                Side side = new Side(server, new CpuClock(server),
                    stage.load(server.address(), load));
                sides.add(side);
                side.loop.runFor(sliceNs / 4);
            }
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < sides.size(); turn++) {
                    slice(pair, load, round, sides.get((pair + round + turn) % sides.size()));
                }
            }
        } finally {
            for (Side side : sides) {
                side.loop.close();
            }
        }
        for (Side side : sides) {
            String key = load.name() + " " + side.server.arm().name();
            side.slices.forEach((figure, values) ->
                figures.computeIfAbsent(key + " " + figure, unused -> new ArrayList<>())
                    .add(Statistics.median(values)));
        }
    }

    private void slice(int pair, Load load, int round, Side side) throws IOException {
        var thread = ManagementFactory.getThreadMXBean();
        CpuClock.Reading before = side.clock.read();
        long clientBefore = thread.getCurrentThreadCpuTime();
        Slice slice = side.loop.runFor(sliceNs);
        long clientNs = thread.getCurrentThreadCpuTime() - clientBefore;
        CpuClock.Reading spent = side.clock.read().since(before);
        double requests = slice.requests();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("pair", pair);
        row.put("load", load.name());
        row.put("round", round);
        row.put("arm", side.server.arm().name());
        row.put("requests", slice.requests());
        row.put("cpu_ns", spent.processNs() / requests);
        row.put("loop_cpu_ns", spent.loopNs() / requests);
        row.put("waits", spent.loopWaits() / requests);
        row.put("rate", slice.requestsPerSecond());
        row.put("p50_us", slice.latencyUs(50));
        row.put("p99_us", slice.latencyUs(99));
        row.put("server_busy", spent.processNs() / (double) slice.elapsedNs());
        row.put("client_busy", clientNs / (double) slice.elapsedNs());
        artifact.row(row);
        row.forEach((figure, value) -> {
            if (value instanceof Double number) {
                side.slices.computeIfAbsent(figure, unused -> new ArrayList<>()).add(number);
            }
        });
    }

    private void conclude(Load load) {
        for (String arm : List.of(OURS, AGAIN, BARE)) {
            String key = load.name() + " " + arm + " ";
            Map<String, Object> median = new LinkedHashMap<>();
            median.put("load", load.name());
            median.put("arm", arm);
            figures.forEach((name, values) -> {
                if (name.startsWith(key)) {
                    median.put(name.substring(key.length()), Statistics.median(values));
                }
            });
            artifact.median(median);
        }
        for (String figure : List.of("cpu_ns", "loop_cpu_ns")) {
            List<Double> toFloor = ratios(load, figure, OURS, BARE);
            double halfWidth = Statistics.halfWidth(ratios(load, figure, AGAIN, OURS));
            double ratio = Statistics.median(toFloor);
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("load", load.name());
            line.put("figure", figure);
            line.put("ratio", ratio);
            line.put("half_width", Statistics.halfWidth(toFloor));
            line.put("aa_ratio", Statistics.median(ratios(load, figure, AGAIN, OURS)));
            line.put("aa_half_width", halfWidth);
            line.put("bound", load.bound());
            line.put("holds", ratio <= load.bound() + halfWidth);
            artifact.ratio(line);
        }
    }

    private List<Double> ratios(Load load, String figure, String over, String under) {
        List<Double> numerators = figures.get(load.name() + " " + over + " " + figure);
        List<Double> denominators = figures.get(load.name() + " " + under + " " + figure);
        List<Double> ratios = new ArrayList<>();
        for (int pair = 0; pair < numerators.size(); pair++) {
            ratios.add(numerators.get(pair) / denominators.get(pair));
        }
        return ratios;
    }

    private void define() {
        artifact.define("ours-again", "a second fresh process of ours in the same pair");
        artifact.define("work", "a closed loop for the same time on each arm, at the rate the two"
            + " cores reach (saturation), not at equal rates: see server_busy and client_busy");
        artifact.define("cpu_ns", "CPU time of all the server's threads divided by answers"
            + " received, nanoseconds, after every load has warmed the process");
        artifact.define("loop_cpu_ns", "the same, of the thread that serves alone");
        artifact.define("waits", "how often the thread that serves slept, per request");
        artifact.define("rate", "answers a second");
        artifact.define("p50_us, p99_us", "from a burst's write to its last byte, microseconds");
        artifact.define("server_busy, client_busy", "CPU time over elapsed time");
        artifact.define("medians", "of the pairs' figures, each the median of its slices");
        artifact.define("ratio", "median over pairs of ours divided by bare");
        artifact.define("aa_ratio", "median over pairs of ours-again divided by ours");
        artifact.define("half_width, aa_half_width", "half the distance from the second-lowest to"
            + " the second-highest pair");
        artifact.define("holds", "ratio is at most bound plus aa_half_width");
    }

    /** One server of a pair under one load. */
    private static final class Side {
        private final ServerProcess server;
        private final CpuClock clock;
        private final ClosedLoop loop;
        private final Map<String, List<Double>> slices = new LinkedHashMap<>();

        private Side(ServerProcess server, CpuClock clock, ClosedLoop loop) {
            this.server = server;
            this.clock = clock;
            this.loop = loop;
        }
    }
}
