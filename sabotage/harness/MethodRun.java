package harness;

import harness.Rules.Rule;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * Runs one test method, with a mutant or with none, within a bound.
 *
 * <p>A unit test has a JVM of its own, since the mutated classes are in it. A gate's are in the
 * servers it starts: so gates run one after another in JVMs that are kept ({@link GateJvm}), as they
 * do under Maven, and the start of a JVM and of JUnit is paid once. Threads: any.
 */
final class MethodRun {
    private static final List<String> OPENED =
            List.of("jdk.internal.misc", "java.lang", "java.io", "sun.nio.ch");

    /**
     * How a method went.
     *
     * @param found how many tests ran; a crash leaves 0
     * @param text what the failures said, or why there was nothing to run
     * @param output what the JVM printed
     */
    record Outcome(int found, int failed, int elsewhere, int skipped, String text, String output,
            boolean hung, int exit, Duration took) {
        boolean isGreen() {
            return found > 0 && failed == 0 && elsewhere == 0 && skipped == 0 && !hung
                    && !crashed();
        }

        boolean crashed() {
            return exit != 0 && !hung;
        }

        /** Whether there was no such test at all. */
        boolean isNoTest() {
            return found == 0 && skipped == 0 && elsewhere == 0 && !hung && !crashed();
        }

        /** Why it is not green. */
        String reason() {
            if (hung) {
                return "no end after " + took.toSeconds() + " s";
            }
            if (crashed()) {
                return "the JVM ended with " + exit;
            }
            return Judgement.firstLine(text);
        }
    }

    private final Tree tree;
    private final Children children;
    private final Map<String, Deque<GateJvm>> idle = new HashMap<>();

    MethodRun(Tree tree, Children children) {
        this.tree = tree;
        this.children = children;
    }

    /**
     * Runs the method of {@code rule} in {@code directory}.
     *
     * @param java the executable for the test's JVM and for the servers of a gate
     */
    Outcome run(Rule rule, Mutant mutant, Path directory, String java, Duration bound)
            throws IOException, InterruptedException {
        return rule.isGate() ? runGate(rule, mutant, directory, java, bound)
                : runTest(rule, mutant, directory, java, bound);
    }

    private Outcome runTest(Rule rule, Mutant mutant, Path directory, String java, Duration bound)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        long startNs = System.nanoTime();
        Process process = children.start(jvm(java, directory, output,
                List.of("-Xlog:class+load=info:file=" + loadLog(directory) + ":none:filecount=0"),
                tree.testClassPath(mutant.directory()),
                List.of(rule.gateClass(), rule.method(), result(directory).toString()))
                        .redirectInput(new File("/dev/null")));
        boolean hung = !process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
        Duration took = Duration.ofNanos(System.nanoTime() - startNs);
        children.killAllOf(directory);
        return outcome(directory, text(output, 0), hung, process.waitFor(), took);
    }

    private Outcome runGate(Rule rule, Mutant mutant, Path directory, String java, Duration bound)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        GateJvm jvm = take(java);
        long said = Files.size(jvm.output());
        jvm.ask(rule, mutant, result(directory));
        boolean answered = jvm.awaitAnswer(result(directory), bound);
        Duration took = Duration.ofNanos(System.nanoTime() - startNs);
        children.killAllOf(directory);
        boolean hung = !answered && jvm.process().isAlive();
        String output = text(jvm.output(), said);
        int exit = 0;
        if (answered) {
            giveBack(java, jvm);
        } else {
            children.killAllOf(jvm.directory());
            exit = jvm.process().waitFor();
            children.endRun(jvm.directory());
        }
        return outcome(directory, output, hung, exit, took);
    }

    private GateJvm take(String java) throws IOException {
        synchronized (idle) {
            Deque<GateJvm> waiting = idle.computeIfAbsent(java, key -> new ArrayDeque<>());
            for (GateJvm kept = waiting.poll(); kept != null; kept = waiting.poll()) {
                if (kept.process().isAlive()) {
                    return kept;
                }
                children.endRun(kept.directory());
            }
        }
        Path directory = children.newDirectory();
        Path output = directory.resolve("output");
        return new GateJvm(children.start(jvm(java, directory, output, List.of(),
                tree.testClassPath(), List.of())), directory, output);
    }

    private void giveBack(String java, GateJvm jvm) {
        synchronized (idle) {
            idle.get(java).push(jvm);
        }
    }

    /** Ends the JVMs that were kept; the next gate starts one. */
    void endKept() throws IOException {
        synchronized (idle) {
            for (Deque<GateJvm> kept : idle.values()) {
                for (GateJvm jvm : kept) {
                    children.endRun(jvm.directory());
                }
            }
            idle.clear();
        }
    }

    private static Outcome outcome(Path directory, String output, boolean hung, int exit,
            Duration took) throws IOException {
        var counts = new Properties();
        if (Files.exists(result(directory))) {
            try (Reader in = Files.newBufferedReader(result(directory))) {
                counts.load(in);
            }
        }
        return new Outcome(number(counts, "found"), number(counts, "failed"),
                number(counts, "elsewhere"), number(counts, "skipped"),
                counts.getProperty("text", ""), output, hung, exit, took);
    }

    private static int number(Properties counts, String key) {
        return Integer.parseInt(counts.getProperty(key, "0"));
    }

    private static Path result(Path directory) {
        return directory.resolve("result");
    }

    /** Where the classes of the test's own JVM came from. */
    static Path loadLog(Path directory) {
        return directory.resolve("loads");
    }

    /** What stands in a file from {@code offset} on. */
    private static String text(Path file, long offset) throws IOException {
        if (Files.notExists(file)) {
            return "";
        }
        byte[] bytes = Files.readAllBytes(file);
        int from = (int) Math.min(offset, bytes.length);
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }

    /** A JVM in {@code directory}, which stands on its command line, with {@link OneMethod}. */
    private ProcessBuilder jvm(String java, Path directory, Path output, List<String> options,
            String classPath, List<String> program) throws IOException {
        var text = new StringBuilder();
        for (String name : OPENED) {
            text.append("--add-opens java.base/").append(name).append("=ALL-UNNAMED\n");
        }
        // A JVM that lives for a second spends a third of it on the second compiler.
        text.append("-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n");
        options.forEach(option -> line(text, option));
        line(text, "-Dm0.java=" + java);
        text.append("-cp\n");
        line(text, classPath);
        text.append(OneMethod.class.getName()).append('\n');
        program.forEach(argument -> line(text, argument));
        Path arguments = Files.writeString(directory.resolve("arguments"), text);
        var builder = new ProcessBuilder(java, "@" + arguments)
                .directory(tree.root().toAbsolutePath().toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("M0_"));
        return builder;
    }

    /** One argument of an argument file, where a blank would end it. */
    private static void line(StringBuilder text, String argument) {
        text.append('"').append(argument.replace("\\", "\\\\")).append("\"\n");
    }
}
