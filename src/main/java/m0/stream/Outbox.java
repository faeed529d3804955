package m0.stream;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What waits to be sent on one stream: slices of arrays, in order, sent and forgotten from the front.
 *
 * <p>The arrays are shared by all streams that carry the frame; nobody changes them.
 *
 * <p>Threads: the loop's. Limits: {@code bytesMax}; an empty outbox takes one frame whatever its
 * size. What is added uncounted (a head, a replay) stands in front of everything else and uses up
 * nothing of the bound.
 */
public final class Outbox {
    private static final byte[][] NO_ARRAYS = new byte[0][];
    private static final int[] NO_BOUNDS = new int[0];
    private static final int SLICES_FIRST = 4;
    /** A ring that has grown beyond this is given back once it is empty. */
    private static final int SLICES_KEPT_MAX = 64;

    private final int bytesMax;
    /** A ring of slices, as many as a power of two. */
    private byte[][] arrays = NO_ARRAYS;
    /** Where slice {@code i} begins, at {@code 2 i}, and ends, behind it. */
    private int[] bounds = NO_BOUNDS;
    private int first;
    private int count;
    private long bytes;
    /** Of {@link #bytes}, those that the bound does not count. */
    private long uncounted;

    public Outbox(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Bytes that wait. */
    public long bytes() {
        return bytes;
    }

    /** Whether a frame of so many bytes may be added. */
    public boolean fits(int length) {
        return count == 0 || bytes - uncounted + length <= bytesMax;
    }

    /** Whether more than half of the bound is taken. */
    public boolean isHalfFull() {
        return bytes - uncounted > bytesMax / 2;
    }

    /** Adds a slice behind the others, whether it {@link #fits} or not. */
    public void add(byte[] array, int offset, int length) {
        if (count == arrays.length) {
            grow();
        }
        int slice = (first + count) & (arrays.length - 1);
        arrays[slice] = array;
        bounds[2 * slice] = offset;
        bounds[2 * slice + 1] = offset + length;
        count++;
        bytes += length;
    }

    /** Adds a slice that the bound does not count; nothing counted may wait. */
    public void addUncounted(byte[] array, int offset, int length) {
        if (bytes != uncounted) {
            throw new IllegalStateException("bytes=" + bytes + " uncounted=" + uncounted);
        }
        add(array, offset, length);
        uncounted += length;
    }

    private void grow() {
        int size = arrays.length == 0 ? SLICES_FIRST : 2 * arrays.length;
        byte[][] largerArrays = new byte[size][];
        int[] largerBounds = new int[2 * size];
        for (int index = 0; index < count; index++) {
            int slice = (first + index) & (arrays.length - 1);
            largerArrays[index] = arrays[slice];
            largerBounds[2 * index] = bounds[2 * slice];
            largerBounds[2 * index + 1] = bounds[2 * slice + 1];
        }
        arrays = largerArrays;
        bounds = largerBounds;
        first = 0;
    }

    /** Copies what fits from the front into {@code into}, and forgets nothing. */
    public void gather(ByteBuffer into) {
        for (int index = 0; index < count && into.hasRemaining(); index++) {
            int slice = (first + index) & (arrays.length - 1);
            int from = bounds[2 * slice];
            into.put(arrays[slice], from,
                    Math.min(bounds[2 * slice + 1] - from, into.remaining()));
        }
    }

    /** Forgets so many bytes from the front: they have been sent. */
    public void consume(int length) {
        int left = length;
        while (left > 0) {
            int from = bounds[2 * first];
            int taken = Math.min(bounds[2 * first + 1] - from, left);
            left -= taken;
            bounds[2 * first] = from + taken;
            if (from + taken == bounds[2 * first + 1]) {
                arrays[first] = null;
                first = (first + 1) & (arrays.length - 1);
                count--;
            }
        }
        bytes -= length;
        uncounted -= Math.min(uncounted, length);
        if (count == 0 && arrays.length > SLICES_KEPT_MAX) {
            clear();
        }
    }

    /** Forgets everything. */
    public void clear() {
        if (arrays.length > SLICES_KEPT_MAX) {
            arrays = NO_ARRAYS;
            bounds = NO_BOUNDS;
        } else {
            Arrays.fill(arrays, null);
        }
        first = 0;
        count = 0;
        bytes = 0;
        uncounted = 0;
    }
}
