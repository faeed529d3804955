package m0.bytes;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Octets that arrive bit by bit, kept in one array.
 *
 * <p>The array grows geometrically with what has arrived, never with what somebody announced. It is
 * empty until the first octet comes.
 *
 * <p>Threads: one at a time. Owns: its array, which the next {@code append}, {@link #discard} or
 * {@link #shed} may replace or overwrite.
 */
public final class GrowableBytes {
    private static final byte[] NOTHING = new byte[0];
    private static final int CAPACITY_FIRST = 512;

    private final int capacityMax;
    private byte[] array = NOTHING;
    private int length;

    public GrowableBytes() {
        this(Integer.MAX_VALUE);
    }

    /**
     * For octets whose number is known to be bounded.
     *
     * @param capacityMax growth in advance stops here; octets beyond it are taken, and cost a copy
     *     each time
     */
    public GrowableBytes(int capacityMax) {
        this.capacityMax = capacityMax;
    }

    /** Adds {@code count} octets from {@code offset} of {@code source}. */
    public void append(byte[] source, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, source.length);
        int needed = Math.addExact(length, count);
        if (needed > array.length) {
            grow(needed);
        }
        System.arraycopy(source, offset, array, length, count);
        length = needed;
    }

    /** Adds what remains of {@code source}, whose position stays. */
    public void append(ByteBuffer source) {
        int count = source.remaining();
        int needed = Math.addExact(length, count);
        if (needed > array.length) {
            grow(needed);
        }
        source.get(source.position(), array, length, count);
        length = needed;
    }

    /** Adds one octet. */
    public void append(byte octet) {
        if (length == array.length) {
            grow(Math.addExact(length, 1));
        }
        array[length++] = octet;
    }

    private void grow(int needed) {
        int doubled = array.length > Integer.MAX_VALUE / 2 ? needed : 2 * array.length;
        int ahead = Math.max(Math.max(doubled, needed), CAPACITY_FIRST);
        array = Arrays.copyOf(array, Math.max(Math.min(ahead, capacityMax), needed));
    }

    /** The array that holds the octets, from its index 0. */
    public byte[] array() {
        return array;
    }

    /** How many octets are held. */
    public int length() {
        return length;
    }

    /** How many fit before the array grows. */
    public int capacity() {
        return array.length;
    }

    /** Forgets the octets and keeps the array. */
    public void clear() {
        length = 0;
    }

    /** Drops {@code count} octets from the front; the rest move down to index 0. */
    public void discard(int count) {
        Objects.checkFromIndexSize(0, count, length);
        System.arraycopy(array, count, array, 0, length - count);
        length -= count;
    }

    /**
     * Gives a large array back, so that one large message does not cost its memory for ever. The
     * octets held stay.
     *
     * @param keepBytes an array up to this size is kept
     */
    public void shed(int keepBytes) {
        if (array.length > keepBytes && length <= keepBytes) {
            array = length == 0 ? NOTHING : Arrays.copyOf(array, length);
        }
    }
}
