package kind;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import load.ClosedLoop;
import load.OneAnswer;
import load.Slice;
import process.Arm;
import process.CpuClock;
import process.ServerProcess;
import report.Artifact;
import report.Pairs;
import report.Statistics;

/**
 * One {@code HttpHandler} with as many threads on the second host and on the JDK's own server: answers
 * a second, and the 99th percentile.
 *
 * <p>A pair is four fresh processes; slices alternate between them in an order that rotates. A pair's
 * figure is the median of its slices.
 */
final class ServeJdkBench implements Bench {
    private static final int PAIRS = 9;
    private static final int THREADS = 4;
    private static final String APPLICATION = "bareapp";
    private static final byte[] ASKED =
        "GET / HTTP/1.1\r\nHost: m0.example\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final List<Load> LOADS = List.of(Load.FEW, Load.MANY);
    private static final String CORES = "0,1";
    private static final String SERVE = "serve";
    private static final String AGAIN = "serve-again";
    private static final String JDK = "jdk";
    private static final String NO_DELAY = "jdk-nodelay";
    private static final Pattern CLASS = Pattern.compile("jdk: class=(\\S+)");

    private final Stage stage;
    private final int pairs;
    private final int rounds;
    private final long sliceNs;
    private final long warmNs;
    private final Map<String, Object> parameters = new LinkedHashMap<>();
    /** By load and figure. */
    private final Map<String, Pairs> figures = new LinkedHashMap<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();

    ServeJdkBench(Stage stage) {
        boolean brief = stage.options().brief();
        this.stage = stage;
        this.pairs = stage.options().pairsOr(PAIRS);
        this.rounds = brief ? 2 : 5;
        this.sliceNs = TimeUnit.MILLISECONDS.toNanos(brief ? 300 : 1_000);
        this.warmNs = TimeUnit.MILLISECONDS.toNanos(brief ? 1_000 : 3_000);
        parameters.put("pairs", pairs);
        parameters.put("rounds", rounds);
        parameters.put("slice_ms", TimeUnit.NANOSECONDS.toMillis(sliceNs));
        parameters.put("warm_ms_per_load", TimeUnit.NANOSECONDS.toMillis(warmNs));
        parameters.put("application", APPLICATION);
        parameters.put("threads", THREADS);
        parameters.put("request", new String(ASKED, StandardCharsets.ISO_8859_1));
        parameters.put("request_bytes", ASKED.length);
        parameters.put("server_core", CORES);
        parameters.put("ours_is", stage.options().floor() ? "the JDK's server itself"
            : "java -jar target/host.jar serve");
    }

    private Artifact artifact() {
        Artifact artifact = stage.artifact(parameters);
        artifact.define("serve", "java -jar target/host.jar serve: bareapp, one loop, a lane of "
            + THREADS + " threads, keep-alive cap off");
        artifact.define("serve-again", "a second fresh process of it in each pair");
        artifact.define("jdk", "the JDK's own HttpServer with the same handler and a fixed pool of "
            + THREADS + " threads, sun.net.httpserver.maxIdleConnections raised");
        artifact.define("jdk-nodelay", "the same with sun.net.httpserver.nodelay=true");
        artifact.define("rate", "answers a second, of a closed loop on one core of the two that"
            + " the server has");
        artifact.define("p50_us, p99_us", "of one request, microseconds");
        artifact.define("cpu_us", "CPU time of all the server's threads divided by answers");
        artifact.define("server_busy, client_busy", "CPU time over elapsed time, in cores");
        artifact.define("answer_bytes", "of hello's answer, which is not asked for here");
        artifact.define("jdk_class", "of the server in the arms that are called jdk");
        artifact.define("rate_ratio, p99_ratio", "median over pairs of serve divided by the other");
        artifact.define("half_width, aa_half_width", "half the distance from the second-lowest to"
            + " the second-highest pair; aa of serve-again divided by serve");
        artifact.define("holds", "rate_ratio is above 1 and p99_ratio below it, each by more than"
            + " its aa_half_width");
        return artifact;
    }

    @Override
    public void run() throws IOException {
        for (int pair = 0; pair < pairs; pair++) {
            pair(pair);
            System.out.println("pair " + (pair + 1) + " of " + pairs);
        }
        Artifact artifact = artifact();
        rows.forEach(artifact::row);
        for (Load load : LOADS) {
            for (String arm : List.of(SERVE, AGAIN, JDK, NO_DELAY)) {
                Map<String, Object> median = new LinkedHashMap<>();
                median.put("load", load.name());
                median.put("arm", arm);
                for (String figure : List.of("rate", "p50_us", "p99_us", "cpu_us", "server_busy",
                        "client_busy")) {
                    median.put(figure, of(load, figure).median(arm));
                }
                artifact.median(median);
            }
            conclude(artifact, load, JDK);
            conclude(artifact, load, NO_DELAY);
        }
        artifact.write(stage.results());
    }

