package m0;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;

/**
 * Which package may use which, and the edges that jdeps finds in a tree of classes.
 *
 * <p>The table is written bottom up and each row names rows above it only, so a cycle between
 * packages cannot be allowed, let alone written. What is no package of the host is judged by
 * the few rules below the table.
 */
final class ArchitectureRules {
    /** One package using another. */
    record Edge(String from, String to) {
        @Override
        public String toString() {
            return from + " -> " + to;
        }
    }

    private static final String[] FLOOR = {"m0.bytes", "m0.http"};
    private static final String[] STREAMS =
            {"m0.bytes", "m0.http", "m0.stream", "m0.sse", "m0.ws"};
    private static final String[] SERVING = {"m0.bytes", "m0.http", "m0.http.parse",
            "m0.http.write", "m0.stream", "m0.sse", "m0.ws", "m0.app", "m0.page", "m0.loop",
            "m0.bus", "m0.pool"};

    /** Package to the packages of the host it may use, bottom up. */
    static final Map<String, Set<String>> TABLE = table();

    private static final Set<String> APPLICATION_USES = Set.of("m0.app", "m0.bytes", "m0.http",
            "m0.stream", "m0.sse", "m0.ws", "m0.views", "m0.files", "m0.host", "m0.serve");

    private static final Set<String> CHANNEL_USERS =
            Set.of("m0.loop", "m0.connection", "m0.page", "m0.bus", "m0.host");
    private static final Set<String> AGRONA_USERS =
            Set.of("m0.page", "m0.bus", "m0.pool", "m0.loop", "m0.telemetry");
    private static final Set<String> HISTOGRAM_USERS = Set.of("m0.telemetry");
    private static final Set<String> SOCKET_OPTION_USERS = Set.of("m0.loop");
    private static final Set<String> SIGNAL_USERS = Set.of("m0.host");
    private static final Set<String> JDK_SERVER_USERS = Set.of("m0.serve");

    private static final String[] GATE_LIBRARIES =
            {"java.", "javax.", "jdk.", "com.sun.", "org.junit.", "org.opentest4j"};

    private ArchitectureRules() {
    }

    private static Map<String, Set<String>> table() {
        var table = new LinkedHashMap<String, Set<String>>();
        row(table, "m0.bytes");
        row(table, "m0.http", "m0.bytes");
        row(table, "m0.http.parse", FLOOR);
        row(table, "m0.http.write", FLOOR);
        row(table, "m0.stream", FLOOR);
        row(table, "m0.sse", "m0.bytes", "m0.http", "m0.stream");
        row(table, "m0.ws", "m0.bytes", "m0.http", "m0.stream");
        row(table, "m0.app", STREAMS);
        row(table, "m0.views", "m0.bytes", "m0.http", "m0.stream", "m0.app");
        row(table, "m0.files", "m0.bytes", "m0.http", "m0.app");
        row(table, "m0.page", "m0.bytes", "m0.app");
        row(table, "m0.loop", "m0.bytes", "m0.page");
        row(table, "m0.bus", "m0.bytes", "m0.page", "m0.app", "m0.loop");
        row(table, "m0.pool", "m0.bytes", "m0.http", "m0.app", "m0.loop");
        row(table, "m0.connection", SERVING);
        row(table, "m0.telemetry", and(SERVING, "m0.connection"));
        row(table, "m0.host", and(SERVING, "m0.connection", "m0.telemetry"));
        row(table, "m0.serve", and(SERVING, "m0.connection", "m0.telemetry", "m0.host",
                "m0.views", "m0.files"));
        row(table, "m0.main", "m0.host", "m0.serve");
        return table;
    }

    private static void row(Map<String, Set<String>> table, String name, String... uses) {
        table.put(name, new LinkedHashSet<>(List.of(uses)));
    }

    private static String[] and(String[] some, String... more) {
        var all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(new String[0]);
    }

