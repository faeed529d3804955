package m0.serve;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import m0.http.ChunkSource;

/**
 * A body on its way from the thread that writes it to the loop that sends it: a ring of bytes in
 * which the writer waits while it is full.
 *
 * <pre>
 *   read                written             read + ring.length
 *     v                    v                        v
 *     | to be sent         | free                   |
 * </pre>
 * The loop never waits: it takes what is there, and says that it hungers where nothing is. Whoever
 * then writes, or ends the body, wakes it. Both sides publish before they look at what the other
 * says, so one of them always sees the other.
 *
 * <p>There is no ring before the first byte goes into it, and it grows with what waits there: many
 * slow answers of a few bytes cost little. The writer moves what waits to the larger one and then
 * writes to that alone, so a loop that still reads the smaller one finds in it all that it knows of.
 *
 * <p>The writer waits for the socket, in the end: for its client's reading, and no longer than the
 * connection does, whose send deadline, reset or drain {@link #close() closes} this and has it throw.
 *
 * <p>Threads: {@link #write} one after the other, whatever threads they are; {@link #end},
 * {@link #fail} and {@link #shut} any; the rest the loop's. Limits: {@value #RING_BYTES_MAX} bytes.
 */
final class AnswerPipe implements ChunkSource {
    static final int RING_BYTES_MAX = 64 * 1024;
    static final int RING_BYTES_FIRST = 4 * 1024;
    private static final byte[] NO_BYTES = new byte[0];

    /** Told what its connection's end left open. Threads: the loop's. */
    interface Outcome {
        /**
         * Nobody has ended the body.
         *
         * @param writing whether a writer waits, who learns of it by an exception
         */
        void onAbandoned(boolean writing);

        /** The body had failed, and its connection ended before it could be cut for that. */
        void onFailureUntold(Exception failure);
    }

    /** What went before the ring; the loop's, which lets go of it once it has taken all. */
    private byte[] first;
    private final int firstLength;
    private final long length;
    private final Outcome outcome;
    private final ReentrantLock writers = new ReentrantLock();
    /** Of {@code first}, how many the loop has taken; the loop's. */
    private int firstTaken;
    /** Written by the writer, in front of the bytes that need it; read by the loop behind those. */
    private volatile byte[] ring = NO_BYTES;
    /** Bytes that went into the ring; written by the writer, read by the loop. */
    private volatile long written;
    /** Bytes that were taken out of it; written by the loop, read by the writer. */
    private volatile long read;
    /** The body is whole; written by whoever ends it, read by both sides. */
    private volatile boolean ended;
    /** Why it cannot be; written by whoever says so, read by the loop. */
    private volatile Exception failure;
    /** Nobody sends it any more; written by whoever finds it so, read by writers. */
    private volatile boolean closed;
    /** The loop had nothing to take; set by the loop, lowered by who wakes it. */
    private volatile boolean hungry;
    /** Whether the loop was told of the failure; the loop's. */
    private boolean failureTold;
    /** The writer that waits for room, or null; written by it, read by the loop. */
    private volatile Thread waiter;
    /** Wakes the loop; set by the loop before it first takes something. */
    private volatile Runnable wake;

    /**
     * @param first what was written before there was a pipe
     * @param length of the whole body, those included, or −1: then {@link #end} ends it
     */
    AnswerPipe(byte[] first, int firstLength, long length, Outcome outcome) {
        this.first = first;
        this.firstLength = firstLength;
        this.length = length;
        this.outcome = outcome;
    }

    /**
     * Waits until all of it is in the ring.
     *
     * @throws IOException if nobody sends it any more, or the body has ended
     */
    void write(byte[] bytes, int offset, int count) throws IOException {
        writers.lock();
        try {
            int done = 0;
            while (done < count) {
                checkOpen();
                int room = makeRoom(count - done);
                if (room == 0) {
                    awaitRoom();
                    continue;
                }
                int put = Math.min(room, count - done);
                put(bytes, offset + done, put);
                done += put;
                written += put;
                feed();
            }
        } finally {
            writers.unlock();
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("the connection has ended");
        }
        if (isOver()) {
            throw new IOException("the exchange is closed");
        }
    }

    /** How many bytes may be put now; the ring grows, as far as it may, to take all that are wanted. */
    private int makeRoom(int wanted) {
        long taken = read;
        int waiting = (int) (written - taken);
        int size = ring.length;
        if (size - waiting < wanted && size < RING_BYTES_MAX) {
            size = Math.max(RING_BYTES_FIRST, size);
            while (size - waiting < wanted && size < RING_BYTES_MAX) {
                size *= 2;
            }
            ring = moved(taken, size);
        }
        return size - waiting;
    }

