package m0.bus;

import java.nio.ByteBuffer;
import m0.page.LoopLine;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The frames that wait for one loop of this process, and what it lost.
 *
 * <p>Its memory is taken when the first frame comes. A frame finds room or is refused; refused ids
 * are kept as the highest one, which travels with the next frame that is taken and can be seen
 * beside an empty ring where none follows.
 *
 * <p>Threads: {@link #offer} by the publisher that holds the bus's lock, one at a time; {@link
 * #refused} by any; the rest by the loop's thread. Limits: as many bytes as it was made with; a
 * frame beyond is refused and counted.
 */
final class FrameRing implements FrameSource {
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
            reader.hand(buffer, index, length, sink);
        }
    };
    private final FrameReader reader = new FrameReader();
    /** Where frames go during {@link #poll}. */
    private FrameSink sink;

    /** @param ringBytes a power of two, an eighth of which holds the largest frame */
    FrameRing(int ringBytes, LoopLine line) {
        this.ringBytes = ringBytes;
        this.line = line;
    }

    @Override
    public boolean isEmpty() {
        return !reader.isUntold(lostId) && isDrained();
    }

    private boolean isDrained() {
        OneToOneRingBuffer ring = frames;
        return ring == null || ring.consumerPosition() == ring.producerPosition();
    }

    @Override
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
        if (reader.isUntold(lost) && isDrained()) {
            reader.tellLost(to, lost);
        }
        return count;
    }

    @Override
    public long refused() {
        return line.framesRefused();
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
