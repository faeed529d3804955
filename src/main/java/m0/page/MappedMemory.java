package m0.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of a page that several processes have mapped.
 *
 * <p>Each access is one instruction on an aligned word, and the orderings are the machine's, which
 * knows no processes: what the memory model promises between threads holds between these too.
 */
final class MappedMemory extends PageMemory {
    private static final VarHandle WORDS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Keeps the mapping alive. */
    private final ByteBuffer bytes;

    private MappedMemory(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /**
     * What is made here looks like its general kind to who calls, whose own loading then loads no
     * second kind.
     *
     * @param bytes direct, beginning at a multiple of eight
     */
    static PageMemory over(ByteBuffer bytes) {
        return new MappedMemory(bytes);
    }

    @Override
    long getPlain(int word) {
        return (long) WORDS.get(bytes, word * Long.BYTES);
    }

    @Override
    long getAcquire(int word) {
        return (long) WORDS.getAcquire(bytes, word * Long.BYTES);
    }

    @Override
    long get(int word) {
        return (long) WORDS.getVolatile(bytes, word * Long.BYTES);
    }

    @Override
    void setRelease(int word, long value) {
        WORDS.setRelease(bytes, word * Long.BYTES, value);
    }

    @Override
    void set(int word, long value) {
        WORDS.setVolatile(bytes, word * Long.BYTES, value);
    }

    @Override
    long addAndGet(int word, long delta) {
        return (long) WORDS.getAndAdd(bytes, word * Long.BYTES, delta) + delta;
    }

    @Override
    boolean compareAndSet(int word, long expected, long value) {
        return WORDS.compareAndSet(bytes, word * Long.BYTES, expected, value);
    }
}
