package harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;

/**
 * The processes and the temporary directory of one harness, and the certainty that neither
 * outlives it.
 *
 * <p>Whatever a run starts bears the run's directory on its command line: the test's JVM in the
 * name of its argument file, a gate's servers in their class path. So they are found and ended by
 * that name, even where they lead a group of their own or their parent is gone.
 *
 * <p>Threads: any. After {@link #close} nothing can be started.
 */
final class Children implements AutoCloseable {
    /** Thrown to whoever would start something while the harness is ending. */
    static final class Ending extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final int SWEEPS_MAX = 6000;

    private final Path directory;
    private boolean closed;

    Children() throws IOException {
        directory = Files.createTempDirectory("m0-sabotage-").toRealPath();
    }

    /** A new directory for one run. */
    synchronized Path newDirectory() throws IOException {
        checkOpen();
        return Files.createTempDirectory(directory, "run-");
    }

    synchronized Process start(ProcessBuilder builder) throws IOException {
        checkOpen();
        return builder.start();
    }

    /** Throws when the harness is ending, because what ends then was ended by it. */
    synchronized void checkOpen() {
        if (closed) {
            throw new Ending();
        }
    }

    /** Ends every process that bears {@code run} on its command line; waits until none does. */
    void killAllOf(Path run) {
        String name = run.toString();
        for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
            boolean[] any = {false};
            ProcessHandle.allProcesses()
                    .filter(process -> process.pid() != ProcessHandle.current().pid())
                    .filter(process -> process.info().commandLine().orElse("").contains(name))
                    .forEach(process -> {
                        any[0] = true;
                        process.descendants().forEach(ProcessHandle::destroyForcibly);
                        process.destroyForcibly();
                    });
            if (!any[0]) {
                return;
            }
            pause();
        }
        throw new IllegalStateException("processes of " + name + " do not end");
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(10);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends what a run started and deletes its directory. */
    void endRun(Path run) throws IOException {
        killAllOf(run);
        synchronized (this) {
            if (!closed) {
                delete(run);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        killAllOf(directory);
        if (Files.exists(directory)) {
            delete(directory);
        }
    }

    /** What is being written to meanwhile, by a compilation that is not told, is tried again. */
    private static void delete(Path directory) throws IOException {
        for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
            try {
                deleteOnce(directory);
                return;
            } catch (DirectoryNotEmptyException | NoSuchFileException changed) {
                pause();
            }
        }
        deleteOnce(directory);
    }

    private static void deleteOnce(Path directory) throws IOException {
        if (Files.notExists(directory)) {
            return;
        }
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }
}
