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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/**
 * Breaks the host rule by rule and sees whether the method that should notice does.
 *
 * <p>For each rule: edit and compile beside the tree ({@link Mutant}), prove the method green
 * without the mutant (once per method), run exactly that method with it ({@link MethodRun}), judge
 * ({@link Judgement}). Rules run {@code jobs} at a time, those held by unit tests first, then those
 * held by gates. Then one at a time: those whose gate says that it is not to run beside others
 * ({@code @Isolated}), and once more whatever was run and not caught, since a method may fail on a
 * busy machine without the mutant's doing; of these only the second verdict counts. A unit test that
 * a mutant has passed is not asked again: what it does with a mutant is no machine's doing. The
 * working tree is only read, save for {@code target/sabotage}.
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
    private final Map<String, Green> greens = new ConcurrentHashMap<>();
    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private final List<String> misses = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private int done;
    private int caughtOnlyAgain;

    /** How a method does without a mutant: {@code outcome} is null until it has been run. */
    private static final class Green {
        private Outcome outcome;
    }

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
        var sabotage = new Sabotage(Tree.at(root), options, out, children);
        try {
            return sabotage.runAll(rules);
        } finally {
            sabotage.methods.endKept();
        }
    }

    private int runAll(List<Rule> rules) throws IOException, InterruptedException {
        Predicate<Rule> alone = rule -> rule.isGate() && tree.isIsolated(rule.gateClass());
        List<Rule> besideOthers = rules.stream().filter(alone.negate()).toList();
        var again = new ArrayList<Missed>();
        runTogether(besideOthers.stream().filter(rule -> !rule.isGate()).toList(), rules.size(),
                again);
        runTogether(methodsApart(besideOthers.stream().filter(Rule::isGate).toList()),
                rules.size(), again);
        for (Rule rule : rules) {
            if (alone.test(rule)) {
                judgeFirst(rule, rules.size(), again);
            }
        }
        for (Missed missed : again) {
            // Nothing of what others left behind, in the JVM of the gate either.
            methods.endKept();
            forgetUnlessGreen(missed.rule());
            Judged judged = judged(missed.rule());
            if (judged.judgement().verdict() == Verdict.CAUGHT) {
                caughtOnlyAgain++;
            }
            report(judged, ", again alone; at first " + missed.verdict(), rules.size());
        }
        return summary();
    }

    private record Judged(Rule rule, Judgement judgement, Duration took) {
    }

    /** A rule whose first verdict does not count. */
    private record Missed(Rule rule, Verdict verdict) {
    }

    /** Runs rules beside each other; those that are to be judged once more go to again. */
    private void runTogether(List<Rule> rules, int total, List<Missed> again)
            throws IOException, InterruptedException {
        var pool = Executors.newFixedThreadPool(options.jobs());
        try {
            var pending = new ArrayList<Future<Void>>();
            for (Rule rule : rules) {
                Callable<Void> job = () -> {
                    judgeFirst(rule, total, again);
                    return null;
                };
                pending.add(pool.submit(job));
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
    }

    private void judgeFirst(Rule rule, int total, List<Missed> again)
            throws IOException, InterruptedException {
        Judged judged = judged(rule);
        Verdict verdict = judged.judgement().verdict();
        boolean stands = verdict == Verdict.MISSED && !rule.isGate();
        if (verdict.isOfARun() && !stands && options.jobs() > 1) {
            children.checkOpen();
            synchronized (again) {
                again.add(new Missed(rule, verdict));
            }
        } else {
            report(judged, "", total);
        }
    }

    /**
     * The first rule of each method, then the second of each, and so on: two rules of one method
     * that run together would both wait until it is proven green.
     */
    static List<Rule> methodsApart(List<Rule> rules) {
        var turns = new ArrayList<List<Rule>>();
        var seen = new HashMap<String, Integer>();
        for (Rule rule : rules) {
            int turn = seen.merge(rule.gate(), 1, Integer::sum) - 1;
            if (turn == turns.size()) {
                turns.add(new ArrayList<>());
            }
            turns.get(turn).add(rule);
        }
        return turns.stream().flatMap(List::stream).toList();
    }

    private Judged judged(Rule rule) throws IOException, InterruptedException {
        long sinceNs = System.nanoTime();
        Judgement judgement = judge(rule);
        return new Judged(rule, judgement, Duration.ofNanos(System.nanoTime() - sinceNs));
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
        Green green = greens.computeIfAbsent(java + " " + rule.gate(), key -> new Green());
        synchronized (green) {
            if (green.outcome == null) {
                Path directory = children.newDirectory();
                try {
                    green.outcome = methods.run(rule, Mutant.none(directory.resolve("classes")),
                            directory, java, GREEN_BOUND);
                } finally {
                    children.endRun(directory);
                }
            }
            return green.outcome;
        }
    }

    /** A method that failed without a mutant is asked once more, alone. */
    private void forgetUnlessGreen(Rule rule) throws IOException {
        String key = jdks.executable(rule.jdk()) + " " + rule.gate();
        Green green = greens.get(key);
        if (green != null && green.outcome != null && !green.outcome.isGreen()) {
            greens.remove(key);
        }
    }

    private synchronized void report(Judged judged, String how, int total) throws IOException {
        children.checkOpen();
        Rule rule = judged.rule();
        Judgement judgement = judged.judgement();
        done++;
        counts.merge(judgement.verdict(), 1, Integer::sum);
        long elapsedS = Duration.ofNanos(System.nanoTime() - startNs).toSeconds();
        String line = judgement.verdict() + "  " + rule.name() + "  [" + rule.gate() + "]";
        out.println("[" + done + "/" + total + ", " + left(elapsedS, total) + "] " + line + "  "
                + String.format(Locale.ROOT, "%.1f s", judged.took().toMillis() / 1000.0) + how);
        if (judgement.verdict() != Verdict.CAUGHT) {
            out.println("    " + judgement.reason());
        }
        if (judgement.verdict().isMiss()) {
            misses.add(line + " " + rule.source() + ": " + judgement.reason());
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
            out.println("missed: " + miss);
        }
        out.println(caught + " caught, " + misses.size() + " missed, " + notRun + " not run, in "
                + Duration.ofNanos(System.nanoTime() - startNs).toSeconds() + " s, "
                + caughtOnlyAgain + " of the caught only again");
        return misses.isEmpty() && caught > 0 ? 0 : 1;
    }
}
