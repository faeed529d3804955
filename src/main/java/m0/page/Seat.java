package m0.page;

/**
 * Which process sits in a worker's place, or in the supervisor's behind them.
 *
 * <pre>
 *   0   incarnation   raised by who has seen the process end
 *   1   pid           written by the process, 0 before
 *   2   started       in ticks of the machine since its start; written before the pid
 * </pre>
 *
 * <p>A process signs what it holds with its mark, which names place and incarnation: a pid could be
 * another process's by now.
 *
 * <p>Threads: any.
 */
public final class Seat {
    static final int WORDS = Page.LINE_WORDS;

    private static final int INCARNATION = 0;
    private static final int PID = 1;
    private static final int STARTED = 2;
    private static final int PLACE_BITS = 16;
    private static final int PLACES = (1 << PLACE_BITS) - 1;
    /** Fewer by the supervisor's own seat. */
    static final int WORKERS_MAX = (1 << 15) - 1;

    private final PageMemory memory;
    private final int first;
    private final int index;

    Seat(PageMemory memory, int first, int index) {
        this.memory = memory;
        this.first = first;
        this.index = index;
    }

    /** The place that signs so; never 0 for a mark. */
    static int index(long mark) {
        return (int) (mark & PLACES) - 1;
    }

    public int index() {
        return index;
    }

    /** With what its process signs; never 0. */
    public long mark() {
        return memory.get(first + INCARNATION) << PLACE_BITS | index + 1;
    }

    /** This process sits here from now on. */
    public void sit(long pid, long started) {
        memory.set(first + STARTED, started);
        memory.set(first + PID, pid);
    }

    /** Its process is gone, and what that signed is nobody's. Before a successor is started. */
    public void vacate() {
        memory.set(first + PID, 0);
        memory.addAndGet(first + INCARNATION, 1);
    }

    /** 0 while nobody sits here. */
    public long pid() {
        return memory.get(first + PID);
    }

    public long started() {
        return memory.get(first + STARTED);
    }
}
