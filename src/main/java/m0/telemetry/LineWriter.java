package m0.telemetry;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/**
 * Writes entries to a stream on a thread of its own, so that a reader who stops reading holds nobody
 * but this thread.
 *
 * <p>The thread is begun by the first entry and ends when there has been nothing to write for a
 * while: a host that has nothing to say has none.
 *
 * <p>Threads: any. Limits: {@value #ENTRIES_MAX} entries wait; beyond that they are dropped, counted,
 * and said once the stream moves again.
 */
public final class LineWriter {
    static final int ENTRIES_MAX = 1024;
    private static final long REST_MS = 1000;

    private final PrintStream stream;
    /** Guarded by this, as is all below. */
    private final ArrayDeque<byte[]> entries = new ArrayDeque<>();
    private Thread thread;
    private boolean writing;
    private long dropped;

    /**
     * @param stream where the entries go; it is not closed
     */
    public LineWriter(PrintStream stream) {
        this.stream = stream;
    }

    /** Takes an entry, one or more whole lines, or drops it. */
    synchronized void write(byte[] entry) {
        if (entries.size() == ENTRIES_MAX) {
            dropped++;
            return;
        }
        entries.addLast(entry);
        if (thread == null) {
            thread = new Thread(this::run, "m0-log");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    /** Waits until everything is written, at most so long; whether it is. */
    synchronized boolean flush(long boundMs) {
        long startNs = System.nanoTime();
        long leftMs = boundMs;
        boolean interrupted = false;
        while ((writing || !entries.isEmpty()) && leftMs > 0) {
            try {
                wait(leftMs);
            } catch (InterruptedException askedToHurry) {
                interrupted = true;
                break;
            }
            leftMs = boundMs - (System.nanoTime() - startNs) / 1_000_000L;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !writing && entries.isEmpty();
    }

    private void run() {
        byte[] entry = next();
        while (entry != null) {
            stream.write(entry, 0, entry.length);
            stream.flush();
            entry = next();
        }
    }

    /** The next entry, or null where none has come for a while. */
    private synchronized byte[] next() {
        writing = false;
        notifyAll();
        if (entries.isEmpty() && dropped == 0) {
            rest();
        }
        if (entries.isEmpty() && dropped == 0) {
            thread = null;
            return null;
        }
        writing = true;
        return entries.isEmpty() ? sayDropped() : entries.pollFirst();
    }

    private void rest() {
        try {
            wait(REST_MS);
        } catch (InterruptedException nobodyInterruptsIt) {
            Thread.currentThread().interrupt();
        }
    }

    /** Said where the entries that did wait have been written. */
    private byte[] sayDropped() {
        String text = "host: " + dropped + " lines were dropped, since stderr was not read\n";
        dropped = 0;
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
