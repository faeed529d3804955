package harness;

import harness.MethodRun.Outcome;
import harness.Rules.BadRule;
import harness.Rules.Rule;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Breaks the host rule by rule and sees whether the method that should notice does.
 *
 * <p>For each rule: edit and compile beside the tree ({@link Mutant}), prove the method green
 * without the mutant (once per method), run exactly that method with it ({@link MethodRun}), judge
 * ({@link Judgement}). Rules held by unit tests run {@code jobs} at a time; then those held by
 * gates, which measure time, alone. The working tree is only read, save for {@code target/sabotage}.
 *
 * <p>Limits: a method must be green within {@code GREEN_BOUND}; with a mutant it gets a minute and
 * four times what it took then, or what {@code --bound} says.
 */
final class Sabotage {
    private static final Duration GREEN_BOUND = Duration.ofMinutes(4);
    private static final Duration MUTANT_BOUND_LEAST = Duration.ofMinutes(1);
    private static final int DETAIL_LINES = 6;

    /** What the command line asks for; a {@code bound} of null is the harness's own. */
    record Options(List<String> only, List<String> skip, int jobs, Duration bound) {
        static Options of(String... arguments) {
            var only = new ArrayList<String>();
            var skip = new ArrayList<String>();
            int jobs = 1;
            Duration bound = null;
            for (int i = 0; i < arguments.length; i += 2) {
                if (i + 1 == arguments.length) {
                    throw new BadRule("no value for " + arguments[i]);
                }
                String value = arguments[i + 1];
                switch (arguments[i]) {
                    case "--only" -> only.add(value);
                    case "--skip" -> skip.add(value);
                    case "--jobs" -> jobs = Math.max(1, number(value));
                    case "--bound" -> bound = Duration.ofSeconds(number(value));
                    default -> throw new BadRule("not understood: " + arguments[i]);
                }
            }
            return new Options(only, skip, jobs, bound);
        }

        private static int number(String value) {
            try {
                return Integer.parseInt(value);
            } catch (NumberFormatException notOne) {
                throw new BadRule("not a number: " + value);
            }
        }
    }

    private final Tree tree;
    private final Options options;
    private final PrintStream out;
    private final Children children;
    private final MethodRun methods;
    private final Jdks jdks = new Jdks();
    private final Map<String, Outcome> green = new ConcurrentHashMap<>();
    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private final List<String> misses = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private int done;

    private Sabotage(Tree tree, Options options, PrintStream out, Children children) {
        this.tree = tree;
        this.options = options;
        this.out = out;
        this.children = children;
        this.methods = new MethodRun(tree, children);
    }

