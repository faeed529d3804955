package m0.page;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The memory of a page that one JVM has to itself.
 *
 * <p>It is the JDK's: the first buffer of a library costs a start some 20 ms of CPU, mostly for what
 * that library finds out about the machine.
 */
final class OwnMemory extends PageMemory {
    private final AtomicLongArray words;

    OwnMemory(int count) {
        words = new AtomicLongArray(count);
    }

    @Override
    long getPlain(int word) {
        return words.getPlain(word);
    }

    @Override
    long getAcquire(int word) {
        return words.getAcquire(word);
    }

    @Override
    long get(int word) {
        return words.get(word);
    }

    @Override
    void setRelease(int word, long value) {
        words.setRelease(word, value);
    }

    @Override
    void set(int word, long value) {
        words.set(word, value);
    }

    @Override
    long addAndGet(int word, long delta) {
        return words.addAndGet(word, delta);
    }

    @Override
    boolean compareAndSet(int word, long expected, long value) {
        return words.compareAndSet(word, expected, value);
    }
}
