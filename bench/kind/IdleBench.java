package kind;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import load.ClosedLoop;
import process.Arm;
import process.CpuClock;
import process.LiveHeap;
import process.ServerProcess;
import report.Artifact;

/**
 * What idle keep-alive connections cost: each has made one request, then all are quiet. The live
 * heap is read after a collection, without them and with them, and then the CPU time of quiet.
 */
final class IdleBench implements Bench {
    private static final Load WARM = Load.FEW;
    private static final long WARM_REQUESTS = 20_000;
    private static final int CLASSES = 12;
    private static final double BOUND_BYTES = 1024;
    private static final int[] COUNTS = {5_000, 10_000};

    private final Stage stage;
    private final long quietNs;
    private final Artifact artifact;

    IdleBench(Stage stage) {
        this.stage = stage;
        this.quietNs = TimeUnit.SECONDS.toNanos(stage.options().brief() ? 3 : 10);
        this.artifact = stage.artifact(Map.of("quiet_ms", quietNs / 1_000_000));
    }

    @Override
    public void run() throws IOException {
        artifact.define("live_bytes", "Total of jcmd GC.class_histogram, after a collection, with"
            + " the connections open; live_bytes_before the same with none");
        artifact.define("heap_bytes_each", "the difference divided by the connections");
        artifact.define("grown", "the classes that grew most, in bytes");
        artifact.define("cpu_ms, loop_cpu_ms", "CPU time of all threads and of the loop's thread"
            + " over quiet_ms with the connections open; the _before ones with none");
        artifact.define("holds", "5,000 connections hold at most bound_bytes each");
        for (int count : COUNTS) {
            for (Arm arm : List.of(stage.ours("ours"), stage.bare())) {
                hold(arm, count);
            }
        }
        artifact.write(stage.results());
    }

    private void hold(Arm arm, int count) throws IOException {
        try (ServerProcess server = ServerProcess.start(arm, Stage.SERVER_CORE)) {
            try (ClosedLoop warm = stage.load(server.address(), WARM)) {
                warm.runRequests(WARM_REQUESTS);
            }
            CpuClock clock = new CpuClock(server);
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            LiveHeap before = LiveHeap.of(server);
            CpuClock.Reading quietBefore = quiet(clock);
            try (ClosedLoop idle = stage.load(server.address(), new Load(count, 1, 0))) {
                idle.runRequests(count);
                LiveHeap held = LiveHeap.of(server);
                CpuClock.Reading quietHeld = quiet(clock);
                idle.runRequests(count);
                conclude(arm, count, before, held, quietBefore, quietHeld);
            }
        }
    }

    /** The CPU time of a quiet slice, begun half a second late so that compilers have ended. */
    private CpuClock.Reading quiet(CpuClock clock) throws IOException {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        CpuClock.Reading start = clock.read();
        LockSupport.parkNanos(quietNs);
        return clock.read().since(start);
    }

    private void conclude(Arm arm, int count, LiveHeap before, LiveHeap held,
            CpuClock.Reading quietBefore, CpuClock.Reading quietHeld) {
        double each = (held.bytes() - before.bytes()) / (double) count;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("arm", arm.name());
        row.put("connections", count);
        row.put("live_bytes_before", before.bytes());
        row.put("live_bytes", held.bytes());
        row.put("grown", held.grownSince(before, CLASSES));
        artifact.row(row);
        Map<String, Object> median = new LinkedHashMap<>();
        median.put("arm", arm.name());
        median.put("connections", count);
        median.put("heap_bytes_each", each);
        median.put("cpu_ms_before", quietBefore.processNs() / 1e6);
        median.put("cpu_ms", quietHeld.processNs() / 1e6);
        median.put("loop_cpu_ms_before", quietBefore.loopNs() / 1e6);
        median.put("loop_cpu_ms", quietHeld.loopNs() / 1e6);
        median.put("bound_bytes", BOUND_BYTES);
        median.put("holds", each <= BOUND_BYTES);
        artifact.median(median);
    }
}
