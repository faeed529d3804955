package kind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import load.Asker;
import load.Blockers;
import load.OneAnswer;
import process.Arm;
import process.ServerProcess;
import report.Artifact;
import report.Statistics;

/**
 * The full lane of the ramp: a route of the loop while every pool thread spins, one module on both
 * hosts, and what it costs to leave that route to the lane.
 *
 * <p>Every arm of a round is a fresh process; a round's figure is the second-worst of its samples.
 */
final class RampFullLaneBench implements Bench {
    private static final int ROUNDS = 3;
    private static final int SAMPLES = 24;
    /** Each waits for a spin or more, so a few say it. */
    private static final int SAMPLES_BEHIND_SPINS = 8;
    private static final int THREADS = 2;
    private static final int SPIN_MS = 400;
    private static final int GAP_MS_MIN = 50;
    private static final int GAP_MS_MAX = 300;
    private static final double BOUND_MS = 100;
    private static final long SEED = 5;
    private static final String CORES = "0,1";
    private static final byte[] NOW = request("/x/now");
    private static final byte[] SLOW = request("/x/slow?ms=" + SPIN_MS);
    /** Until both blockers have surely begun: each takes a thread within the first spin. */
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(SPIN_MS);
    private static final String HOST = "host";
    private static final String MOUNTED = "mounted";
    private static final String ON_LANE = "mounted-on-lane";
    private static final String BARE = "bare-loop";

    private final Stage stage;
    private final int rounds;
    private final int samples;
    private final Random random = new Random(SEED);
    private final Artifact artifact;
    private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
    private final Map<String, List<Double>> all = new LinkedHashMap<>();

    RampFullLaneBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.rounds = brief ? 1 : stage.options().pairsOr(ROUNDS);
        this.samples = brief ? 8 : SAMPLES;
        this.artifact = stage.artifact(Map.of("rounds", rounds, "samples_max", samples, "threads",
            THREADS, "spin_ms", SPIN_MS, "gap_ms", GAP_MS_MIN + " to " + GAP_MS_MAX, "seed", SEED,
            "server_core", CORES, "request", new String(NOW, StandardCharsets.ISO_8859_1)));
    }

    private static byte[] request(String target) {
        return ("GET " + target + " HTTP/1.1\r\nHost: m0.example\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    }

    private List<Arm> arms() {
        String threads = String.valueOf(THREADS);
        Arm host = stage.ours(HOST);
        Arm serve = stage.serve(MOUNTED, "bareapp", THREADS);
        Map<String, String> mount = Map.of("M0_MOUNT", "/x=ramp");
        return List.of(
            host.with(HOST, Map.of("M0_APP", "ramp", "M0_BLOCKING_THREADS", threads)),
            serve.with(MOUNTED, mount),
            serve.with(MOUNTED, mount).with(ON_LANE, Map.of("M0_MOUNT_LOOP", "0")),
            host.with(BARE, Map.of("M0_APP", "ramp", "M0_BLOCKING_THREADS", "0")));
    }

    @Override
    public void run() throws IOException {
        define();
        for (int round = 0; round < rounds; round++) {
            for (Arm arm : arms()) {
                measure(round, arm);
            }
            System.out.println("round " + (round + 1) + " of " + rounds);
        }
        for (String arm : all.keySet()) {
            conclude(arm);
        }
        artifact.write(stage.results());
    }

    private void measure(int round, Arm arm) throws IOException {
        try (ServerProcess server = ServerProcess.start(arm, CORES)) {
            int nowBytes = OneAnswer.fetch(server.address(), NOW).length;
            int slowBytes = OneAnswer.fetch(server.address(), SLOW).length;
            List<Double> ms = new ArrayList<>();
            long blocked;
            long elapsedNs;
            try (Blockers blockers =
                    new Blockers(server.address(), THREADS, SLOW, slowBytes)) {
                LockSupport.parkNanos(LEAD_NS);
                long before = blockers.answered();
                int count = isJudged(arm.name()) ? samples
                    : Math.min(samples, SAMPLES_BEHIND_SPINS);
                long startNs = System.nanoTime();
                for (int sample = 0; sample < count; sample++) {
                    int gapMs = GAP_MS_MIN + random.nextInt(GAP_MS_MAX - GAP_MS_MIN);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(gapMs));
                    ms.add(nowMs(server, nowBytes));
                }
                elapsedNs = System.nanoTime() - startNs;
                blocked = blockers.answered() - before;
            }
            double held = blocked * (double) SPIN_MS / TimeUnit.NANOSECONDS.toMillis(elapsedNs);
            if (held < 0.5) {
                throw new IOException("vacuous: " + held + " threads spun on " + arm.name());
            }
            seconds.computeIfAbsent(arm.name(), unused -> new ArrayList<>())
                .add(Statistics.secondHighest(ms));
            all.computeIfAbsent(arm.name(), unused -> new ArrayList<>()).addAll(ms);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("round", round);
            row.put("arm", arm.name());
            row.put("p50_ms", Statistics.median(ms));
            row.put("second_ms", Statistics.secondHighest(ms));
            row.put("held", held);
            artifact.row(row);
        }
    }

    /** From before the connection to the answer's last byte, milliseconds. */
    private static double nowMs(ServerProcess server, int answerBytes) throws IOException {
        long startNs = System.nanoTime();
        try (Asker asker = new Asker(server.address(), NOW, answerBytes)) {
            asker.askNs();
        }
        return (System.nanoTime() - startNs) / 1e6;
    }

    private void conclude(String arm) {
        Map<String, Object> line = new LinkedHashMap<>();
        double worst = seconds.get(arm).stream().max(Double::compare).orElseThrow();
        line.put("arm", arm);
        line.put("samples", all.get(arm).size());
        line.put("p50_ms", Statistics.median(all.get(arm)));
        line.put("second_ms", worst);
        if (isJudged(arm)) {
            line.put("bound_ms", BOUND_MS);
            line.put("holds", worst < BOUND_MS);
        }
        artifact.ratio(line);
    }

    private static boolean isJudged(String arm) {
        return arm.equals(HOST) || arm.equals(MOUNTED);
    }

    private void define() {
        artifact.define("host", "the host serving ramp, " + THREADS + " pool threads");
        artifact.define("mounted", "the second host serving bareapp, with ramp at /x and "
            + THREADS + " pool threads for each of them");
        artifact.define("mounted-on-lane", "the same with M0_MOUNT_LOOP=0: the routes of the loop"
            + " are left to the mount's lane");
        artifact.define("bare-loop", "the host serving ramp without a pool");
        artifact.define("held", "threads that spun at any moment: spins answered times spin_ms"
            + " over elapsed time");
        artifact.define("p50_ms, second_ms", "median and second-highest of a round's samples, each"
            + " on a connection of its own; in ratios of all rounds' samples, and the highest of"
            + " the rounds'");
        artifact.define("holds", "second_ms is below bound_ms; no A/A arm, since a misplaced route"
            + " waits for whole spins");
    }
}
