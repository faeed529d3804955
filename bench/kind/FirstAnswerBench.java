package kind;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import process.Arm;
import process.CpuClock;
import process.Jdk;
import process.ServerProcess;
import report.Artifact;
import report.Statistics;

/**
 * From the start of a server's process to the first byte of its first answer, ours and the floor
 * alternated on one core, on each JDK found.
 */
final class FirstAnswerBench implements Bench {
    private static final int PAIRS = 15;
    private static final double BOUND_MS = 100;
    private static final int[] FEATURES = {17, 25};
    private static final long ANSWER_NS_MAX = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = 500_000;

    private static final String OURS = "ours";
    private static final String AGAIN = "ours-again";
    private static final String BARE = "bare";

    private final Stage stage;
    private final int pairs;
    private final Artifact artifact;

    FirstAnswerBench(Stage stage) {
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.artifact = stage.artifact(Map.of("pairs", pairs));
    }

    @Override
    public void run() throws IOException {
        artifact.define("ms", "from before the process is started to the first byte of the answer"
            + " to the first request; the client tries to connect every half millisecond");
        artifact.define("cpu_ms", "CPU time of all the server's threads until then: what the wait"
            + " is made of on one core, and less moved by what else runs");
        artifact.define("difference_ms, cpu_difference_ms", "median over pairs of ours minus bare");
        artifact.define("aa_half_width_ms", "half the distance from the second-lowest to the"
            + " second-highest of ours-again minus ours");
        artifact.define("holds", "difference_ms is at most bound_ms plus aa_half_width_ms");
        for (int feature : FEATURES) {
            Optional<Jdk> jdk = Jdk.installed(feature);
            if (jdk.isPresent()) {
                compare(jdk.get());
            } else {
                System.out.println("no JDK " + feature + " beside the running one");
            }
        }
        artifact.write(stage.results());
    }

    private void compare(Jdk jdk) throws IOException {
        List<Arm> arms = List.of(stage.ours(OURS).on(jdk), stage.bare().on(jdk),
            stage.ours(AGAIN).on(jdk));
        // The first of each reads its jar and its JDK from the disk.
        for (Arm arm : arms) {
            start(arm);
        }
        Map<String, List<Start>> starts = new LinkedHashMap<>();
        for (int pair = 0; pair < pairs; pair++) {
            for (int turn = 0; turn < arms.size(); turn++) {
                Arm arm = arms.get((pair + turn) % arms.size());
                Start start = start(arm);
                starts.computeIfAbsent(arm.name(), unused -> new ArrayList<>()).add(start);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("jdk", jdk.version());
                row.put("pair", pair);
                row.put("arm", arm.name());
                row.put("ms", start.ms);
                row.put("cpu_ms", start.cpuMs);
                artifact.row(row);
            }
        }
        starts.forEach((arm, values) -> {
            Map<String, Object> median = new LinkedHashMap<>();
            median.put("jdk", jdk.version());
            median.put("arm", arm);
            median.put("ms", Statistics.median(values.stream().map(Start::ms).toList()));
            median.put("cpu_ms", Statistics.median(values.stream().map(Start::cpuMs).toList()));
            artifact.median(median);
        });
        conclude(jdk, starts);
    }

    private void conclude(Jdk jdk, Map<String, List<Start>> starts) {
        double difference = Statistics.median(
            differences(starts.get(OURS), starts.get(BARE), Start::ms));
        double halfWidth = Statistics.halfWidth(
            differences(starts.get(AGAIN), starts.get(OURS), Start::ms));
        Map<String, Object> ratio = new LinkedHashMap<>();
        ratio.put("jdk", jdk.version());
        ratio.put("difference_ms", difference);
        ratio.put("aa_half_width_ms", halfWidth);
        ratio.put("cpu_difference_ms", Statistics.median(
            differences(starts.get(OURS), starts.get(BARE), Start::cpuMs)));
        ratio.put("bound_ms", BOUND_MS);
        ratio.put("holds", difference <= BOUND_MS + halfWidth);
        artifact.ratio(ratio);
    }

    private static List<Double> differences(List<Start> left, List<Start> right,
            ToDoubleFunction<Start> figure) {
        List<Double> differences = new ArrayList<>();
        for (int pair = 0; pair < left.size(); pair++) {
            differences.add(figure.applyAsDouble(left.get(pair))
                - figure.applyAsDouble(right.get(pair)));
        }
        return differences;
    }

    private static Start start(Arm arm) throws IOException {
        InetSocketAddress address = freeAddress();
        long startNs = System.nanoTime();
        try (ServerProcess server = ServerProcess.launch(arm, Stage.SERVER_CORE,
                address.getPort())) {
            double ms = (firstByteNs(address, startNs, server) - startNs) / 1e6;
            return new Start(ms, CpuClock.processNs(server) / 1e6);
        }
    }

    private static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
        }
    }

    private static long firstByteNs(InetSocketAddress address, long startNs, ServerProcess server)
            throws IOException {
        while (System.nanoTime() - startNs < ANSWER_NS_MAX) {
            try (Socket socket = new Socket()) {
                socket.connect(address);
                socket.setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(ANSWER_NS_MAX));
                socket.getOutputStream().write(Stage.REQUEST);
                if (socket.getInputStream().read() != 'H') {
                    throw new IOException("the first byte is not an answer's" + server.output());
                }
                return System.nanoTime();
            } catch (ConnectException e) {
                // Not listening yet.
                LockSupport.parkNanos(POLL_NS);
            }
        }
        throw new IOException("no answer" + server.output());
    }

    /** One start: how long until the first byte of an answer, and the CPU time it took. */
    private record Start(double ms, double cpuMs) {
    }
}
