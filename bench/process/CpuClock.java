package process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads from {@code /proc} the time that another process's threads have spent on a CPU.
 *
 * <p>{@code schedstat} counts nanoseconds a thread; {@code stat} would count ticks of 10 ms. A
 * thread that ends within a slice takes its count with it: in a warm JVM those are idle compiler
 * threads.
 */
public final class CpuClock {
    private final Path tasks;
    private final Path loopTask;

    /** A clock for the process and, of its threads, the one that serves. */
    public CpuClock(ServerProcess server) throws IOException {
        this.tasks = tasks(server);
        this.loopTask = task(tasks, server.arm().loopThread());
    }

    private static Path task(Path tasks, String name) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("comm")).trim().equals(name)) {
                    return thread;
                }
            }
        }
        throw new IOException("no thread named " + name + " in " + tasks);
    }

    /** The thread id of the thread that serves. */
    public long loopThreadId() {
        return Long.parseLong(loopTask.getFileName().toString());
    }

    /** A reading of all threads and of the loop's. */
    public Reading read() throws IOException {
        return new Reading(processNs(tasks), onCpuNs(loopTask), waits(loopTask));
    }

    /** CPU time of all of a server's threads since it was started. */
    public static long processNs(ServerProcess server) throws IOException {
        return processNs(tasks(server));
    }

    /** The ids of the threads whose names begin so. */
    public static List<Long> threadIds(ServerProcess server, String prefix) throws IOException {
        List<Long> ids = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks(server))) {
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("comm")).startsWith(prefix)) {
                    ids.add(Long.parseLong(thread.getFileName().toString()));
                }
            }
        }
        return ids;
    }

    /** CPU time of these threads since they began. */
    public static long threadsNs(ServerProcess server, List<Long> threadIds) throws IOException {
        long ns = 0;
        for (long id : threadIds) {
            ns += onCpuNs(tasks(server).resolve(String.valueOf(id)));
        }
        return ns;
    }

    private static Path tasks(ServerProcess server) {
        return Path.of("/proc", String.valueOf(server.pid()), "task");
    }

    private static long processNs(Path tasks) throws IOException {
        long processNs = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                processNs += onCpuNs(thread);
            }
        }
        return processNs;
    }

    private static long onCpuNs(Path task) throws IOException {
        try {
            String line = Files.readString(task.resolve("schedstat"));
            return Long.parseLong(line.substring(0, line.indexOf(' ')));
        } catch (NoSuchFileException e) {
            // The thread ended between the listing and the reading.
            return 0;
        }
    }

    private static long waits(Path task) throws IOException {
        for (String line : Files.readAllLines(task.resolve("status"))) {
            if (line.startsWith("voluntary_ctxt_switches:")) {
                return Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
            }
        }
        throw new IOException("no voluntary_ctxt_switches in " + task);
    }

    /**
     * One reading; two make a slice.
     *
     * @param processNs time on a CPU, all threads
     * @param loopNs    time on a CPU, the thread that serves
     * @param loopWaits how often the thread that serves went to sleep
     */
    public record Reading(long processNs, long loopNs, long loopWaits) {
        /** What was spent since an earlier reading. */
        public Reading since(Reading earlier) {
            return new Reading(processNs - earlier.processNs, loopNs - earlier.loopNs,
                loopWaits - earlier.loopWaits);
        }
    }
}
