package kind;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs one kind of bench. Started by {@code bench/run}, which builds and pins. */
public final class Main {
    private static final Map<String, Maker> KINDS = kinds();

    private Main() {
    }

    private static Map<String, Maker> kinds() {
        Map<String, Maker> kinds = new LinkedHashMap<>();
        kinds.put("cpu", CpuBench::new);
        kinds.put("syscalls", SyscallsBench::new);
        kinds.put("allocation", AllocationBench::new);
        kinds.put("first-answer", FirstAnswerBench::new);
        kinds.put("idle", IdleBench::new);
        kinds.put("spread", SpreadBench::new);
        kinds.put("sharing-cost", SharingCostBench::new);
        kinds.put("stop", StopBench::new);
        kinds.put("streams", StreamsBench::new);
        kinds.put("pool-probe", PoolProbeBench::new);
        kinds.put("lane-rate", LaneRateBench::new);
        kinds.put("lane-overlap", LaneOverlapBench::new);
        kinds.put("lane-wake", LaneWakeBench::new);
        kinds.put("lane-idle", LaneIdleBench::new);
        kinds.put("serve-jdk", ServeJdkBench::new);
        kinds.put("ramp-full-lane", RampFullLaneBench::new);
        kinds.put("workers", WorkersBench::new);
        return kinds;
    }

    public static void main(String[] arguments) throws IOException {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            fail(e.getMessage());
            return;
        }
        Maker kind = KINDS.get(options.kind());
        if (kind == null) {
            fail("no kind named '" + options.kind() + "'");
            return;
        }
        try (Stage stage = Stage.set(options)) {
            kind.make(stage).run();
        }
    }

    private static void fail(String finding) {
        System.err.println("bench: " + finding + System.lineSeparator() + "usage: bench/run "
            + String.join("|", KINDS.keySet()) + " " + Options.USAGE);
        System.exit(2);
    }

    /** Makes a kind's bench; one that calibrates itself starts a server for that. */
    private interface Maker {
        Bench make(Stage stage) throws IOException;
    }
}
