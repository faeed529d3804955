package host_check;

import java.nio.ByteBuffer;
import m0.http.ChunkSource;

/**
 * Pattern bytes of a length that nobody is told, pulled piece by piece.
 *
 * <p>Between two pieces it has nothing for a while, and it can be told to fail on its way.
 *
 * <p>Threads: the loop's. Errors: beyond the byte it was told it throws.
 */
final class PatternSource implements ChunkSource {

    /** What the sources of one handler were asked for, all together. */
    static final class Counts {
        private long pulled;
        private int open;
        private int closed;
        private long askedInVain;

        String json() {
            return "{\"pulled\":" + pulled + ",\"open\":" + open + ",\"closed\":" + closed
                    + ",\"askedInVain\":" + askedInVain + "}";
        }
    }

    private final Counts counts;
    private final long bytes;
    private final byte[] piece;
    private final long gapNs;
    private final long throwsAt;
    private long at;
    private int pieceAt;
    private long dueNs = System.nanoTime();

    /**
     * @param bytes how many it has in all
     * @param pieceBytes how many it gives before it has nothing for {@code gapMs}
     * @param throwsAt the byte at which it throws, or −1
     */
    PatternSource(Counts counts, long bytes, int pieceBytes, long gapMs, long throwsAt) {
        this.counts = counts;
        this.bytes = bytes;
        piece = new byte[pieceBytes];
        pieceAt = pieceBytes;
        gapNs = gapMs * 1_000_000L;
        this.throwsAt = throwsAt;
        counts.open++;
    }

    @Override
    public boolean next(ByteBuffer into) {
        if (at == throwsAt) {
            throw new IllegalStateException("the source was asked to throw at byte " + at);
        }
        if (pieceAt == piece.length) {
            if (System.nanoTime() - dueNs < 0) {
                counts.askedInVain++;
                return true;
            }
            Pattern.fill(piece, at);
            pieceAt = 0;
        }
        long left = (throwsAt >= 0 ? Math.min(throwsAt, bytes) : bytes) - at;
        int count = (int) Math.min(left, Math.min(into.remaining(), piece.length - pieceAt));
        into.put(piece, pieceAt, count);
        pieceAt += count;
        at += count;
        counts.pulled += count;
        if (pieceAt == piece.length) {
            dueNs = System.nanoTime() + gapNs;
        }
        return at < bytes;
    }

    @Override
    public void close() {
        counts.open--;
        counts.closed++;
    }
}
