package kind;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import load.OneAnswer;
import process.Arm;
import process.ProcessTree;
import process.ServerProcess;
import report.Artifact;
import report.Statistics;

/**
 * What workers cost and how soon one is replaced: from the SIGKILL of worker 0 to the first beat of its
 * successor on a stream that worker 1 holds; memory of N workers beside N threads; and how 32
 * connections spread over two workers.
 */
final class WorkersBench implements Bench {
    private static final int RESPAWNS = 5;
    private static final int SPREADS = 20;
    private static final int CONNECTIONS = 32;
    private static final int WARM_REQUESTS = 500;
    private static final double RESPAWN_MS_MAX = 2000;
    private static final double SPREAD_MAX = 2;
    private static final long GAP_NS = TimeUnit.MILLISECONDS.toNanos(3);
    private static final int STREAMS_MAX = 32;
    private static final String CORES = "0,1";
    private static final Pattern LOOP = Pattern.compile("\"loop\":([0-9]+)");
    private static final Pattern BEAT = Pattern.compile("data: \\{\"beat\":[0-9]+,\"pid\":([0-9]+)}");
    private static final byte[] INSTANCE = request("/instance");
    private static final byte[] EVENTS = request("/events");

    private final Stage stage;
    private final int respawns;
    private final int spreads;
    private final Artifact artifact;

    WorkersBench(Stage stage) {
        this.stage = stage;
        respawns = stage.options().pairsOr(RESPAWNS);
        spreads = stage.options().pairsOr(SPREADS);
        artifact = stage.artifact(Map.of("respawns", respawns, "period_ms", 50, "spreads", spreads,
            "connections", CONNECTIONS, "gap_ms", TimeUnit.NANOSECONDS.toMillis(GAP_NS),
            "server_core", CORES, "application", "host_check"));
    }

    private static byte[] request(String target) {
        return ("GET " + target + " HTTP/1.1\r\nHost: m0.example\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void run() throws IOException {
        artifact.define("respawn_ms", "from SIGKILL of worker 0 of two to the first beat of its"
            + " successor, read on a stream that worker 1 has held all the while");
        artifact.define("rss_mib, pss_mib", "resident and proportional memory of all processes, the"
            + " supervisor's too, behind 32 connections of 500 requests each; heaps as the JVM sizes"
            + " them by itself");
        artifact.define("most_over_least", "of 32 connections made one after the other on two"
            + " workers, a fresh host for each run");
        respawn();
        for (int loops : new int[] {2, 4}) {
            memory(loops);
        }
        spread();
        artifact.write(stage.results());
    }

    private void respawn() throws IOException {
        List<Double> all = new ArrayList<>();
        for (int run = 0; run < respawns; run++) {
            double ms = respawnMs();
            all.add(ms);
            artifact.row(row("respawn", "run", run, "respawn_ms", ms));
        }
        artifact.median(row("respawn", "respawn_ms", Statistics.median(all), "worst_ms",
            Statistics.percentile(all, 100), "bound_ms", RESPAWN_MS_MAX, "holds",
            Statistics.percentile(all, 100) <= RESPAWN_MS_MAX));
    }

    private double respawnMs() throws IOException {
        Arm arm = arm("workers", "M0_WORKERS", 2, "M0_HOSTCHECK_PERIOD_MS", 50);
        List<Socket> open = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(arm, CORES)) {
            BufferedReader held = streamOfWorker1(server.address(), open);
            beatOfAnother(held, -1);
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            long killed = ProcessTree.childWith(server.pid(), "M0_INTERNAL_WORKER=0");
            long sinceNs = System.nanoTime();
            ProcessHandle.of(killed).orElseThrow(() -> new IOException("no worker 0"))
                .destroyForcibly();
            beatOfAnother(held, killed);
            return (System.nanoTime() - sinceNs) / 1e6;
        } finally {
            closeAll(open);
        }
    }

