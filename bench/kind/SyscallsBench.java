package kind;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import load.ClosedLoop;
import process.Arm;
import process.CpuClock;
import process.ServerProcess;
import process.SystemCalls;
import report.Artifact;

/**
 * System calls of the loop's thread over a fixed number of requests on warm connections.
 *
 * <p>A count, not a time: a read and a write for each request, the wait shared by all that were
 * ready, and no change of interest. What remains is listed by name. A burst of pipelined requests
 * may cost one read more, which looks for the FIN behind it.
 *
 * <p>Requests that a pool answers are counted too, on both cores, the loop's calls and those of the
 * pool's threads apart. How many wake-ups there are depends on who is awake when, and a traced
 * thread is a slow one: that is shown and not judged.
 */
final class SyscallsBench implements Bench {
    private static final List<Load> LOADS = List.of(Load.FEW, Load.MANY, Load.PIPELINED);
    private static final List<Load> POOL_LOADS = List.of(Load.FEW, Load.MANY);
    private static final List<Integer> POOLS = List.of(1, 4);
    private static final Set<String> WAITS = Set.of("epoll_wait", "epoll_pwait", "epoll_pwait2");
    private static final Set<String> TRANSFERS =
        Set.of("read", "write", "readv", "writev", "recvfrom", "sendto", "recvmsg", "sendmsg");

    private final Stage stage;
    private final long requests;
    /** Fewer, since several threads are traced for each. */
    private final long pooledRequests;
    private final long warmNs;
    private final Artifact artifact;

    SyscallsBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.requests = brief ? 16_000 : 64_000;
        this.pooledRequests = requests / 4;
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 1_000 : 3_000);
        this.artifact = stage.artifact(Map.of("requests", requests, "pooled_requests", pooledRequests,
            "tool", "strace -c -p THREAD"));
    }

    @Override
    public void run() throws IOException {
        artifact.define("transfers", "reads and writes of the loop's thread, per burst");
        artifact.define("waits", "epoll_wait calls, per burst");
        artifact.define("epoll_ctl", "changes of interest, whole count");
        artifact.define("others", "every other call of the loop's thread, whole counts");
        artifact.define("ours-pool-N", "pool_spike with a pool of N threads that answers "
            + Spike.FAST + ", on cores " + Spike.CORES + "; transfers are then also the loop's"
            + " reads of wake-ups; nothing is claimed");
        artifact.define("pool_calls", "calls of the pool's threads, whole counts, as one sum");
        artifact.define("holds", "exactly two transfers per request and no epoll_ctl; of a"
            + " pipelined burst, at most three");
        for (Arm arm : List.of(stage.ours("ours"), stage.bare())) {
            try (ServerProcess server = ServerProcess.start(arm, Stage.SERVER_CORE)) {
                for (Load load : LOADS) {
                    count(server, load);
                }
            }
        }
        for (int threads : POOLS) {
            Arm arm = Spike.arm(stage, "ours-pool-" + threads, threads);
            try (ServerProcess server = ServerProcess.start(arm, Spike.CORES)) {
                for (Load load : POOL_LOADS) {
                    countPooled(server, load);
                }
            }
        }
        artifact.write(stage.results());
    }

    private void count(ServerProcess server, Load load) throws IOException {
        try (ClosedLoop loop = stage.load(server.address(), load)) {
            loop.runFor(warmNs);
            Map<String, Long> calls;
            try (SystemCalls counter =
                    new SystemCalls(List.of(new CpuClock(server).loopThreadId()))) {
                loop.runRequests(requests);
                calls = counter.stop();
            }
            Map<String, Object> ratio = sums(server.arm(), load, requests, calls);
            boolean two = load.depth() == 1
                ? transfers(calls) == 2 * requests
                : transfers(calls) <= 3 * requests / load.depth();
            ratio.put("holds", two && !calls.containsKey("epoll_ctl"));
            artifact.ratio(ratio);
        }
    }

    private void countPooled(ServerProcess server, Load load) throws IOException {
        try (ClosedLoop loop = Spike.load(server, load)) {
            loop.runFor(warmNs);
            Map<String, Long> calls;
            Map<String, Long> poolCalls;
            try (SystemCalls counter =
                        new SystemCalls(List.of(new CpuClock(server).loopThreadId()));
                    SystemCalls poolCounter =
                        new SystemCalls(CpuClock.threadIds(server, Arm.POOL_THREADS))) {
                loop.runRequests(pooledRequests);
                calls = counter.stop();
                poolCalls = poolCounter.stop();
            }
            Map<String, Object> ratio = sums(server.arm(), load, pooledRequests, calls);
            ratio.put("pool_calls", new TreeMap<>(poolCalls));
            artifact.ratio(ratio);
        }
    }

    /** What is said of every arm; also leaves a row of the whole counts. */
    private Map<String, Object> sums(Arm arm, Load load, long count, Map<String, Long> calls) {
        long bursts = count / load.depth();
        Map<String, Long> others = new TreeMap<>(calls);
        others.keySet().removeAll(WAITS);
        others.keySet().removeAll(TRANSFERS);
        others.remove("epoll_ctl");
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("arm", arm.name());
        row.put("load", load.name());
        row.put("bursts", bursts);
        row.put("calls", new TreeMap<>(calls));
        artifact.row(row);
        Map<String, Object> ratio = new LinkedHashMap<>();
        ratio.put("arm", arm.name());
        ratio.put("load", load.name());
        ratio.put("transfers", transfers(calls) / (double) bursts);
        ratio.put("waits", sum(calls, WAITS) / (double) bursts);
        ratio.put("epoll_ctl", calls.getOrDefault("epoll_ctl", 0L));
        ratio.put("others", others);
        return ratio;
    }

    private static long transfers(Map<String, Long> calls) {
        return sum(calls, TRANSFERS);
    }

    private static long sum(Map<String, Long> calls, Set<String> names) {
        return names.stream().mapToLong(name -> calls.getOrDefault(name, 0L)).sum();
    }
}
