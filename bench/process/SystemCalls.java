package process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts the system calls of threads of a server with {@code strace -c}.
 *
 * <p>Attached when the constructor returns; {@link #stop} detaches and returns the counts.
 */
public final class SystemCalls implements AutoCloseable {
    private static final long STOP_MS_MAX = 20_000;

    private final Process strace;
    private final Path summary;

    /** Counts those of one thread, or of several as one sum. */
    public SystemCalls(List<Long> threadIds) throws IOException {
        this.summary = Files.createTempFile("m0-bench-strace", ".txt");
        List<String> command =
            new ArrayList<>(List.of("strace", "-c", "-o", summary.toString()));
        for (long id : threadIds) {
            command.addAll(List.of("-p", String.valueOf(id)));
        }
        this.strace = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader lines = strace.inputReader();
        for (int attached = 0; attached < threadIds.size(); attached++) {
            String line = lines.readLine();
            if (line == null || !line.contains("attached")) {
                close();
                throw new IOException("strace did not attach: " + line);
            }
        }
    }

    /** Detaches and returns how often each call was made. */
    public Map<String, Long> stop() throws IOException {
        strace.destroy();
        try {
            if (!strace.waitFor(STOP_MS_MAX, TimeUnit.MILLISECONDS)) {
                throw new IOException("strace did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while strace ended", e);
        }
        return counts(Files.readAllLines(summary));
    }

    /** The counts of a summary: {@code % time  seconds  usecs/call  calls  [errors]  syscall}. */
    static Map<String, Long> counts(List<String> summary) {
        Map<String, Long> calls = new TreeMap<>();
        for (String line : summary) {
            String[] words = line.trim().split("\\s+");
            if (words.length >= 5 && words[0].matches("[0-9.]+")
                    && !words[words.length - 1].equals("total")) {
                calls.put(words[words.length - 1], Long.parseLong(words[3]));
            }
        }
        return calls;
    }

    @Override
    public void close() throws IOException {
        strace.destroyForcibly();
        Files.deleteIfExists(summary);
    }
}
