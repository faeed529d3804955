package m0.bytes;

import java.nio.charset.StandardCharsets;

/**
 * Where some bytes lie: a flyweight that look-ups fill in, so that they need not allocate.
 *
 * <p>Owns: nothing; the array belongs to whoever filled the span in, who also says how long it
 * stays valid. Threads: one at a time.
 */
public final class Span {
    private byte[] array = new byte[0];
    private int offset;
    private int length;

    /** Points this span at {@code length} bytes from {@code offset} of {@code array}. */
    public void set(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    public byte[] array() {
        return array;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    /** The bytes read as UTF-8, malformed ones replaced. Allocates. */
    @Override
    public String toString() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }
}
