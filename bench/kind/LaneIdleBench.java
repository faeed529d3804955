package kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import load.ClosedLoop;
import process.Arm;
import process.CpuClock;
import process.ServerProcess;
import report.Artifact;
import report.Pairs;
import report.Statistics;

/**
 * What a pool that has nothing to do costs: the CPU time of quiet seconds, with a pool and without,
 * at one loop and at two.
 *
 * <p>All arms of a pair are quiet at the same time: they do not take the cores from one another,
 * and what the machine does meanwhile it does to all.
 */
final class LaneIdleBench implements Bench {
    private static final int PAIRS = 9;
    private static final int THREADS = 4;
    private static final Load WARM = Load.FEW;
    private static final long WARM_REQUESTS = 20_000;
    private static final double BOUND_MS = 1;

    private final Stage stage;
    private final int pairs;
    private final long quietNs;
    private final long settleNs;
    private final Artifact artifact;

    LaneIdleBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.quietNs = TimeUnit.SECONDS.toNanos(brief ? 2 : 10);
        this.settleNs = TimeUnit.SECONDS.toNanos(brief ? 1 : 3);
        this.artifact = stage.artifact(Map.of("pairs", pairs, "threads", THREADS, "quiet_ms",
            TimeUnit.NANOSECONDS.toMillis(quietNs), "warm_requests", WARM_REQUESTS,
            "application", "pool_spike", "request", Spike.FAST, "server_core", Spike.CORES));
    }

    private static String name(int loops, int threads) {
        return "loops-" + loops + (threads > 0 ? "-pool-" + threads : "");
    }

    private static String again(int loops) {
        return name(loops, 0) + "-again";
    }

    private Arm arm(String name, int loops, int threads) {
        return Spike.arm(stage, name, threads).with(name,
            Map.of("M0_THREADS", String.valueOf(loops)));
    }

    private List<Arm> arms() {
        List<Arm> arms = new ArrayList<>();
        for (int loops = 1; loops <= 2; loops++) {
            arms.add(arm(name(loops, 0), loops, 0));
            arms.add(arm(name(loops, THREADS), loops, THREADS));
            arms.add(arm(again(loops), loops, 0));
        }
        return arms;
    }

    private void define() {
        artifact.define("cpu_ms", "CPU time of all the process's threads over quiet_ms, after"
            + " requests to every pool thread and three quiet seconds");
        artifact.define("loop_cpu_ms", "the same of the first loop's thread");
        artifact.define("pool_cpu_ms", "the same of the pool's threads: one that sleeps until it is"
            + " woken has none at all");
        artifact.define("difference_ms", "median over pairs of cpu_ms with the pool minus without");
        artifact.define("aa_half_width_ms", "half the distance from the second-lowest to the"
            + " second-highest of the arm without a pool minus the same again");
        artifact.define("holds", "pool_cpu_ms is 0 in every pair, and difference_ms is at most"
            + " bound_ms plus aa_half_width_ms");
    }

    @Override
    public void run() throws IOException {
        define();
        Pairs all = new Pairs();
        Pairs loop = new Pairs();
        Pairs pool = new Pairs();
        for (int pair = 0; pair < pairs; pair++) {
            pair(pair, all, loop, pool);
            System.out.println("pair " + (pair + 1) + " of " + pairs);
        }
        for (String arm : all.arms()) {
            Map<String, Object> median = new LinkedHashMap<>();
            median.put("arm", arm);
            median.put("cpu_ms", all.median(arm));
            median.put("loop_cpu_ms", loop.median(arm));
            median.put("pool_cpu_ms", pool.median(arm));
            artifact.median(median);
        }
        for (int loops = 1; loops <= 2; loops++) {
            conclude(loops, all, pool);
        }
        artifact.write(stage.results());
    }

    private void pair(int pair, Pairs all, Pairs loop, Pairs pool) throws IOException {
        List<Side> sides = new ArrayList<>();
        try {
            for (Arm arm : arms()) {
                sides.add(new Side(ServerProcess.start(arm, Spike.CORES)));
            }
            for (Side side : sides) {
                side.warm();
            }
            LockSupport.parkNanos(settleNs);
            for (Side side : sides) {
                side.begin();
            }
            LockSupport.parkNanos(quietNs);
            for (Side side : sides) {
                side.end();
                String arm = side.server.arm().name();
                all.add(arm, side.spent.processNs() / 1e6);
                loop.add(arm, side.spent.loopNs() / 1e6);
                pool.add(arm, side.poolNs / 1e6);
                if (arm.contains("pool") && side.poolThreads.isEmpty()) {
                    throw new IOException("vacuous: no thread of a pool in " + arm);
                }
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("pair", pair);
                row.put("arm", arm);
                row.put("cpu_ms", side.spent.processNs() / 1e6);
                row.put("loop_cpu_ms", side.spent.loopNs() / 1e6);
                row.put("pool_cpu_ms", side.poolNs / 1e6);
                row.put("pool_threads", side.poolThreads.size());
                artifact.row(row);
            }
        } finally {
            sides.forEach(side -> side.server.close());
        }
    }

    private void conclude(int loops, Pairs all, Pairs pool) {
        String with = name(loops, THREADS);
        String without = name(loops, 0);
        double difference = Statistics.median(all.differences(with, without));
        double halfWidth = Statistics.halfWidth(all.differences(again(loops), without));
        double poolMs = pool.highest(with);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("loops", loops);
        line.put("difference_ms", difference);
        line.put("aa_half_width_ms", halfWidth);
        line.put("pool_cpu_ms_highest", poolMs);
        line.put("bound_ms", BOUND_MS);
        line.put("holds", poolMs == 0 && difference <= BOUND_MS + halfWidth);
        artifact.ratio(line);
    }

    /** One server of a pair. */
    private static final class Side {
        private final ServerProcess server;
        private final CpuClock clock;
        private final List<Long> poolThreads;
        private CpuClock.Reading start;
        private long poolStartNs;
        private CpuClock.Reading spent;
        private long poolNs;

        private Side(ServerProcess server) throws IOException {
            this.server = server;
            this.clock = new CpuClock(server);
            this.poolThreads = CpuClock.threadIds(server, Arm.POOL_THREADS);
        }

        private void warm() throws IOException {
            try (ClosedLoop loop = Spike.load(server, WARM)) {
                loop.runRequests(WARM_REQUESTS);
            }
        }

        private void begin() throws IOException {
            start = clock.read();
            poolStartNs = CpuClock.threadsNs(server, poolThreads);
        }

        private void end() throws IOException {
            spent = clock.read().since(start);
            poolNs = CpuClock.threadsNs(server, poolThreads) - poolStartNs;
        }
    }
}
