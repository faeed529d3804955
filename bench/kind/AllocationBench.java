package kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import load.ClosedLoop;
import process.AllocationCounter;
import process.Arm;
import process.ServerProcess;
import report.Artifact;
import report.Statistics;

/**
 * Bytes that the loop's thread allocates per request, counted by the JVM over served requests.
 *
 * <p>The JDK's epoll selector looks a descriptor's key up in a {@code HashMap} and boxes the
 * descriptor's number for it: 16 bytes for each ready event whose descriptor is above 127, in every
 * server on that JDK. So with 256 connections the arms are also run with a cache of boxes that
 * holds all descriptors, which leaves what the loop itself allocates.
 */
final class AllocationBench {
    private static final List<Load> LOADS = List.of(Load.FEW, Load.MANY, Load.PIPELINED);
    private static final long REQUESTS = 102_400;
    private static final int ROUNDS = 3;

    private static final String BOXES = "-XX:AutoBoxCacheMax=4096";

    private final Stage stage;
    private final long warmNs;
    private final Artifact artifact;
    /** Bytes per request by arm and load. */
    private final Map<String, Double> medians = new LinkedHashMap<>();

    AllocationBench(Stage stage) {
        this.stage = stage;
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(stage.options().brief() ? 1_500 : 5_000);
        this.artifact = stage.artifact(Map.of("requests", REQUESTS, "rounds", ROUNDS));
    }

    void run() throws IOException {
        artifact.define("bytes", "ThreadMXBean.getThreadAllocatedBytes of the loop's thread, read"
            + " over local JMX before and after, over so many requests on warm connections");
        artifact.define("bytes_per_request", "median of the rounds");
        artifact.define("ours-boxes, bare-boxes", "the same with " + BOXES + ": without it the"
            + " JDK's selector boxes every descriptor above 127, 16 bytes for each ready event");
        artifact.define("own", "what ours-boxes allocated: the loop's own bytes per request");
        artifact.define("holds", "own is less than one byte in 100 requests: what is left is work"
            + " by time, not by request (the Date, a sweep)");
        for (Arm arm : List.of(stage.ours("ours"), stage.bare())) {
            count(arm);
            count(arm.withFlag(arm.name() + "-boxes", BOXES));
        }
        for (Load load : LOADS) {
            conclude(load);
        }
        artifact.write(stage.results());
    }

    private void conclude(Load load) {
        double own = medians.get("ours-boxes " + load.name());
        Map<String, Object> ratio = new LinkedHashMap<>();
        ratio.put("load", load.name());
        ratio.put("ours", medians.get("ours " + load.name()));
        ratio.put("bare", medians.get("bare " + load.name()));
        ratio.put("own", own);
        ratio.put("holds", own < 0.01);
        artifact.ratio(ratio);
    }

    private void count(Arm arm) throws IOException {
        try (ServerProcess server = ServerProcess.start(arm, Stage.SERVER_CORE);
                AllocationCounter counter = new AllocationCounter(server)) {
            for (Load load : LOADS) {
                count(server, counter, load);
            }
        }
    }

    private void count(ServerProcess server, AllocationCounter counter, Load load)
            throws IOException {
        List<Double> perRequest = new ArrayList<>();
        try (ClosedLoop loop = stage.load(server.address(), load)) {
            loop.runFor(warmNs);
            for (int round = 0; round < ROUNDS; round++) {
                long before = counter.bytes();
                loop.runRequests(REQUESTS);
                long bytes = counter.bytes() - before;
                perRequest.add(bytes / (double) REQUESTS);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("arm", server.arm().name());
                row.put("load", load.name());
                row.put("round", round);
                row.put("bytes", bytes);
                artifact.row(row);
            }
        }
        Map<String, Object> median = new LinkedHashMap<>();
        median.put("arm", server.arm().name());
        median.put("load", load.name());
        median.put("bytes_per_request", Statistics.median(perRequest));
        artifact.median(median);
        medians.put(server.arm().name() + " " + load.name(), Statistics.median(perRequest));
    }
}
