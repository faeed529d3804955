package process;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server under measurement: a fresh JVM pinned to one core, listening on the loopback.
 *
 * <p>Started with port 0 its listening line tells the port; {@link #address} waits for it. Closing
 * sends SIGTERM and, after ten seconds, SIGKILL. Whatever still runs when this JVM ends is killed.
 *
 * <p>Threads: any for {@code address}; the rest belongs to the thread that started it.
 */
public final class ServerProcess implements AutoCloseable {
    private static final long START_MS_MAX = 30_000;
    private static final long STOP_MS_MAX = 10_000;
    private static final int TAIL_LINES = 40;
    private static final Pattern LISTENING = Pattern.compile("listening on http://\\S+:(\\d+)");
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(
            new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "bench-reaper"));
    }

    private final Arm arm;
    private final Process process;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final Deque<String> tail = new ArrayDeque<>();

    private ServerProcess(Arm arm, Process process) {
        this.arm = arm;
        this.process = process;
    }

    /** Starts an arm's server on a core, on any free port, and waits until it listens. */
    public static ServerProcess start(Arm arm, int core) throws IOException {
        return start(arm, String.valueOf(core));
    }

    /** The same on several cores, as {@code taskset} has them: {@code 0,1}. */
    public static ServerProcess start(Arm arm, String cores) throws IOException {
        ServerProcess server = launch(arm, cores, 0);
        try {
            server.address();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Starts an arm's server on a core and a port and returns at once. */
    public static ServerProcess launch(Arm arm, int core, int port) throws IOException {
        return launch(arm, String.valueOf(core), port);
    }

    private static ServerProcess launch(Arm arm, String cores, int port) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(arm.command(cores, port));
        builder.environment().keySet().removeIf(name -> name.startsWith("M0_"));
        builder.environment().putAll(arm.environment(port));
        Process process = builder.redirectErrorStream(true).start();
        RUNNING.add(process);
        ServerProcess server = new ServerProcess(arm, process);
        Thread reader = new Thread(server::readOutput, "bench-output-" + arm.name());
        reader.setDaemon(true);
        reader.start();
        return server;
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                keep(line);
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    port.complete(Integer.parseInt(listening.group(1)));
                }
            }
        } catch (IOException e) {
            keep("output ended: " + e);
        }
        port.completeExceptionally(new IOException("ended before it listened"));
    }

    private void keep(String line) {
        synchronized (tail) {
            tail.addLast(line);
            if (tail.size() > TAIL_LINES) {
                tail.removeFirst();
            }
        }
    }

    /** Where it listens; waits until it does. */
    public InetSocketAddress address() throws IOException {
        try {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(),
                port.get(START_MS_MAX, TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(arm.name() + " does not listen: " + e.getMessage() + output(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + arm.name() + " started", e);
        }
    }

    /** The arm it was started from. */
    public Arm arm() {
        return arm;
    }

    public long pid() {
        return process.pid();
    }

    /** The last lines it printed, for a failure's message. */
    public String output() {
        synchronized (tail) {
            return System.lineSeparator() + String.join(System.lineSeparator(), tail);
        }
    }

    /** Sends SIGTERM and waits for the end, which must come with exit code 0; nanoseconds. */
    public long stopNs() throws IOException {
        long startNs = System.nanoTime();
        process.destroy();
        try {
            if (!process.waitFor(STOP_MS_MAX, TimeUnit.MILLISECONDS)) {
                throw new IOException(arm.name() + " did not end" + output());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + arm.name() + " ended", e);
        }
        long ns = System.nanoTime() - startNs;
        if (process.exitValue() != 0) {
            throw new IOException(arm.name() + " ended with " + process.exitValue() + output());
        }
        return ns;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_MS_MAX, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        RUNNING.remove(process);
    }
}
