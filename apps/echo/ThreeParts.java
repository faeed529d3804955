package echo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.http.ChunkSource;

/**
 * A body of three parts whose length nobody is told, each put by a call of its own.
 *
 * <p>A source returns at once and cannot wait, so the parts follow each other as fast as the socket
 * takes them: what a client sees of them is three chunks.
 *
 * <p>Threads: the loop's. Owns: nothing; it is for one answer.
 */
final class ThreeParts implements ChunkSource {
    private static final byte[][] PARTS = {
        "part one\n".getBytes(StandardCharsets.US_ASCII),
        "part two\n".getBytes(StandardCharsets.US_ASCII),
        "part three\n".getBytes(StandardCharsets.US_ASCII),
    };

    private int part;
    private int offset;

    @Override
    public boolean next(ByteBuffer into) {
        byte[] bytes = PARTS[part];
        int count = Math.min(into.remaining(), bytes.length - offset);
        into.put(bytes, offset, count);
        offset += count;
        if (offset == bytes.length) {
            part++;
            offset = 0;
        }
        return part < PARTS.length;
    }
}