    /** Runs the rules of the working directory. Exit: 0 none missed, 1 some, 2 cannot start. */
    public static void main(String[] arguments) {
        int code;
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    children.close();
                } catch (IOException failure) {
                    System.err.println("sabotage: " + failure);
                }
            }, "sabotage-end"));
            code = run(Path.of(""), Options.of(arguments), System.out, children);
        } catch (BadRule | IOException failure) {
            System.err.println("sabotage: " + failure.getMessage());
            code = 2;
        } catch (InterruptedException | Children.Ending ended) {
            code = 1;
        }
        System.exit(code);
    }

    /** Runs the selected rules of the tree at {@code root}; returns the exit code. */
    static int run(Path root, Options options, PrintStream out, Children children)
            throws IOException, InterruptedException {
        List<Rule> rules = Rules.select(Rules.all(root), options.only(), options.skip());
        if (rules.isEmpty()) {
            out.println("no rule is selected");
            return 1;
        }
        return new Sabotage(Tree.at(root), options, out, children).runAll(rules);
    }

    private int runAll(List<Rule> rules) throws IOException, InterruptedException {
        var pool = Executors.newFixedThreadPool(options.jobs());
        try {
            var pending = new ArrayList<Future<Void>>();
            for (Rule rule : rules) {
                if (!rule.isGate()) {
                    Callable<Void> job = () -> {
                        report(rule, judge(rule), rules.size());
                        return null;
                    };
                    pending.add(pool.submit(job));
                }
            }
            for (Future<Void> one : pending) {
                one.get();
            }
        } catch (ExecutionException failure) {
            children.checkOpen();
            throw new IllegalStateException(failure.getCause());
        } finally {
            pool.shutdownNow();
        }
        for (Rule rule : rules) {
            if (rule.isGate()) {
                report(rule, judge(rule), rules.size());
            }
        }
        return summary();
    }

    private Judgement judge(Rule rule) throws IOException, InterruptedException {
        String java = jdks.executable(rule.jdk());
        if (java == null) {
            return Judgement.of(Verdict.NOT_RUN, "it needs JDK " + rule.jdk());
        }
        Path directory = children.newDirectory();
        try {
            Mutant mutant = Mutant.of(tree, rule, directory);
            Outcome before = green(rule, java);
            if (before.isNoTest()) {
                return new Judgement(Verdict.STALE, before.reason(), before.output());
            }
            if (!before.isGreen()) {
                return new Judgement(Verdict.BROKEN_GATE, before.reason(),
                        before.text() + "\n" + before.output());
            }
            Outcome after = methods.run(rule, mutant, directory, java, mutantBound(before));
            ClassLoads loads = rule.isGate() ? ClassLoads.nothingToSay()
                    : ClassLoads.read(MethodRun.loadLog(directory), mutant.directory(),
                            mutant.classes());
            return Judgement.of(after, loads, rule.words());
        } catch (Mutant.Refused refused) {
            return refused.judgement();
        } finally {
            children.endRun(directory);
        }
    }

    private Duration mutantBound(Outcome before) {
        return options.bound() != null ? options.bound()
                : MUTANT_BOUND_LEAST.plus(before.took().multipliedBy(4));
    }

    /** How the rule's method does without a mutant; run once. */
    private Outcome green(Rule rule, String java) throws IOException, InterruptedException {
        String key = java + " " + rule.gate();
        Outcome known = green.get(key);
        if (known != null) {
            return known;
        }
        Path directory = children.newDirectory();
        try {
            Outcome outcome = methods.run(rule, Mutant.none(directory.resolve("classes")),
                    directory, java, GREEN_BOUND);
            green.put(key, outcome);
            return outcome;
        } finally {
            children.endRun(directory);
        }
    }

    private synchronized void report(Rule rule, Judgement judgement, int total)
            throws IOException {
        children.checkOpen();
        done++;
        counts.merge(judgement.verdict(), 1, Integer::sum);
        long elapsedS = Duration.ofNanos(System.nanoTime() - startNs).toSeconds();
        String line = judgement.verdict() + "  " + rule.name() + "  [" + rule.gate() + "]";
        out.println("[" + done + "/" + total + ", " + left(elapsedS, total) + "] " + line);
        if (judgement.verdict() != Verdict.CAUGHT) {
            out.println("    " + judgement.reason());
        }
        if (judgement.verdict().isMiss()) {
            misses.add(line + "\n    " + rule.source() + ": " + judgement.reason());
            keep(rule, judgement);
        }
        out.flush();
    }

    private String left(long elapsedS, int total) {
        long leftS = elapsedS * (total - done) / done;
        return leftS < 60 ? leftS + " s left" : leftS / 60 + " min left";
    }

    /** Writes down what a test said to a mutant that was not caught, and shows its last lines. */
    private void keep(Rule rule, Judgement judgement) throws IOException {
        Path file = Files.createDirectories(tree.root().resolve("target/sabotage"))
                .resolve(rule.name().replaceAll("[^\\w.-]+", "-") + ".txt");
        Files.writeString(file, judgement.details());
        String[] lines = judgement.details().strip().split("\n");
        for (int i = Math.max(0, lines.length - DETAIL_LINES); i < lines.length; i++) {
            out.println("    | " + lines[i]);
        }
    }

    private int summary() {
        int caught = counts.getOrDefault(Verdict.CAUGHT, 0);
        int notRun = counts.getOrDefault(Verdict.NOT_RUN, 0);
        for (String miss : misses) {
            out.println(miss);
        }
        out.println(caught + " caught, " + misses.size() + " missed, " + notRun + " not run, in "
                + Duration.ofNanos(System.nanoTime() - startNs).toSeconds() + " s");
        return misses.isEmpty() && caught > 0 ? 0 : 1;
    }
}
