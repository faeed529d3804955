package m0.page;

import java.util.Objects;

/**
 * Words of a {@link Page} in which one loop counts; what each stands for is decided by who counts.
 *
 * <p>A word has one writer, so counting is a read and a write and no contest, but for those few that
 * several threads share; and it is in the page, so whoever reads sees the words of every loop, in
 * whatever process that runs.
 *
 * <p>Threads: {@link #add} is for the loop's own thread, {@link #addShared} and {@link #get} for any:
 * who reads sees a count that was true a moment ago. Limits: as many words as the page was made with. Errors: a word outside
 * them is refused.
 */
public final class LoopCounters {
    private final PageMemory memory;
    private final int first;
    private final int count;

    LoopCounters(PageMemory memory, int first, int count) {
        this.memory = memory;
        this.first = first;
        this.count = count;
    }

    /** Changes a word by {@code delta}. */
    public void add(int word, long delta) {
        int position = position(word);
        memory.setRelease(position, memory.getPlain(position) + delta);
    }

    /** Changes a word that no {@link #add} changes. */
    public void addShared(int word, long delta) {
        memory.addAndGet(position(word), delta);
    }

    /** Sets a word to nothing; only where the loop that counted in it runs no more. */
    public void clear(int word) {
        memory.set(position(word), 0);
    }

    public long get(int word) {
        return memory.getAcquire(position(word));
    }

    private int position(int word) {
        return first + Objects.checkIndex(word, count);
    }
}
