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
 * holds all descriptors, which leaves what the loop itself allocates. With a pool it is the same
 * question about requests that go to the pool and come back; what the pool's threads allocate for
 * them is shown apart.
 */
final class AllocationBench implements Bench {
    private static final List<Load> LOADS = List.of(Load.FEW, Load.MANY, Load.PIPELINED);
    private static final int ROUNDS = 3;

    private static final int THREADS = 4;
    private static final String POOL = "ours-pool-boxes";
    private static final String BOXES = "-XX:AutoBoxCacheMax=4096";

    private final Stage stage;
    private final long requests;
    private final long warmNs;
    private final Artifact artifact;
    /** Bytes per request by arm and load. */
    private final Map<String, Double> medians = new LinkedHashMap<>();

    AllocationBench(Stage stage) {
        this.stage = stage;
        this.requests = stage.options().brief() ? 20_480 : 102_400;
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(stage.options().brief() ? 1_500 : 5_000);
        this.artifact = stage.artifact(Map.of("requests", requests, "rounds", ROUNDS,
            "threads", THREADS));
    }

    @Override
    public void run() throws IOException {
        artifact.define("bytes", "ThreadMXBean.getThreadAllocatedBytes of the loop's thread, read"
            + " over local JMX before and after, over so many requests on warm connections");
        artifact.define("bytes_per_request", "median of the rounds");
        artifact.define("ours-boxes, bare-boxes", "the same with " + BOXES + ": without it the"
            + " JDK's selector boxes every descriptor above 127, 16 bytes for each ready event");
        artifact.define("own", "what ours-boxes allocated: the loop's own bytes per request");
        artifact.define("ours-pool-boxes", "the same of pool_spike with a pool of as many threads"
            + " as there stand in parameters, which answers " + Spike.FAST);
        artifact.define("pooled", "what the loop's thread allocated then, per request");
        artifact.define("pool_bytes, pool_bytes_per_request", "the same count of the pool's"
            + " threads, as one sum");
        artifact.define("holds", "own and pooled are less than one byte in 100 requests each: what"
            + " is left is work by time, not by request (the Date, a sweep)");
        for (Arm arm : List.of(stage.ours("ours"), stage.bare())) {
            count(arm);
            count(arm.withFlag(arm.name() + "-boxes", BOXES));
        }
        count(Spike.arm(stage, POOL, THREADS).withFlag(POOL, BOXES));
        for (Load load : LOADS) {
            conclude(load);
        }
        artifact.write(stage.results());
    }

    private void conclude(Load load) {
        double own = medians.get("ours-boxes " + load.name());
        double pooled = medians.get(POOL + " " + load.name());
        Map<String, Object> ratio = new LinkedHashMap<>();
        ratio.put("load", load.name());
        ratio.put("ours", medians.get("ours " + load.name()));
        ratio.put("bare", medians.get("bare " + load.name()));
        ratio.put("own", own);
        ratio.put("pooled", pooled);
        ratio.put("holds", own < 0.01 && pooled < 0.01);
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
        List<Double> poolPerRequest = new ArrayList<>();
        boolean pooled = server.arm().name().equals(POOL);
        try (ClosedLoop loop =
                pooled ? Spike.load(server, load) : stage.load(server.address(), load)) {
            loop.runFor(warmNs);
            for (int round = 0; round < ROUNDS; round++) {
                long poolBefore = counter.bytesOf(Arm.POOL_THREADS);
                long before = counter.bytes();
                loop.runRequests(requests);
                long bytes = counter.bytes() - before;
                long poolBytes = counter.bytesOf(Arm.POOL_THREADS) - poolBefore;
                perRequest.add(bytes / (double) requests);
                poolPerRequest.add(poolBytes / (double) requests);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("arm", server.arm().name());
                row.put("load", load.name());
                row.put("round", round);
                row.put("bytes", bytes);
                row.put("pool_bytes", poolBytes);
                artifact.row(row);
            }
        }
        Map<String, Object> median = new LinkedHashMap<>();
        median.put("arm", server.arm().name());
        median.put("load", load.name());
        median.put("bytes_per_request", Statistics.median(perRequest));
        median.put("pool_bytes_per_request", Statistics.median(poolPerRequest));
        artifact.median(median);
        medians.put(server.arm().name() + " " + load.name(), Statistics.median(perRequest));
    }
}