    private List<Arm> arms() {
        Arm jdk = stage.jdkServer(JDK, APPLICATION, THREADS);
        return List.of(stage.serve(SERVE, APPLICATION, THREADS), jdk,
            stage.serve(AGAIN, APPLICATION, THREADS),
            jdk.withFlag(NO_DELAY, "-Dsun.net.httpserver.nodelay=true"));
    }

    private void pair(int pair) throws IOException {
        List<ServerProcess> servers = new ArrayList<>();
        try {
            for (Arm arm : arms()) {
                ServerProcess server = ServerProcess.start(arm, CORES);
                servers.add(server);
                Matcher served = CLASS.matcher(server.output());
                if (served.find() && parameters.put("jdk_class", served.group(1)) == null) {
                    System.out.println("the JDK's server is " + served.group(1));
                }
            }
            for (ServerProcess server : servers) {
                for (Load load : LOADS) {
                    try (ClosedLoop loop = loop(server, load)) {
                        loop.runFor(warmNs);
                    }
                }
            }
            for (Load load : LOADS) {
                alternate(pair, load, servers);
            }
        } finally {
            servers.forEach(ServerProcess::close);
        }
    }

    /** Each server's answers have a size of their own. */
    private static ClosedLoop loop(ServerProcess server, Load load) throws IOException {
        return new ClosedLoop(server.address(), load.connections(), load.depth(), ASKED,
            OneAnswer.fetch(server.address(), ASKED).length);
    }

    private void alternate(int pair, Load load, List<ServerProcess> servers) throws IOException {
        List<ClosedLoop> loops = new ArrayList<>();
        Map<String, Map<String, List<Double>>> slices = new LinkedHashMap<>();
        try {
            for (ServerProcess server : servers) {
                loops.add(loop(server, load));
            }
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < servers.size(); turn++) {
                    int which = (pair + round + turn) % servers.size();
                    ServerProcess server = servers.get(which);
                    Map<String, Double> slice = slice(server, loops.get(which));
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("pair", pair);
                    row.put("load", load.name());
                    row.put("round", round);
                    row.put("arm", server.arm().name());
                    row.putAll(slice);
                    rows.add(row);
                    slice.forEach((figure, value) -> slices
                        .computeIfAbsent(figure, unused -> new LinkedHashMap<>())
                        .computeIfAbsent(server.arm().name(), unused -> new ArrayList<>())
                        .add(value));
                }
            }
        } finally {
            for (ClosedLoop loop : loops) {
                loop.close();
            }
        }
        slices.forEach((figure, byArm) -> byArm.forEach((arm, values) ->
            of(load, figure).add(arm, Statistics.median(values))));
    }

    private Map<String, Double> slice(ServerProcess server, ClosedLoop loop) throws IOException {
        var thread = ManagementFactory.getThreadMXBean();
        long serverBefore = CpuClock.processNs(server);
        long clientBefore = thread.getCurrentThreadCpuTime();
        Slice slice = loop.runFor(sliceNs);
        double clientNs = thread.getCurrentThreadCpuTime() - clientBefore;
        double serverNs = CpuClock.processNs(server) - serverBefore;
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("rate", slice.requestsPerSecond());
        figures.put("p50_us", slice.latencyUs(50));
        figures.put("p99_us", slice.latencyUs(99));
        figures.put("cpu_us", serverNs / 1e3 / slice.requests());
        figures.put("server_busy", serverNs / slice.elapsedNs());
        figures.put("client_busy", clientNs / slice.elapsedNs());
        return figures;
    }

    private Pairs of(Load load, String figure) {
        return figures.computeIfAbsent(load.name() + " " + figure, unused -> new Pairs());
    }

    private void conclude(Artifact artifact, Load load, String under) {
        Pairs rates = of(load, "rate");
        Pairs tails = of(load, "p99_us");
        double rate = Statistics.median(rates.ratios(SERVE, under));
        double tail = Statistics.median(tails.ratios(SERVE, under));
        double rateNoise = Statistics.halfWidth(rates.ratios(AGAIN, SERVE));
        double tailNoise = Statistics.halfWidth(tails.ratios(AGAIN, SERVE));
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("load", load.name());
        line.put("over", SERVE);
        line.put("under", under);
        line.put("rate_ratio", rate);
        line.put("rate_half_width", Statistics.halfWidth(rates.ratios(SERVE, under)));
        line.put("rate_aa_half_width", rateNoise);
        line.put("p99_ratio", tail);
        line.put("p99_half_width", Statistics.halfWidth(tails.ratios(SERVE, under)));
        line.put("p99_aa_half_width", tailNoise);
        line.put("holds", rate > 1 + rateNoise && tail < 1 - tailNoise);
        artifact.ratio(line);
    }
}