    private static BufferedReader streamOfWorker1(InetSocketAddress address, List<Socket> open)
            throws IOException {
        for (int tried = 0; tried < STREAMS_MAX; tried++) {
            Socket socket = new Socket();
            open.add(socket);
            socket.connect(address);
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(EVENTS);
            BufferedReader lines = new BufferedReader(new InputStreamReader(
                socket.getInputStream(), StandardCharsets.ISO_8859_1));
            String worker = "";
            for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
                worker = line.startsWith("X-Worker: ") ? line.substring(10) : worker;
            }
            if (worker.equals("1")) {
                return lines;
            }
        }
        throw new IOException("no stream came to worker 1");
    }

    /** Reads on until a beat of another process comes. */
    private static void beatOfAnother(BufferedReader lines, long pid) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher beat = BEAT.matcher(line);
            if (beat.find() && Long.parseLong(beat.group(1)) != pid) {
                return;
            }
        }
        throw new IOException("the stream has ended");
    }

    private void memory(int loops) throws IOException {
        Map<String, List<Double>> resident = new LinkedHashMap<>();
        Map<String, List<Double>> proportional = new LinkedHashMap<>();
        for (int run = 0; run < 3; run++) {
            for (String mode : List.of("M0_THREADS", "M0_WORKERS")) {
                ProcessTree.Memory memory = memory(arm(mode + "=" + loops, mode, loops));
                double rss = memory.residentBytes() / 1048576.0;
                double pss = memory.proportionalBytes() / 1048576.0;
                resident.computeIfAbsent(mode, unused -> new ArrayList<>()).add(rss);
                proportional.computeIfAbsent(mode, unused -> new ArrayList<>()).add(pss);
                artifact.row(row("memory", "mode", mode, "loops", loops, "run", run, "rss_mib", rss,
                    "pss_mib", pss));
            }
        }
        double threads = Statistics.median(proportional.get("M0_THREADS"));
        double workers = Statistics.median(proportional.get("M0_WORKERS"));
        artifact.ratio(row("memory", "loops", loops,
            "threads_rss_mib", Statistics.median(resident.get("M0_THREADS")),
            "workers_rss_mib", Statistics.median(resident.get("M0_WORKERS")),
            "threads_pss_mib", threads, "workers_pss_mib", workers, "pss_workers_over_threads",
            workers / threads));
    }

    private static ProcessTree.Memory memory(Arm arm) throws IOException {
        List<Socket> open = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(arm, CORES)) {
            for (int count = 0; count < CONNECTIONS; count++) {
                Socket socket = connect(server.address(), open);
                for (int request = 0; request < WARM_REQUESTS; request++) {
                    OneAnswer.fetch(socket, INSTANCE);
                }
            }
            return ProcessTree.memory(server.pid());
        } finally {
            closeAll(open);
        }
    }

    private void spread() throws IOException {
        List<Double> ratios = new ArrayList<>();
        for (int run = 0; run < spreads; run++) {
            int[] held = held();
            double ratio = Math.max(held[0], held[1]) / (double) Math.max(1,
                Math.min(held[0], held[1]));
            ratios.add(ratio);
            artifact.row(row("spread", "run", run, "held", List.of(held[0], held[1]),
                "most_over_least", ratio));
        }
        double worst = Statistics.percentile(ratios, 100);
        artifact.median(row("spread", "most_over_least", Statistics.median(ratios), "worst", worst,
            "within", ratios.stream().filter(ratio -> ratio <= SPREAD_MAX).count(), "runs",
            spreads, "bound", SPREAD_MAX, "holds", worst <= SPREAD_MAX));
    }

    private int[] held() throws IOException {
        List<Socket> open = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(arm("spread", "M0_WORKERS", 2), CORES)) {
            int[] held = new int[2];
            for (int count = 0; count < CONNECTIONS; count++) {
                String answer = new String(OneAnswer.fetch(connect(server.address(), open),
                    INSTANCE), StandardCharsets.ISO_8859_1);
                Matcher loop = LOOP.matcher(answer);
                if (!loop.find()) {
                    throw new IOException("no loop in " + answer);
                }
                held[Integer.parseInt(loop.group(1))]++;
                LockSupport.parkNanos(GAP_NS);
            }
            return held;
        } finally {
            closeAll(open);
        }
    }

    private static Socket connect(InetSocketAddress address, List<Socket> open)
            throws IOException {
        Socket socket = new Socket();
        open.add(socket);
        socket.connect(address);
        return socket;
    }

    private static void closeAll(List<Socket> open) throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    private Arm arm(String name, Object... settings) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("M0_APP", "host_check");
        for (int index = 0; index < settings.length; index += 2) {
            variables.put(settings[index].toString(), settings[index + 1].toString());
        }
        return stage.ours("ours").with(name, variables);
    }

    private static Map<String, Object> row(String part, Object... pairs) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("part", part);
        for (int index = 0; index < pairs.length; index += 2) {
            row.put(pairs[index].toString(), pairs[index + 1]);
        }
        return row;
    }
}
