package kit;

import java.time.Duration;
import java.util.Arrays;

/**
 * Bytes being sent on a thread of their own while the gate reads, until all are sent or the
 * connection takes no more.
 *
 * <p>Threads: the gate's; {@code sentBytes}, {@code failed} and the gap are written by the sending
 * thread and read by the gate's, and nothing is concluded from their order.
 */
public final class Upload {
    /** A large block is sent in pieces, or nobody could tell that it is stuck within one. */
    private static final int PIECE_BYTES = 64 * 1024;

    private final Thread thread;
    private volatile long sentBytes;
    private volatile boolean failed;
    private volatile long longestGapNs;
    private volatile boolean ceased;

    Upload(RawClient client, byte[] block, int times, long gapMs) {
        thread = new Thread(() -> send(client, block, times, gapMs), "upload");
        thread.setDaemon(true);
        thread.start();
    }

    private void send(RawClient client, byte[] block, int times, long gapMs) {
        long lastNs = System.nanoTime();
        for (int count = 0; count < times && !ceased; count++) {
            for (int at = 0; at < block.length; at += PIECE_BYTES) {
                int end = Math.min(at + PIECE_BYTES, block.length);
                if (!client.trySend(Arrays.copyOfRange(block, at, end))) {
                    failed = true;
                    return;
                }
                sentBytes += end - at;
            }
            long nowNs = System.nanoTime();
            longestGapNs = Math.max(longestGapNs, nowNs - lastNs);
            lastNs = nowNs;
            if (gapMs > 0) {
                ServerProcess.pause(gapMs);
            }
        }
    }

    /** Bytes of whole pieces that the kernel has taken. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Whether the connection refused a block. */
    public boolean failed() {
        return failed;
    }

    /** The longest time between two blocks: on a busy machine more than the gap. */
    public long longestGapMs() {
        return longestGapNs / 1_000_000;
    }

    /** Whether all was sent, or no more can be. */
    public boolean ended() {
        return !thread.isAlive();
    }

    /** Sends no further block; returns the bytes of those that were sent. */
    public long cease() {
        ceased = true;
        return join(RawClient.WAIT).sentBytes();
    }

    /** Waits for the end of the sending; fails beyond {@code bound}. */
    public Upload join(Duration bound) {
        ServerProcess.await("the end of an upload", bound, this::ended);
        return this;
    }

    /** Waits until nothing has been taken for {@code quietMs}; returns the bytes taken. */
    public long awaitStuck(long quietMs, Duration bound) {
        long untilNs = System.nanoTime() + bound.toNanos();
        long seen = -1;
        long seenNs = System.nanoTime();
        while (true) {
            long nowNs = System.nanoTime();
            if (ended()) {
                throw new AssertionError("the server went on reading: all " + sentBytes
                        + " bytes were taken" + (failed ? " until the connection broke" : ""));
            }
            if (sentBytes != seen) {
                seen = sentBytes;
                seenNs = nowNs;
            } else if (nowNs - seenNs > quietMs * 1_000_000) {
                return seen;
            }
            if (nowNs - untilNs > 0) {
                throw new AssertionError("the server went on reading: " + seen
                        + " bytes were taken in " + bound.toMillis() + " ms");
            }
            ServerProcess.pause(10);
        }
    }
}
