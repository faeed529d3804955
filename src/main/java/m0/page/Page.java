package m0.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import m0.app.PageWords;

/**
 * The words that the loops of one server share, of 64 bits each and zero at the start.
 *
 * <pre>
 *   0    last event id            the publisher writes it
 *   1    producer                 its thread writes it
 *   2    publishing               across processes: who is in the publishers' critical section
 *   16   loop 0                   {@link LoopLine#WORDS} each
 *   ...  loop N-1
 *   ...  counters of loop 0       whole lines each, where counting is wanted
 *   ...  counters of loop N-1
 *   ...  seats of the workers     {@link Seat#WORDS} each, and the supervisor's behind them
 *   ...  application words        not padded
 * </pre>
 *
 * <p>The loops of one process have it in memory of their own; workers map the same layout from a
 * file that their supervisor has made.
 *
 * <p>Threads: any. Limits: as many words as an {@code int} can count, and an eighth of that in a
 * file.
 */
public final class Page {
    /** Whether there is a producer, and whether it is being stepped. */
    public enum ProducerState { NONE, UP, DOWN }

    /** What the file is called in the directory that supervisor and workers share. */
    public static final String FILE = "page";

    /** Two cache lines, since a processor fetches them in pairs: neighbours do not disturb. */
    static final int LINE_WORDS = 16;

    private static final int LAST_EVENT_ID = 0;
    private static final int PRODUCER = 1;
    private static final int PUBLISHING = 2;
    private static final int LOOPS = LINE_WORDS;
    private static final ProducerState[] PRODUCER_STATES = ProducerState.values();

    /** "m0 page" and the version of the picture above. */
    private static final long MAGIC = 0x6d30_2070_6167_6500L;
    private static final int VERSION = 1;

    private static final int COUNTER_BITS = 16;

    /** How many there are of each kind of words. */
    private record Shape(int loops, int counterWords, int applicationWords) {
        private Shape {
            if (counterWords < 0) {
                throw new IllegalArgumentException("counterWords=" + counterWords);
            }
            if (loops < 1 || applicationWords < 0) {
                throw new IllegalArgumentException(
                        "loops=" + loops + " applicationWords=" + applicationWords);
            }
        }

        /** Whole lines, so that no loop counts on the line of another. */
        int paddedCounters() {
            return (counterWords + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
        }

        int firstCounters() {
            return LOOPS + loops * LoopLine.WORDS;
        }

        int firstSeat() {
            return firstCounters() + loops * paddedCounters();
        }

        int firstApplicationWord() {
            return firstSeat() + (loops + 1) * Seat.WORDS;
        }

        int words() {
            return Math.toIntExact((long) LOOPS + Seat.WORDS + applicationWords
                    + (long) loops * (LoopLine.WORDS + paddedCounters() + Seat.WORDS));
        }

        SharedFile.Kind kind() {
            if (loops > Seat.WORKERS_MAX || counterWords >= 1 << COUNTER_BITS) {
                throw new IllegalArgumentException(
                        "loops=" + loops + " counterWords=" + counterWords);
            }
            long numbers = ((long) loops << COUNTER_BITS | counterWords) << Integer.SIZE
                    | applicationWords;
            return new SharedFile.Kind(MAGIC, VERSION, numbers,
                    Math.multiplyExact(words(), Long.BYTES));
        }
    }

    private final PageMemory memory;
    private final List<LoopLine> lines;
    private final List<LoopCounters> counters;
    private final List<Seat> seats;
    private final PageWords words;

    private Page(PageMemory memory, Shape shape) {
        this.memory = memory;
        int loops = shape.loops();
        lines = new ArrayList<>(loops);
        counters = new ArrayList<>(loops);
        seats = new ArrayList<>(loops + 1);
        for (int loop = 0; loop < loops; loop++) {
            lines.add(new LoopLine(memory, LOOPS + loop * LoopLine.WORDS));
            counters.add(new LoopCounters(memory,
                    shape.firstCounters() + loop * shape.paddedCounters(), shape.counterWords()));
        }
        for (int seat = 0; seat <= loops; seat++) {
            seats.add(new Seat(memory, shape.firstSeat() + seat * Seat.WORDS, seat));
        }
        words = new ApplicationWords(memory, shape.firstApplicationWord(),
                shape.applicationWords());
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
        Shape shape = new Shape(loops, counterWords, applicationWords);
        return new Page(new OwnMemory(shape.words()), shape);
    }

    /**
     * A page for workers, in a file that is made for it; the parameters are those of {@link
     * #inMemory}, with a loop for each worker.
     *
     * @throws IOException if the file is there already, or cannot be made
     */
    public static Page create(Path file, int loops, int counterWords, int applicationWords)
            throws IOException {
        Shape shape = new Shape(loops, counterWords, applicationWords);
        return new Page(MappedMemory.over(SharedFile.create(file, shape.kind())), shape);
    }

    /** What the file takes that {@link #create} makes for these numbers. */
    public static long fileBytes(int loops, int counterWords, int applicationWords) {
        return SharedFile.fileBytes(new Shape(loops, counterWords, applicationWords).kind());
    }

    /**
     * The page that this worker's supervisor has made.
     *
     * @throws IOException if it is another's, or made for other numbers
     */
    public static Page open(Path file, int loops, int counterWords, int applicationWords)
            throws IOException {
        Shape shape = new Shape(loops, counterWords, applicationWords);
        return new Page(MappedMemory.over(SharedFile.open(file, shape.kind())), shape);
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

    /** The mark of the process that is in the publishers' critical section, or 0. */
    public long publishing() {
        return memory.get(PUBLISHING);
    }

    /** Replaces that mark, or 0, if it is the expected one. */
    public boolean tryPublishing(long expected, long mark) {
        return memory.compareAndSet(PUBLISHING, expected, mark);
    }

    /** What siblings can see of that loop. */
    public LoopLine line(int loop) {
        return lines.get(loop);
    }

    /** In which that loop counts. */
    public LoopCounters counters(int loop) {
        return counters.get(loop);
    }

    /** Of that worker, or of the supervisor, whose number is that of the workers. */
    public Seat seat(int index) {
        return seats.get(index);
    }

    /** Of who signs with that mark. */
    public Seat seatOf(long mark) {
        return seats.get(Seat.index(mark));
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
