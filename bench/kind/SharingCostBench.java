package kind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import load.Churn;
import process.Arm;
import process.CpuClock;
import process.ServerProcess;
import report.Artifact;
import report.Pairs;
import report.Statistics;

/**
 * What accept sharing costs where it can win nothing: two loops, one request on each connection.
 *
 * <p>A pair is three fresh processes (shared, not shared, shared again); slices alternate between
 * them in an order that rotates. A pair's figure is the median of its slices.
 */
final class SharingCostBench implements Bench {
    private static final int PAIRS = 9;
    private static final int LOOPS = 2;
    private static final int AT_ONCE = 16;
    private static final double BOUND = 0.97;
    private static final List<String> PLACEMENTS = List.of("0", "0,1");
    private static final String SHARED = "shared";
    private static final String AGAIN = "shared-again";
    private static final String RACE = "race";
    private static final byte[] REQUEST = ("GET /health HTTP/1.1\r\nHost: m0.example\r\n"
        + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);

    private final Stage stage;
    private final int pairs;
    private final int rounds;
    private final long sliceNs;
    private final long warmNs;
    private final Artifact artifact;

    SharingCostBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.rounds = brief ? 2 : 5;
        this.sliceNs = TimeUnit.MILLISECONDS.toNanos(brief ? 200 : 1_000);
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 2_000 : 5_000);
        this.artifact = stage.artifact(Map.of("pairs", pairs, "rounds", rounds, "slice_ms",
            TimeUnit.NANOSECONDS.toMillis(sliceNs), "loops", LOOPS, "connections_at_once",
            AT_ONCE, "server_core", String.join(" and ", PLACEMENTS), "request",
            new String(REQUEST, StandardCharsets.ISO_8859_1)));
    }

    @Override
    public void run() throws IOException {
        artifact.define("shared, race", "M0_ACCEPT_SHARE 1 and 0");
        artifact.define("shared-again", "a second fresh process with sharing in the same pair");
        artifact.define("cores", "the server's; the client's is 1");
        artifact.define("rate", "connections a second, each with one request");
        artifact.define("cpu_us", "CPU time of all the server's threads divided by connections,"
            + " which other work on the machine moves less than it moves the rate");
        artifact.define("cpu_ratio, cpu_aa_half_width", "as ratio and aa_half_width, of cpu_us;"
            + " above 1 sharing costs more");
        artifact.define("ratio", "median over pairs of shared divided by race");
        artifact.define("aa_ratio", "median over pairs of shared-again divided by shared");
        artifact.define("half_width, aa_half_width", "half the distance from the second-lowest to"
            + " the second-highest pair");
        artifact.define("holds", "ratio is at least bound minus aa_half_width");
        for (String cores : PLACEMENTS) {
            Pairs rates = new Pairs();
            Pairs costs = new Pairs();
            for (int pair = 0; pair < pairs; pair++) {
                pair(cores, pair, rates, costs);
            }
            conclude(cores, rates, costs);
        }
        artifact.write(stage.results());
    }

    private Arm arm(String name) {
        return stage.ours(name).with(name, Map.of("M0_THREADS", String.valueOf(LOOPS),
            "M0_ACCEPT_SHARE", name.equals(RACE) ? "0" : "1"));
    }

    private void pair(String cores, int pair, Pairs rates, Pairs costs) throws IOException {
        List<Side> sides = new ArrayList<>();
        try {
            for (String name : List.of(SHARED, RACE, AGAIN)) {
                ServerProcess server = ServerProcess.start(arm(name), cores);
                sides.add(new Side(name, server));
            }
            for (Side side : sides) {
                side.open();
                side.churn.perSecond(warmNs);
            }
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < sides.size(); turn++) {
                    Side side = sides.get((pair + round + turn) % sides.size());
                    CpuClock.Reading before = side.clock.read();
                    double rate = side.churn.perSecond(sliceNs);
                    double cpuNs = side.clock.read().since(before).processNs();
                    double costUs = cpuNs / 1_000 / side.churn.done();
                    side.rates.add(rate);
                    side.costs.add(costUs);
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("cores", cores);
                    row.put("pair", pair);
                    row.put("round", round);
                    row.put("arm", side.name);
                    row.put("rate", rate);
                    row.put("cpu_us", costUs);
                    artifact.row(row);
                }
            }
        } finally {
            for (Side side : sides) {
                side.close();
            }
        }
        for (Side side : sides) {
            rates.add(side.name, Statistics.median(side.rates));
            costs.add(side.name, Statistics.median(side.costs));
        }
    }

    private void conclude(String cores, Pairs rates, Pairs costs) {
        for (String arm : rates.arms()) {
            Map<String, Object> median = new LinkedHashMap<>();
            median.put("cores", cores);
            median.put("arm", arm);
            median.put("rate", rates.median(arm));
            median.put("cpu_us", costs.median(arm));
            artifact.median(median);
        }
        List<Double> ratios = rates.ratios(SHARED, RACE);
        double halfWidth = Statistics.halfWidth(rates.ratios(AGAIN, SHARED));
        double ratio = Statistics.median(ratios);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("cores", cores);
        line.put("ratio", ratio);
        line.put("half_width", Statistics.halfWidth(ratios));
        line.put("aa_ratio", Statistics.median(rates.ratios(AGAIN, SHARED)));
        line.put("aa_half_width", halfWidth);
        line.put("cpu_ratio", Statistics.median(costs.ratios(SHARED, RACE)));
        line.put("cpu_aa_half_width", Statistics.halfWidth(costs.ratios(AGAIN, SHARED)));
        line.put("bound", BOUND);
        line.put("holds", ratio >= BOUND - halfWidth);
        artifact.ratio(line);
    }

    /** One server of a pair and its client. */
    private static final class Side implements AutoCloseable {
        private final String name;
        private final ServerProcess server;
        private final List<Double> rates = new ArrayList<>();
        private final List<Double> costs = new ArrayList<>();
        private CpuClock clock;
        private Churn churn;

        private Side(String name, ServerProcess server) {
            this.name = name;
            this.server = server;
        }

        private void open() throws IOException {
            clock = new CpuClock(server);
            churn = new Churn(server.address(), AT_ONCE, REQUEST);
        }

        @Override
        public void close() throws IOException {
            if (churn != null) {
                churn.close();
            }
            server.close();
        }
    }
}
