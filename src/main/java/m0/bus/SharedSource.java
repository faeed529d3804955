package m0.bus;

import m0.page.LoopLine;

/**
 * The read side of the ring of this worker.
 *
 * <p>The bell's flag is raised whenever the ring is looked at before waiting and lowered when frames
 * are taken: so it stands up while the loop waits, and a publisher that stores first and looks at the
 * flag afterwards misses it only where the loop, which raises first and looks afterwards, sees what
 * was stored.
 */
final class SharedSource implements FrameSource {
    private final SharedRing ring;
    private final LoopLine line;
    private final FrameReader reader = new FrameReader();
    /** What it has taken until; the ring's own word follows it. */
    private long head;
    private boolean reading;

    SharedSource(SharedRing ring, LoopLine line) {
        this.ring = ring;
        this.line = line;
    }

    /** From now on frames come. Only in the critical section. */
    void start(long mark, long lastId) {
        head = ring.startReading(mark, lastId);
        reading = true;
    }

    @Override
    public boolean isEmpty() {
        if (!reading) {
            return true;
        }
        ring.raiseBell();
        return !reader.isUntold(ring.lostId()) && head == ring.tail();
    }

    @Override
    public int poll(FrameSink to, int framesMax) {
        if (!reading) {
            return 0;
        }
        ring.lowerBell();
        // Before the tail is looked at: what that id follows is in the ring already.
        long lost = ring.lostId();
        long tail = ring.tail();
        int count = 0;
        try {
            while (count < framesMax && head != tail) {
                long position = head;
                // Behind it before it is handed over, so that a sink which throws has had it.
                head = ring.end(position);
                if (ring.hand(position, reader, to)) {
                    count++;
                }
            }
        } finally {
            ring.head(head);
        }
        if (head == tail) {
            reader.tellLost(to, lost);
        }
        return count;
    }

    @Override
    public long refused() {
        return line.framesRefused();
    }
}
