package m0.bus;

import java.nio.ByteBuffer;
import m0.page.LoopLine;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The frames that wait for one loop, and what it lost.
 *
 * <p>Its memory is taken when the first frame comes. A frame finds room or is refused; refused ids
 * are kept as the highest one, which travels with the next frame that is taken and can be seen
 * beside an empty ring where none follows.
 *
 * <p>Threads: {@link #offer} by the publisher that holds the bus's lock, one at a time; {@link
 * #refused} by any; the rest by the loop's thread. Limits: as many bytes as it was made with; a
 * frame beyond is refused and counted.
 */
public final class FrameRing {
    private static final int DATA_BYTES_FIRST = 4096;

    private final int ringBytes;
    /** Where refused frames are counted, for all to see. */
    private final LoopLine line;
    /** Null before the first frame; written by a publisher under the lock, read by the loop. */
    private volatile OneToOneRingBuffer frames;
    /** The last id refused, or 0; written by publishers under the lock, read by the loop. */
    private volatile long lostId;

    private final MessageHandler handler = new MessageHandler() {
        @Override
        public void onMessage(int type, MutableDirectBuffer buffer, int index, int length) {
            onRecord(buffer, index, length);
        }
    };
    private final RecentTexts texts = new RecentTexts();
    private final byte[] name = new byte[FrameLayout.NAME_BYTES_MAX];
    private byte[] dataBytes = new byte[0];
    private ByteBuffer data = ByteBuffer.wrap(dataBytes);
    /** The last loss handed over. */
    private long lostToldId;
    /** Where frames go during {@link #poll}. */
    private FrameSink sink;

    /** @param ringBytes a power of two, an eighth of which holds the largest frame */
    FrameRing(int ringBytes, LoopLine line) {
        this.ringBytes = ringBytes;
        this.line = line;
    }

    /** Whether the loop has nothing to take: neither a frame nor a loss that it was not told of. */
    public boolean isEmpty() {
        return lostId <= lostToldId && isDrained();
    }

    private boolean isDrained() {
        OneToOneRingBuffer ring = frames;
        return ring == null || ring.consumerPosition() == ring.producerPosition();
    }

    /**
     * Hands over at most {@code framesMax} frames, and what was lost among and behind them.
     *
     * @return how many frames that were
     */
    public int poll(FrameSink to, int framesMax) {
        // Before the ring is looked at: what that id follows is in the ring already, so a ring that
        // is found empty afterwards has nothing left that belongs ahead of it.
        long lost = lostId;
        OneToOneRingBuffer ring = frames;
        int count = 0;
        if (ring != null) {
            sink = to;
            // One read ends where the ring's memory does, at times without a frame.
            count = ring.read(handler, framesMax);
            count += ring.read(handler, framesMax - count);
        }
        if (lost > lostToldId && isDrained()) {
            tellLost(to, lost);
        }
        return count;
    }

    /** Frames that found no room so far. Any thread. */
    public long refused() {
        return line.framesRefused();
    }

    private void onRecord(DirectBuffer buffer, int index, int length) {
        long lost = buffer.getLong(index + FrameLayout.LOST);
        if (lost > lostToldId) {
            tellLost(sink, lost);
        }
        int channelBytes = buffer.getByte(index + FrameLayout.CHANNEL_BYTES) & 0xff;
        int eventBytes = buffer.getByte(index + FrameLayout.EVENT_BYTES) & 0xff;
        int eventIndex = index + FrameLayout.CHANNEL + channelBytes;
        int dataIndex = eventIndex + eventBytes;
        String channel = text(buffer, index + FrameLayout.CHANNEL, channelBytes);
        String event = text(buffer, eventIndex, eventBytes);
        readData(buffer, dataIndex, index + length - dataIndex);
        sink.onFrame(buffer.getLong(index + FrameLayout.ID), channel, event, data);
    }

    private void tellLost(FrameSink to, long lost) {
        lostToldId = lost;
        to.onLost(lost);
    }

    private String text(DirectBuffer buffer, int index, int length) {
        buffer.getBytes(index, name, 0, length);
        return texts.text(name, 0, length);
    }

    private void readData(DirectBuffer buffer, int index, int length) {
        if (dataBytes.length < length) {
            int longer = Math.max(Math.max(length, 2 * dataBytes.length), DATA_BYTES_FIRST);
            dataBytes = new byte[Math.min(longer, FrameLayout.DATA_BYTES_MAX)];
            data = ByteBuffer.wrap(dataBytes);
        }
        buffer.getBytes(index, dataBytes, 0, length);
        data.clear().limit(length);
    }

    /** Takes the ring's memory, unless it has it. */
    void open() {
        if (frames == null) {
            frames = new OneToOneRingBuffer(new UnsafeBuffer(
                    ByteBuffer.allocateDirect(ringBytes + RingBufferDescriptor.TRAILER_LENGTH)));
        }
    }

    /** Takes that frame, or counts it as lost; its {@code lost} field is set here. */
    boolean offer(UnsafeBuffer frame, int length, long id) {
        OneToOneRingBuffer ring = frames;
        frame.putLong(FrameLayout.LOST, lostId);
        if (ring.write(FrameLayout.TYPE, frame, 0, length)) {
            return true;
        }
        line.countFrameRefused();
        lostId = id;
        return false;
    }
}
