package m0.bus;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/**
 * Takes frames apart for one loop, and tells what was lost once and in order.
 *
 * <p>Threads: the loop's. Owns: the buffer in which a sink finds the data.
 */
final class FrameReader {
    private static final int DATA_BYTES_FIRST = 4096;

    private final RecentTexts texts = new RecentTexts();
    private final byte[] name = new byte[FrameLayout.NAME_BYTES_MAX];
    private byte[] dataBytes = new byte[0];
    private ByteBuffer data = ByteBuffer.wrap(dataBytes);
    /** The last loss handed over. */
    private long lostToldId;
    /** The last frame handed over. */
    private long lastId;

    /** Hands over one frame, and before it what was lost since the one before. */
    void hand(DirectBuffer buffer, int index, int length, FrameSink to) {
        tellLost(to, buffer.getLong(index + FrameLayout.LOST));
        int channelBytes = buffer.getByte(index + FrameLayout.CHANNEL_BYTES) & 0xff;
        int eventBytes = buffer.getByte(index + FrameLayout.EVENT_BYTES) & 0xff;
        int eventIndex = index + FrameLayout.CHANNEL + channelBytes;
        int dataIndex = eventIndex + eventBytes;
        String channel = text(buffer, index + FrameLayout.CHANNEL, channelBytes);
        String event = text(buffer, eventIndex, eventBytes);
        readData(buffer, dataIndex, index + length - dataIndex);
        lastId = buffer.getLong(index + FrameLayout.ID);
        to.onFrame(lastId, channel, event, data);
    }

    /** Tells of what was lost up to that id, unless it was told or has come all the same. */
    void tellLost(FrameSink to, long id) {
        if (isUntold(id)) {
            lostToldId = id;
            to.onLost(id);
        }
    }

    /** Whether a loss up to that id is news. */
    boolean isUntold(long id) {
        return id > lostToldId && id > lastId;
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
}
