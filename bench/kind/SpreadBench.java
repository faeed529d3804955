package kind;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import load.OneAnswer;
import process.Arm;
import process.ServerProcess;
import report.Artifact;
import report.Statistics;

/** Which loop holds each of 32 connections made one after the other, shared and as a bare race. */
final class SpreadBench implements Bench {
    private static final int LOOPS = 4;
    private static final int CONNECTIONS = 32;
    private static final int RUNS = 20;
    private static final double BOUND = 2;
    private static final long GAP_NS = TimeUnit.MILLISECONDS.toNanos(3);
    private static final String CORES = "0,1";
    private static final Pattern LOOP = Pattern.compile("\"loop\":([0-9]+)");
    private static final byte[] REQUEST =
        "GET /instance HTTP/1.1\r\nHost: m0.example\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Stage stage;
    private final int runs;
    private final Artifact artifact;

    SpreadBench(Stage stage) {
        this.stage = stage;
        this.runs = stage.options().pairsOr(RUNS);
        this.artifact = stage.artifact(Map.of("runs", runs, "loops", LOOPS, "connections",
            CONNECTIONS, "gap_ms", TimeUnit.NANOSECONDS.toMillis(GAP_NS), "server_core", CORES,
            "application", "host_check"));
    }

    @Override
    public void run() throws IOException {
        artifact.define("shared, race", "M0_ACCEPT_SHARE 1 and 0; a fresh process for each run,"
            + " the arms alternating");
        artifact.define("held", "connections that each loop holds");
        artifact.define("most_over_least", "of one run; a loop without any counts as one");
        artifact.define("even", "runs in which every loop held the same number");
        artifact.define("outside", "runs in which some loop held more than twice another's");
        artifact.define("worst", "the highest most_over_least");
        artifact.define("holds", "no run was outside");
        Map<String, List<int[]>> all = new LinkedHashMap<>();
        for (int run = 0; run < runs; run++) {
            for (String arm : List.of("shared", "race")) {
                int[] held = held(arm);
                all.computeIfAbsent(arm, unused -> new ArrayList<>()).add(held);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("run", run);
                row.put("arm", arm);
                row.put("held", Arrays.stream(held).boxed().toList());
                row.put("most_over_least", ratio(held));
                artifact.row(row);
            }
        }
        all.forEach(this::conclude);
        artifact.write(stage.results());
    }

    private int[] held(String name) throws IOException {
        Arm arm = stage.ours("ours").with(name, Map.of("M0_APP", "host_check", "M0_THREADS",
            String.valueOf(LOOPS), "M0_ACCEPT_SHARE", name.equals("shared") ? "1" : "0"));
        List<Socket> open = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(arm, CORES)) {
            int[] held = new int[LOOPS];
            for (int i = 0; i < CONNECTIONS; i++) {
                held[loop(server.address(), open)]++;
                LockSupport.parkNanos(GAP_NS);
            }
            return held;
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static int loop(InetSocketAddress address, List<Socket> open) throws IOException {
        Socket socket = new Socket();
        open.add(socket);
        socket.connect(address);
        String answer = new String(OneAnswer.fetch(socket, REQUEST), StandardCharsets.ISO_8859_1);
        Matcher loop = LOOP.matcher(answer);
        if (!loop.find()) {
            throw new IOException("no loop in " + answer);
        }
        return Integer.parseInt(loop.group(1));
    }

    private static double ratio(int[] held) {
        double least = Math.max(1, Arrays.stream(held).min().orElseThrow());
        return Arrays.stream(held).max().orElseThrow() / least;
    }

    private void conclude(String arm, List<int[]> held) {
        List<Double> ratios = held.stream().map(SpreadBench::ratio).toList();
        double worst = ratios.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("arm", arm);
        line.put("even", ratios.stream().filter(ratio -> ratio == 1).count());
        line.put("runs", held.size());
        line.put("outside", ratios.stream().filter(ratio -> ratio > BOUND).count());
        line.put("worst", worst);
        line.put("most_over_least", Statistics.median(ratios));
        if (arm.equals("shared")) {
            line.put("bound", BOUND);
            line.put("holds", worst <= BOUND);
        }
        artifact.ratio(line);
    }
}