    /** Every edge that breaks a rule in {@code classes}, which holds the host and applications. */
    static List<Edge> violationsOfHostAndApplications(Path classes, String classPath) {
        var violations = new ArrayList<Edge>();
        for (Edge edge : edges(classes, classPath)) {
            boolean ofHost = isHost(edge.from());
            if (ofHost ? !hostMayUse(edge) : !applicationMayUse(edge)) {
                violations.add(edge);
            }
        }
        return violations;
    }

    /** Every edge from one of {@code gatePackages} to what a black box may not know. */
    static List<Edge> violationsOfGates(Path classes, String classPath, Set<String> gatePackages) {
        var violations = new ArrayList<Edge>();
        for (Edge edge : edges(classes, classPath)) {
            if (gatePackages.contains(edge.from()) && !gatePackages.contains(edge.to())
                    && !startsWithOneOf(edge.to(), GATE_LIBRARIES)) {
                violations.add(edge);
            }
        }
        return violations;
    }

    /** The packages of the host in {@code classes} that have no row in the table. */
    static Set<String> packagesWithoutRow(Path classes, String classPath) {
        var missing = new TreeSet<String>();
        for (Edge edge : edges(classes, classPath)) {
            if (isHost(edge.from()) && !TABLE.containsKey(edge.from())) {
                missing.add(edge.from());
            }
        }
        return missing;
    }

    private static boolean isHost(String name) {
        return name.equals("m0") || name.startsWith("m0.");
    }

    private static boolean hostMayUse(Edge edge) {
        String from = edge.from();
        String to = edge.to();
        if (to.equals(from)) {
            return true;
        }
        if (isHost(to)) {
            return TABLE.getOrDefault(from, Set.of()).contains(to);
        }
        if (to.startsWith("java.nio.channels")) {
            return CHANNEL_USERS.contains(from);
        }
        if (to.startsWith("org.agrona")) {
            return AGRONA_USERS.contains(from);
        }
        if (to.startsWith("org.HdrHistogram")) {
            return HISTOGRAM_USERS.contains(from);
        }
        if (to.equals("jdk.net")) {
            return SOCKET_OPTION_USERS.contains(from);
        }
        if (to.equals("sun.misc")) {
            return SIGNAL_USERS.contains(from);
        }
        if (to.startsWith("com.sun.net.httpserver")) {
            return JDK_SERVER_USERS.contains(from);
        }
        return to.startsWith("java.");
    }

    private static boolean applicationMayUse(Edge edge) {
        String to = edge.to();
        if (isHost(to)) {
            return APPLICATION_USES.contains(to);
        }
        return application(edge.from()).equals(application(to))
                || to.startsWith("java.") && !to.startsWith("java.nio.channels")
                || to.startsWith("com.sun.net.httpserver");
    }

    /** The application a package belongs to: its first folder below {@code apps/}. */
    private static String application(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    private static boolean startsWithOneOf(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** What jdeps reports, one edge for each pair of packages; lines are indented {@code a -> b}. */
    static List<Edge> edges(Path classes, String classPath) {
        var out = new StringWriter();
        var errors = new StringWriter();
        var jdeps = ToolProvider.findFirst("jdeps")
                .orElseThrow(() -> new IllegalStateException("this JDK has no jdeps"));
        int code = jdeps.run(new PrintWriter(out, true), new PrintWriter(errors, true),
                "-verbose:package", "-filter:none", "--multi-release", "base",
                "-cp", classPath, classes.toString());
        if (code != 0) {
            throw new IllegalStateException("jdeps ended with " + code + ": " + out + errors);
        }
        var edges = new ArrayList<Edge>();
        for (String line : out.toString().split("\n")) {
            String[] words = line.strip().split("\\s+");
            if (line.startsWith(" ") && words.length >= 3 && words[1].equals("->")) {
                edges.add(new Edge(words[0], words[2]));
            }
        }
        return edges;
    }
}
