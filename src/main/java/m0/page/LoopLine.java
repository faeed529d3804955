package m0.page;

/**
 * What siblings can see of one loop, and what they promise to it.
 *
 * <pre>
 *   not started --begin()--> serving --leave(), bury()--> left --begin() of a successor--> serving
 *
 *   0   state         |
 *   1   pass since    |
 *   2   active        |  written by the loop's thread, read by any
 *   3   taken         |
 *   4   passed        |
 *   5   received      |
 *   6   stalls           the stall watch writes it
 *   7   stood back
 *   8   ends             who has seen its process end writes it
 *   16  pending          on another line: siblings raise it, the loop lowers it
 *   17  frames refused   whoever publishes writes it, one at a time
 * </pre>
 *
 * <p>A sibling that hands a connection over raises {@code pending} first and looks at the state
 * again afterwards; a loop that leaves stores its state first and looks at {@code pending}
 * afterwards. Both pairs are sequentially consistent, so at least one of the two sees the other,
 * and no connection is left with a loop that looks no more.
 *
 * <p>Threads: what changes a word is for the loop's own thread, where the picture names no other
 * writer; the rest for any. {@code pass since} is a time of {@code System.nanoTime}, which all processes of one Linux
 * machine share.
 */
public final class LoopLine {
    static final int WORDS = 2 * Page.LINE_WORDS;

    private static final int STATE = 0;
    private static final int PASS_SINCE = 1;
    private static final int ACTIVE = 2;
    private static final int TAKEN = 3;
    private static final int PASSED = 4;
    private static final int RECEIVED = 5;
    private static final int STALLS = 6;
    private static final int STOOD_BACK = 7;
    private static final int ENDS = 8;
    private static final int PENDING = Page.LINE_WORDS;
    private static final int FRAMES_REFUSED = PENDING + 1;

    private static final long SERVING = 1;
    private static final long LEFT = 2;
    /** It has left, and the listener too. */
    private static final long DEAF = 3;

    private final PageMemory memory;
    private final int first;

    LoopLine(PageMemory memory, int first) {
        this.memory = memory;
        this.first = first;
    }

    /** The loop serves from now on. */
    public void begin() {
        memory.set(first + STATE, SERVING);
    }

    /** The loop takes no more part in sharing. */
    public void leave() {
        if (!hasLeft()) {
            memory.set(first + STATE, LEFT);
        }
    }

    /** The loop has taken in who waited and listens no more: whoever comes now it does not see. */
    public void leaveListener() {
        memory.set(first + STATE, DEAF);
    }

    /**
     * Its process is gone: it takes no more part in sharing, holds nothing and is promised nothing.
     * What it has counted stays. Only by who has seen it end, before a successor begins.
     */
    public void bury() {
        leave();
        memory.set(first + ACTIVE, 0);
        memory.set(first + PENDING, 0);
        leavePass();
        increment(ENDS);
    }

    /** How often it was buried. */
    public long ends() {
        return memory.get(first + ENDS);
    }

    /** Whether it has begun and not left. */
    public boolean isServing() {
        return memory.get(first + STATE) == SERVING;
    }

    public boolean hasLeft() {
        return memory.get(first + STATE) >= LEFT;
    }

    public boolean hasLeftListener() {
        return memory.get(first + STATE) == DEAF;
    }

    /** A pass begins at that time. */
    public void enterPass(long nowNs) {
        memory.setRelease(first + PASS_SINCE, nowNs == 0 ? 1 : nowNs);
    }

    /** The pass is over. */
    public void leavePass() {
        memory.setRelease(first + PASS_SINCE, 0);
    }

    /** When the pass it is inside of began, on its clock; 0 while it is parked or has ended. */
    public long passSinceNs() {
        return memory.get(first + PASS_SINCE);
    }

    /** Connections that it holds. */
    public int active() {
        return (int) memory.get(first + ACTIVE);
    }

    public void active(int connections) {
        memory.setRelease(first + ACTIVE, connections);
    }

    /** Connections that siblings have promised to it and that it has not taken in. */
    public int pending() {
        return (int) memory.get(first + PENDING);
    }

    /** Raises or lowers what is promised to it. Any thread. */
    public void addPending(int delta) {
        memory.addAndGet(first + PENDING, delta);
    }

    /** What it holds and what it is promised. */
    public int load() {
        return active() + pending();
    }

    /** Connections it has taken in since the start, accepted by itself or by a sibling. */
    public long taken() {
        return memory.get(first + TAKEN);
    }

    public void countTaken() {
        increment(TAKEN);
    }

    /** Connections it has accepted and handed to a sibling. */
    public long passed() {
        return memory.get(first + PASSED);
    }

    public void countPassed() {
        increment(PASSED);
    }

    /** Connections that siblings have handed to it. */
    public long received() {
        return memory.get(first + RECEIVED);
    }

    public void countReceived() {
        increment(RECEIVED);
    }

    /** How often it has left a connection to siblings in other processes. */
    public long stoodBack() {
        return memory.get(first + STOOD_BACK);
    }

    public void countStoodBack() {
        increment(STOOD_BACK);
    }

    /** Passes of it that the stall watch has found over its limit. */
    public long stalls() {
        return memory.get(first + STALLS);
    }

    /** Only by the thread that watches for stalls. */
    public void countStall() {
        increment(STALLS);
    }

    /** Frames of the bus that its ring had no room for. */
    public long framesRefused() {
        return memory.get(first + FRAMES_REFUSED);
    }

    /** Only by whoever is inside the publishers' critical section. */
    public void countFrameRefused() {
        increment(FRAMES_REFUSED);
    }

    /** One writer, so nothing comes between reading and writing. */
    private void increment(int word) {
        memory.setRelease(first + word, memory.getPlain(first + word) + 1);
    }
}
