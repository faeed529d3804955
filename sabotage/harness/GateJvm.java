package harness;

import harness.Rules.Rule;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that runs the methods of gates, one after another ({@link OneMethod} without arguments).
 *
 * <p>It is asked by a line on its standard input and answers by a file; what a gate prints goes to
 * {@code output}, behind what those before it printed. The servers that a gate starts bear the
 * directory of their own run, not this one's.
 */
record GateJvm(Process process, Path directory, Path output) {
    private static final long LOOK_MS = 10;

    void ask(Rule rule, Mutant mutant, Path result) throws IOException {
        Writer requests = process.outputWriter(StandardCharsets.UTF_8);
        requests.write(String.join("\t", rule.gateClass(), rule.method(), result.toString(),
                mutant.directory().toString(), String.join(",", mutant.classes())) + "\n");
        requests.flush();
    }

    /** Waits for the result; false where the bound has passed or the JVM has ended without. */
    boolean awaitAnswer(Path result, Duration bound) throws InterruptedException {
        long untilNs = System.nanoTime() + bound.toNanos();
        while (process.isAlive() && System.nanoTime() - untilNs < 0) {
            if (Files.exists(result)) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        return Files.exists(result);
    }
}