    /** A ring of that size with all that the loop has not taken, and with some that it takes just now. */
    private byte[] moved(long taken, int size) {
        byte[] before = ring;
        byte[] larger = new byte[size];
        long at = taken;
        while (at < written) {
            int from = (int) (at % before.length);
            int to = (int) (at % size);
            int count = (int) Math.min(written - at, Math.min(before.length - from, size - to));
            System.arraycopy(before, from, larger, to, count);
            at += count;
        }
        return larger;
    }

    private void put(byte[] bytes, int offset, int count) {
        byte[] into = ring;
        int at = (int) (written % into.length);
        int upToTheEnd = Math.min(count, into.length - at);
        System.arraycopy(bytes, offset, into, at, upToTheEnd);
        System.arraycopy(bytes, offset + upToTheEnd, into, 0, count - upToTheEnd);
    }

    private void awaitRoom() throws InterruptedIOException {
        waiter = Thread.currentThread();
        // What the loop did before it could see who waits is seen here.
        if (written - read == RING_BYTES_MAX && !closed && !isOver()) {
            LockSupport.park(this);
        }
        waiter = null;
        if (Thread.currentThread().isInterrupted()) {
            InterruptedIOException interrupted =
                    new InterruptedIOException("interrupted while the client was to read");
            fail(interrupted);
            throw interrupted;
        }
    }

    /** Wakes the loop where it had nothing. */
    private void feed() {
        if (hungry) {
            hungry = false;
            wake.run();
        }
    }

    /** The body is whole. */
    void end() {
        ended = true;
        feed();
        unpark();
    }

    /** The body will never be whole: what is in the ring is sent, and then its connection is cut. */
    void fail(Exception cause) {
        failure = cause;
        feed();
        unpark();
    }

    private void unpark() {
        Thread waits = waiter;
        if (waits != null) {
            LockSupport.unpark(waits);
        }
    }

    @Override
    public boolean wakesBy(Runnable waking) {
        wake = waking;
        return true;
    }

    @Override
    public boolean next(ByteBuffer into) throws Exception {
        if (take(into) == 0) {
            hungry = true;
            // What was written before the loop could be seen to hunger wakes nobody and is taken
            // here. It stays hungry where nothing was, though the body may be over by now: bytes
            // that came with the end, behind this look, have to wake it.
            if (take(into) > 0) {
                hungry = false;
            }
        }
        if (written != read || firstTaken < firstLength) {
            return true;
        }
        if (failure != null) {
            if (into.position() > 0) {
                return true;
            }
            failureTold = true;
            throw failure;
        }
        // It may have become whole with bytes that came behind the look above.
        return !isWhole() || written != read;
    }

    private boolean isOver() {
        return isWhole() || failure != null;
    }

    /**
     * Whether nothing comes behind what is there. A body of known length is whole with its last byte,
     * and its loop may be through with it before the writer has said anything else.
     */
    private boolean isWhole() {
        return ended || firstLength + written == length;
    }

    /** Moves what is there and fits; how many bytes that was. */
    private int take(ByteBuffer into) {
        int before = into.position();
        int ofFirst = Math.min(firstLength - firstTaken, into.remaining());
        if (ofFirst > 0) {
            into.put(first, firstTaken, ofFirst);
            firstTaken += ofFirst;
            if (firstTaken == firstLength) {
                first = NO_BYTES;
            }
        }
        int ofRing = (int) Math.min(written - read, into.remaining());
        if (ofRing > 0) {
            // Looked at behind what was written: whatever ring that went into, this one has it.
            byte[] from = ring;
            int at = (int) (read % from.length);
            int upToTheEnd = Math.min(ofRing, from.length - at);
            into.put(from, at, upToTheEnd);
            into.put(from, 0, ofRing - upToTheEnd);
            read += ofRing;
            unpark();
        }
        return into.position() - before;
    }

    @Override
    public long heldBytes() {
        return first.length + ring.length;
    }

    @Override
    public void close() {
        Exception untold = failureTold ? null : failure;
        if (untold != null) {
            outcome.onFailureUntold(untold);
        } else if (!isOver()) {
            outcome.onAbandoned(waiter != null);
        }
        shut();
    }

    /** Nobody will send it. */
    void shut() {
        closed = true;
        unpark();
    }
}
