package m0.bus;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import m0.app.Published;
import m0.app.Publisher;
import m0.loop.Door;
import m0.loop.Waker;
import m0.page.Page;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Brings each published frame to every loop of this process.
 *
 * <p>Taking an id from the page and offering the frame to all rings is one critical section: so every
 * ring sees ids ascending, whoever publishes, and each ring has one writer at a time. A full ring
 * refuses for its loop alone; that loop is told in its place in the order.
 *
 * <p>Threads: any; {@link #source} is for that loop's thread. A publisher waits for no reader, and for
 * another publisher only while that one is in the critical section.
 *
 * <p>Limits: a ring of {@value #RING_BYTES} bytes for each loop by default, beyond which a frame is
 * refused; names of 255 bytes, data of 64 KiB, beyond which nothing is published.
 */
public final class Bus implements FrameBus, Publisher {
    /** The bytes of one loop's ring; a frame may take an eighth of it. */
    public static final int RING_BYTES = 1 << 20;

    private final Page page;
    private final FrameRing[] rings;
    private final Waker[] wakers;
    /** No monitor: a virtual thread that waits for one holds its carrier. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The frame being published, under the lock; its memory is taken with the first. */
    private UnsafeBuffer frame;

    /**
     * @param ringBytes a power of two, at least {@value #RING_BYTES}, for each loop
     * @param wakers one for each loop of the page
     */
    public Bus(Page page, int ringBytes, List<Waker> wakers) {
        if (ringBytes < RING_BYTES || Integer.bitCount(ringBytes) != 1) {
            throw new IllegalArgumentException("ringBytes=" + ringBytes);
        }
        if (wakers.size() != page.loops()) {
            throw new IllegalArgumentException(
                    "wakers=" + wakers.size() + " loops=" + page.loops());
        }
        this.page = page;
        this.wakers = wakers.toArray(new Waker[0]);
        rings = new FrameRing[page.loops()];
        for (int loop = 0; loop < rings.length; loop++) {
            rings[loop] = new FrameRing(ringBytes, page.line(loop));
        }
    }

    @Override
    public Publisher publisher() {
        return this;
    }

    @Override
    public FrameSource source(int loop) {
        return rings[loop];
    }

    /** None: who publishes in this process wakes the loop itself. */
    @Override
    public List<Door> doors(int loop) {
        return List.of();
    }

    @Override
    public Published publish(String channel, String event, ByteBuffer data) {
        FrameDraft draft = FrameDraft.of(channel, event, data);
        if (!draft.refusal().isEmpty()) {
            return new Published(0, 0, 0, draft.refusal());
        }
        Published published;
        lock.lock();
        try {
            // Memory that is not there is missed before an id is taken, for no loop or for all.
            for (FrameRing ring : rings) {
                ring.open();
            }
            if (frame == null) {
                frame = new UnsafeBuffer(ByteBuffer.allocateDirect(FrameLayout.FRAME_BYTES_MAX));
            }
            published = offer(draft.encodeInto(frame));
        } finally {
            lock.unlock();
        }
        for (Waker waker : wakers) {
            waker.wake();
        }
        return published;
    }

    /** Gives the frame its id and offers it to every ring. */
    private Published offer(int length) {
        long id = page.lastEventId() + 1;
        page.lastEventId(id);
        frame.putLong(FrameLayout.ID, id);
        int taken = 0;
        StringBuilder full = null;
        for (int loop = 0; loop < rings.length; loop++) {
            if (rings[loop].offer(frame, length, id)) {
                taken++;
            } else {
                full = full == null ? new StringBuilder("full: ring of loop ") : full.append(", ");
                full.append(loop);
            }
        }
        return new Published(id, taken, rings.length - taken, full == null ? "" : full.toString());
    }
}
