package m0.bus;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.MutableDirectBuffer;

/**
 * What is about to be published, judged and not yet numbered.
 *
 * @param refusal why it must not be published, or empty
 */
record FrameDraft(byte[] channel, byte[] event, ByteBuffer data, String refusal) {
    private static final byte[] NOTHING = new byte[0];

    static FrameDraft of(String channel, String event, ByteBuffer data) {
        String reason = FrameRules.againstChannel(channel);
        if (reason.isEmpty()) {
            reason = FrameRules.againstEvent(event);
        }
        if (!reason.isEmpty()) {
            return new FrameDraft(NOTHING, NOTHING, data, reason);
        }
        byte[] channelBytes = channel.getBytes(StandardCharsets.UTF_8);
        byte[] eventBytes = event.getBytes(StandardCharsets.UTF_8);
        return new FrameDraft(channelBytes, eventBytes, data,
                againstLengths(channelBytes, eventBytes, data));
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
    int encodeInto(MutableDirectBuffer frame) {
        int eventIndex = FrameLayout.CHANNEL + channel.length;
        int dataIndex = eventIndex + event.length;
        frame.putByte(FrameLayout.CHANNEL_BYTES, (byte) channel.length);
        frame.putByte(FrameLayout.EVENT_BYTES, (byte) event.length);
        frame.putBytes(FrameLayout.CHANNEL, channel);
        frame.putBytes(eventIndex, event);
        frame.putBytes(dataIndex, data, data.position(), data.remaining());
        return dataIndex + data.remaining();
    }
}
