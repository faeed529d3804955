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
 */
final class SyscallsBench {
    private static final List<Load> LOADS = List.of(Load.FEW, Load.MANY, Load.PIPELINED);
    private static final Set<String> WAITS = Set.of("epoll_wait", "epoll_pwait", "epoll_pwait2");
    private static final Set<String> TRANSFERS =
        Set.of("read", "write", "readv", "writev", "recvfrom", "sendto", "recvmsg", "sendmsg");

    private final Stage stage;
    private final long requests;
    private final long warmNs;
    private final Artifact artifact;

    SyscallsBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.requests = brief ? 16_000 : 64_000;
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 1_000 : 3_000);
        this.artifact = stage.artifact(Map.of("requests", requests, "tool", "strace -c -p THREAD"));
    }

    void run() throws IOException {
        artifact.define("transfers", "reads and writes of the loop's thread, per burst");
        artifact.define("waits", "epoll_wait calls, per burst");
        artifact.define("epoll_ctl", "changes of interest, whole count");
        artifact.define("others", "every other call of the loop's thread, whole counts");
        artifact.define("holds", "exactly two transfers per request and no epoll_ctl; of a"
            + " pipelined burst, at most three");
        for (Arm arm : List.of(stage.ours("ours"), stage.bare())) {
            try (ServerProcess server = ServerProcess.start(arm, Stage.SERVER_CORE)) {
                for (Load load : LOADS) {
                    count(server, load);
                }
            }
        }
        artifact.write(stage.results());
    }

    private void count(ServerProcess server, Load load) throws IOException {
        try (ClosedLoop loop = stage.load(server.address(), load)) {
            loop.runFor(warmNs);
            Map<String, Long> calls;
            try (SystemCalls counter = new SystemCalls(new CpuClock(server).loopThreadId())) {
                loop.runRequests(requests);
                calls = counter.stop();
            }
            conclude(server.arm(), load, calls);
        }
    }

    private void conclude(Arm arm, Load load, Map<String, Long> calls) {
        long bursts = requests / load.depth();
        long waits = 0;
        long transfers = 0;
        long interest = calls.getOrDefault("epoll_ctl", 0L);
        Map<String, Long> others = new TreeMap<>(calls);
        others.remove("epoll_ctl");
        for (Map.Entry<String, Long> call : calls.entrySet()) {
            if (WAITS.contains(call.getKey())) {
                waits += call.getValue();
                others.remove(call.getKey());
            } else if (TRANSFERS.contains(call.getKey())) {
                transfers += call.getValue();
                others.remove(call.getKey());
            }
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("arm", arm.name());
        row.put("load", load.name());
        row.put("bursts", bursts);
        row.put("calls", new TreeMap<>(calls));
        artifact.row(row);
        Map<String, Object> ratio = new LinkedHashMap<>();
        ratio.put("arm", arm.name());
        ratio.put("load", load.name());
        ratio.put("transfers", transfers / (double) bursts);
        ratio.put("waits", waits / (double) bursts);
        ratio.put("epoll_ctl", interest);
        ratio.put("others", others);
        boolean two = load.depth() == 1 ? transfers == 2 * bursts : transfers <= 3 * bursts;
        ratio.put("holds", two && interest == 0);
        artifact.ratio(ratio);
    }
}
