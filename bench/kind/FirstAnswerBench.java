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
import process.Arm;
import process.Jdk;
import process.ServerProcess;
import report.Artifact;
import report.Statistics;

/**
 * From the start of a server's process to the first byte of its first answer, ours and the floor
 * alternated on one core, on each JDK found.
 */
final class FirstAnswerBench {
    private static final int PAIRS = 15;
    private static final double BOUND_MS = 100;
    private static final int[] FEATURES = {17, 25};
    private static final long ANSWER_NS_MAX = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = 500_000;

    private final Stage stage;
    private final int pairs;
    private final Artifact artifact;

    FirstAnswerBench(Stage stage) {
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.artifact = stage.artifact(Map.of("pairs", pairs));
    }

    void run() throws IOException {
        artifact.define("ms", "from before the process is started to the first byte of the answer"
            + " to the first request; the client tries to connect every half millisecond");
        artifact.define("difference_ms", "median over pairs of ours minus bare");
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
        List<Arm> arms = List.of(stage.ours("ours").on(jdk), stage.bare().on(jdk),
            stage.ours("ours-again").on(jdk));
        // The first of each reads its jar and its JDK from the disk.
        for (Arm arm : arms) {
            firstAnswerMs(arm);
        }
        Map<String, List<Double>> values = new LinkedHashMap<>();
        for (int pair = 0; pair < pairs; pair++) {
            for (int turn = 0; turn < arms.size(); turn++) {
                Arm arm = arms.get((pair + turn) % arms.size());
                double ms = firstAnswerMs(arm);
                values.computeIfAbsent(arm.name(), unused -> new ArrayList<>()).add(ms);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("jdk", jdk.version());
                row.put("pair", pair);
                row.put("arm", arm.name());
                row.put("ms", ms);
                artifact.row(row);
            }
        }
        for (Arm arm : arms) {
            Map<String, Object> median = new LinkedHashMap<>();
            median.put("jdk", jdk.version());
            median.put("arm", arm.name());
            median.put("ms", Statistics.median(values.get(arm.name())));
            artifact.median(median);
        }
        double difference = Statistics.median(
            differences(values.get("ours"), values.get("bare")));
        double halfWidth = Statistics.halfWidth(
            differences(values.get("ours-again"), values.get("ours")));
        Map<String, Object> ratio = new LinkedHashMap<>();
        ratio.put("jdk", jdk.version());
        ratio.put("difference_ms", difference);
        ratio.put("aa_half_width_ms", halfWidth);
        ratio.put("bound_ms", BOUND_MS);
        ratio.put("holds", difference <= BOUND_MS + halfWidth);
        artifact.ratio(ratio);
    }

    private static List<Double> differences(List<Double> left, List<Double> right) {
        List<Double> differences = new ArrayList<>();
        for (int pair = 0; pair < left.size(); pair++) {
            differences.add(left.get(pair) - right.get(pair));
        }
        return differences;
    }

    private static double firstAnswerMs(Arm arm) throws IOException {
        InetSocketAddress address = freeAddress();
        long startNs = System.nanoTime();
        try (ServerProcess server = ServerProcess.launch(arm, Stage.SERVER_CORE,
                address.getPort())) {
            return (firstByteNs(address, startNs, server) - startNs) / 1e6;
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
}
