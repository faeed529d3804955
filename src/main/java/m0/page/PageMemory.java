package m0.page;

/**
 * The memory of a {@link Page}: 64-bit words that threads, and where it is mapped processes, read
 * and write with the usual orderings.
 *
 * <p>In one JVM there is only ever one kind of it, so that the compiler calls it directly.
 * Threads: any.
 */
abstract class PageMemory {
    abstract long getPlain(int word);

    abstract long getAcquire(int word);

    /** Sequentially consistent, as {@link #set} and what follows it. */
    abstract long get(int word);

    abstract void setRelease(int word, long value);

    abstract void set(int word, long value);

    abstract long addAndGet(int word, long delta);

    abstract boolean compareAndSet(int word, long expected, long value);
}
