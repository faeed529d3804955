package m0.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;

/**
 * Passes on what a worker writes to stdout or stderr, so that nothing of it is lost with the worker:
 * whole lines, the last one too where it has no end.
 *
 * <p>A worker's own streams would not do: its stdout may be a socket that it cannot write to, and
 * lines of several processes in one file may cut each other.
 *
 * <p>Threads: one of its own for each stream; {@link #join} any. Owns: the stream that it reads, which
 * it closes at its end: there are two for each worker that there ever was. Limits: lines of
 * {@value #LINE_BYTES_MAX} bytes, longer ones are passed on in parts. Nothing is dropped here: where
 * the supervisor's stream is not read, the worker's pipe fills, and what the worker then does is what
 * it would do with a stream of its own that is not read.
 */
final class WorkerOutput implements Runnable {
    static final int LINE_BYTES_MAX = 64 * 1024;

    private static final long NS_PER_MS = 1_000_000L;

    private final InputStream from;
    private final PrintStream to;
    private final Thread thread;
    private final byte[] bytes = new byte[LINE_BYTES_MAX];
    private int held;
    /** How much was passed on, and whether some is just now: its thread writes both, any reads. */
    private volatile long passedBytes;
    private volatile boolean passing;

    private WorkerOutput(InputStream from, PrintStream to, String name) {
        this.from = from;
        this.to = to;
        thread = new Thread(this, name);
        thread.setDaemon(true);
    }

    static WorkerOutput start(InputStream from, PrintStream to, String name) {
        WorkerOutput output = new WorkerOutput(from, to, name);
        output.thread.start();
        return output;
    }

    @Override
    public void run() {
        try (from) {
            int read = from.read(bytes, held, bytes.length - held);
            while (read >= 0) {
                held += read;
                passLines();
                read = from.read(bytes, held, bytes.length - held);
            }
        } catch (IOException closed) {
            // Its end, as -1 is; what came before is passed on below.
            pass(held);
        }
        if (held > 0) {
            append('\n');
            pass(held);
        }
    }

    private void passLines() {
        int end = held;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        if (end > 0 || held == bytes.length) {
            pass(end > 0 ? end : held);
        }
    }

    private void append(char last) {
        if (held < bytes.length) {
            bytes[held++] = (byte) last;
        }
    }

    private void pass(int count) {
        passing = true;
        // In one call, which no other thread's line can come between.
        to.write(bytes, 0, count);
        to.flush();
        passedBytes += count;
        passing = false;
        System.arraycopy(bytes, count, bytes, 0, held - count);
        held -= count;
    }

    /** Whether all is passed on. */
    boolean isThrough() {
        return !thread.isAlive();
    }

    /**
     * Waits until all is passed on, or until for {@code idleMs} there was nothing to be: a process
     * that the worker has started may hold the stream open. Where nobody reads the supervisor's
     * stream, what is to be passed on is waited for {@code boundMs}.
     */
    void join(long idleMs, long boundMs) throws InterruptedException {
        long sinceNs = System.nanoTime();
        long before;
        do {
            before = passedBytes;
            thread.join(idleMs);
        } while (thread.isAlive() && (passing || passedBytes != before)
                && System.nanoTime() - sinceNs < boundMs * NS_PER_MS);
    }
}
