package process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end and returns what it printed. */
public final class Tool {
    private static final long RUN_MS_MAX = 120_000;

    private Tool() {
    }

    /** Its standard output; an exit code that is not 0 is an error with the output in it. */
    public static List<String> lines(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            List<String> lines = process.inputReader().lines().toList();
            if (!process.waitFor(RUN_MS_MAX, TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + lines);
            }
            return lines;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in " + command[0], e);
        } finally {
            process.destroyForcibly();
        }
    }
}
