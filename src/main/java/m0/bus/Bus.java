package m0.bus;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import m0.app.Published;
import m0.app.Publisher;
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
 * <p>Threads: any; {@link #ring} is for that loop's thread. A publisher waits for no reader, and for
 * another publisher only while that one is in the critical section.
 *
 * <p>Limits: a ring of {@value #RING_BYTES} bytes for each loop by default, beyond which a frame is
 * refused; names of 255 bytes, data of 64 KiB, beyond which nothing is published.
 */
public final class Bus implements Publisher {
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

    /** What applications and the producer publish with. */
    public Publisher publisher() {
        return this;
    }

    /** The read side of one loop. */
    public FrameRing ring(int loop) {
        return rings[loop];
    }

    @Override
    public Published publish(String channel, String event, ByteBuffer data) {
        String reason = FrameRules.againstChannel(channel);
        if (reason.isEmpty()) {
            reason = FrameRules.againstEvent(event);
        }
        if (!reason.isEmpty()) {
            return new Published(0, 0, 0, reason);
        }
        return publish(channel.getBytes(StandardCharsets.UTF_8),
                event.getBytes(StandardCharsets.UTF_8), data);
    }

    private Published publish(byte[] channel, byte[] event, ByteBuffer data) {
        String reason = againstLengths(channel, event, data);
        if (!reason.isEmpty()) {
            return new Published(0, 0, 0, reason);
        }
        Published published;
        lock.lock();
        try {
            // Memory that is not there is missed before an id is taken, for no loop or for all.
            for (FrameRing ring : rings) {
                ring.open();
            }
            int length = encode(channel, event, data);
            published = offer(length);
        } finally {
            lock.unlock();
        }
        for (Waker waker : wakers) {
            waker.wake();
        }
        return published;
    }

    private static String againstLengths(byte[] channel, byte[] event, ByteBuffer data) {
        String reason = FrameRules.againstLength(channel.length, "the channel's name",
                FrameLayout.NAME_BYTES_MAX);
        if (reason.isEmpty()) {
            reason = FrameRules.againstLength(event.length, "the event's name",
                    FrameLayout.NAME_BYTES_MAX);
        }
        return reason.isEmpty() ? FrameRules.againstLength(data.remaining(), "the data",
                FrameLayout.DATA_BYTES_MAX) : reason;
    }

    /** All but id and loss; how long the frame is. */
    private int encode(byte[] channel, byte[] event, ByteBuffer data) {
        if (frame == null) {
            frame = new UnsafeBuffer(ByteBuffer.allocateDirect(FrameLayout.FRAME_BYTES_MAX));
        }
        int eventIndex = FrameLayout.CHANNEL + channel.length;
        int dataIndex = eventIndex + event.length;
        frame.putByte(FrameLayout.CHANNEL_BYTES, (byte) channel.length);
        frame.putByte(FrameLayout.EVENT_BYTES, (byte) event.length);
        frame.putBytes(FrameLayout.CHANNEL, channel);
        frame.putBytes(eventIndex, event);
        frame.putBytes(dataIndex, data, data.position(), data.remaining());
        return dataIndex + data.remaining();
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
