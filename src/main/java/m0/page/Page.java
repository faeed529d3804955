package m0.page;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import m0.app.PageWords;

/**
 * The words that the loops of one server share, of 64 bits each and zero at the start.
 *
 * <pre>
 *   0    last event id            the publisher writes it
 *   1    producer                 its thread writes it
 *   16   loop 0                   {@link LoopLine#WORDS} each
 *   ...  loop N-1
 *   ...  counters of loop 0       whole lines each, where counting is wanted
 *   ...  counters of loop N-1
 *   ...  application words        not padded
 * </pre>
 *
 * <p>The memory is the JDK's: the first buffer of a library costs a start some 20 ms of CPU, mostly
 * for what that library finds out about the machine.
 *
 * <p>Threads: any. Limits: as many words as an {@code int} can count.
 */
public final class Page {
    /** Whether there is a producer, and whether it is being stepped. */
    public enum ProducerState { NONE, UP, DOWN }

    /** Two cache lines, since a processor fetches them in pairs: neighbours do not disturb. */
    static final int LINE_WORDS = 16;

    private static final int LAST_EVENT_ID = 0;
    private static final int PRODUCER = 1;
    private static final int LOOPS = LINE_WORDS;
    private static final ProducerState[] PRODUCER_STATES = ProducerState.values();

    private final AtomicLongArray memory;
    private final List<LoopLine> lines;
    private final List<LoopCounters> counters;
    private final PageWords words;

    private Page(AtomicLongArray memory, int loops, int counterWords, int applicationWords) {
        this.memory = memory;
        lines = new ArrayList<>(loops);
        counters = new ArrayList<>(loops);
        int firstCounters = LOOPS + loops * LoopLine.WORDS;
        int paddedCounters = padded(counterWords);
        for (int loop = 0; loop < loops; loop++) {
            lines.add(new LoopLine(memory, LOOPS + loop * LoopLine.WORDS));
            counters.add(new LoopCounters(memory, firstCounters + loop * paddedCounters,
                    counterWords));
        }
        words = new ApplicationWords(memory, firstCounters + loops * paddedCounters,
                applicationWords);
    }

    /** A page for the loops of this process, without counters. */
    public static Page inMemory(int loops, int applicationWords) {
        return inMemory(loops, 0, applicationWords);
    }

    /**
     * A page for the loops of this process.
     *
     * @param loops at least 1
     * @param counterWords words in which each loop counts
     * @param applicationWords what {@code App.pageSlots} asked for
     */
    public static Page inMemory(int loops, int counterWords, int applicationWords) {
        if (counterWords < 0) {
            throw new IllegalArgumentException("counterWords=" + counterWords);
        }
        if (loops < 1 || applicationWords < 0) {
            throw new IllegalArgumentException(
                    "loops=" + loops + " applicationWords=" + applicationWords);
        }
        int count = Math.toIntExact(LOOPS + (long) loops * (LoopLine.WORDS + padded(counterWords))
                + applicationWords);
        return new Page(new AtomicLongArray(count), loops, counterWords, applicationWords);
    }

    /** Whole lines, so that no loop counts on the line of another. */
    private static int padded(int words) {
        return (words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    }

    public int loops() {
        return lines.size();
    }

    /** The id of the last event that was published, 0 before the first. */
    public long lastEventId() {
        return memory.get(LAST_EVENT_ID);
    }

    /** Moves it on; only by whoever is inside the publishers' critical section. */
    public void lastEventId(long id) {
        memory.set(LAST_EVENT_ID, id);
    }

    /** What siblings can see of that loop. */
    public LoopLine line(int loop) {
        return lines.get(loop);
    }

    /** In which that loop counts. */
    public LoopCounters counters(int loop) {
        return counters.get(loop);
    }

    public ProducerState producer() {
        return PRODUCER_STATES[(int) memory.get(PRODUCER)];
    }

    /** Only by who makes the producer and by the thread that steps it, one after the other. */
    public void producer(ProducerState state) {
        memory.set(PRODUCER, state.ordinal());
    }

    /** The application's words. */
    public PageWords words() {
        return words;
    }
}
