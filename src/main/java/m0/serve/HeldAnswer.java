package m0.serve;

import java.nio.ByteBuffer;
import m0.http.ChunkSource;

/**
 * A body that was whole before it was given, and is announced as if it were not: of unknown length,
 * or longer than it is.
 *
 * <p>Threads: the loop's.
 */
final class HeldAnswer implements ChunkSource {
    private final byte[] bytes;
    private final int length;
    private final Exception failure;
    private int taken;

    /** @param failure why it is not whole, or null: then the connection is cut behind it */
    HeldAnswer(byte[] bytes, int length, Exception failure) {
        this.bytes = bytes;
        this.length = length;
        this.failure = failure;
    }

    @Override
    public boolean next(ByteBuffer into) throws Exception {
        if (taken == length && failure != null) {
            throw failure;
        }
        int count = Math.min(length - taken, into.remaining());
        into.put(bytes, taken, count);
        taken += count;
        return taken < length || failure != null;
    }

    @Override
    public long heldBytes() {
        return bytes.length;
    }
}
