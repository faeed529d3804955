package harness;

import harness.Rules.Rule;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** Runs one test method in a JVM of its own, with a mutant or with none, within a bound. */
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
        Path result = directory.resolve("result");
        Path output = directory.resolve("output");
        Path arguments = Files.writeString(directory.resolve("arguments"),
                arguments(rule, mutant, directory, java));
        long startNs = System.nanoTime();
        var builder = new ProcessBuilder(java, "@" + arguments)
                .directory(tree.root().toAbsolutePath().toFile()).redirectErrorStream(true)
                .redirectInput(new java.io.File("/dev/null")).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("M0_"));
        Process process = children.start(builder);
        boolean hung = !process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
        Duration took = Duration.ofNanos(System.nanoTime() - startNs);
        children.killAllOf(directory);
        int exit = process.waitFor();
        String printed = Files.exists(output)
                ? new String(Files.readAllBytes(output), StandardCharsets.UTF_8) : "";
        var counts = new Properties();
        if (Files.exists(result)) {
            try (Reader in = Files.newBufferedReader(result)) {
                counts.load(in);
            }
        }
        return new Outcome(number(counts, "found"), number(counts, "failed"),
                number(counts, "elsewhere"), number(counts, "skipped"),
                counts.getProperty("text", ""), printed, hung, exit, took);
    }

    private static int number(Properties counts, String key) {
        return Integer.parseInt(counts.getProperty(key, "0"));
    }

    /** Where the classes of the test's own JVM came from. */
    static Path loadLog(Path directory) {
        return directory.resolve("loads");
    }

    private String arguments(Rule rule, Mutant mutant, Path directory, String java) {
        var text = new StringBuilder();
        for (String name : OPENED) {
            text.append("--add-opens java.base/").append(name).append("=ALL-UNNAMED\n");
        }
        // A JVM that lives for a second spends a third of it on the second compiler.
        text.append("-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n");
        line(text, "-Xlog:class+load=info:file=" + loadLog(directory) + ":none:filecount=0");
        line(text, "-Dm0.java=" + java);
        line(text, "-Dm0.mutant=" + mutant.directory());
        line(text, "-Dm0.mutant.class=" + String.join(",", mutant.classes()));
        text.append("-cp\n");
        line(text, tree.testClassPath(mutant.directory()));
        text.append(OneMethod.class.getName()).append('\n');
        line(text, rule.gateClass());
        line(text, rule.gate().substring(rule.gate().indexOf('#') + 1));
        line(text, directory.resolve("result").toString());
        return text.toString();
    }

    /** One argument of an argument file, where a blank would end it. */
    private static void line(StringBuilder text, String argument) {
        text.append('"').append(argument.replace("\\", "\\\\")).append("\"\n");
    }
}
