package kind;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import process.Arm;
import process.ServerProcess;
import report.Artifact;
import report.Pairs;
import report.Statistics;

/** From SIGTERM to the end of the process, with idle loops, beside a JVM that has nothing to end. */
final class StopBench implements Bench {
    private static final int PAIRS = 9;
    private static final int LOOPS = 2;
    private static final double BOUND_MS = 300;
    private static final String CORES = "0,1";
    private static final String OURS = "ours";
    private static final String AGAIN = "ours-again";

    private final Stage stage;
    private final int pairs;
    private final Artifact artifact;

    StopBench(Stage stage) {
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.artifact = stage.artifact(Map.of("pairs", pairs, "loops", LOOPS, "server_core",
            CORES));
    }

    @Override
    public void run() throws IOException {
        artifact.define("end", "floor.BareEnd: waits for SIGTERM, which it takes through"
            + " sun.misc.Signal, and exits with 0");
        artifact.define("ms", "from SIGTERM to the end of the process, exit code 0");
        artifact.define("difference_ms", "median over pairs of ours minus end");
        artifact.define("aa_half_width_ms", "half the distance from the second-lowest to the"
            + " second-highest of ours-again minus ours");
        artifact.define("holds", "difference_ms is under bound_ms plus aa_half_width_ms");
        Map<String, String> loops = Map.of("M0_THREADS", String.valueOf(LOOPS));
        List<Arm> arms = List.of(stage.ours(OURS).with(OURS, loops), stage.end(),
            stage.ours(AGAIN).with(AGAIN, loops));
        Pairs times = new Pairs();
        for (int pair = 0; pair < pairs; pair++) {
            for (int turn = 0; turn < arms.size(); turn++) {
                Arm arm = arms.get((pair + turn) % arms.size());
                double ms = stopMs(arm);
                times.add(arm.name(), ms);
                artifact.row(Map.of("pair", pair, "arm", arm.name(), "ms", ms));
            }
        }
        for (String arm : times.arms()) {
            artifact.median(Map.of("arm", arm, "ms", times.median(arm)));
        }
        conclude(times);
        artifact.write(stage.results());
    }

    private static double stopMs(Arm arm) throws IOException {
        try (ServerProcess server = ServerProcess.start(arm, CORES)) {
            return server.stopNs() / 1e6;
        }
    }

    private void conclude(Pairs times) {
        double difference = Statistics.median(times.differences(OURS, "end"));
        double halfWidth = Statistics.halfWidth(times.differences(AGAIN, OURS));
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("difference_ms", difference);
        line.put("aa_half_width_ms", halfWidth);
        line.put("bound_ms", BOUND_MS);
        line.put("holds", difference < BOUND_MS + halfWidth);
        artifact.ratio(line);
    }
}
