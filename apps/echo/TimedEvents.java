package echo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.app.Publisher;

/**
 * Events at a fixed distance from the moment a stream began, for any number of streams.
 *
 * <p>A stream that begins between two ticks is put on the channel of that gap, and a channel gets
 * its event once a period, when the gap before its own begins:
 *
 * <pre>
 * gap      0     1     2     3     0     1     2     3     0     1
 * begins         a           b
 * event                            a           b           a
 * </pre>
 *
 * <p>So there are as many channels as ticks in a period, however many streams there are; and a
 * stream's first event comes one or two ticks before a period has passed. (It could not come with
 * the gap of its own: a frame is delivered a moment after it was published, and would reach who
 * begins in that moment.)
 *
 * <p>Threads: the loop's. Limits: streams of other loops have channels of their own.
 */
final class TimedEvents {
    private final String[] channels;
    private int gap;
    private long count;

    /**
     * @param name what its channels' names begin with
     * @param periodTicks ticks between two events of one stream
     */
    TimedEvents(String name, int loop, int periodTicks) {
        channels = new String[periodTicks];
        for (int index = 0; index < periodTicks; index++) {
            channels[index] = name + "." + loop + "." + index;
        }
    }

    /** The channel for a stream that begins now. */
    String channel() {
        return channels[gap];
    }

    /** Ends a gap, and publishes to those whose gap comes next, if anybody listens. */
    void tick(Publisher publisher, boolean listened) {
        gap = following(gap);
        count++;
        if (listened) {
            byte[] data = String.valueOf(count).getBytes(StandardCharsets.US_ASCII);
            publisher.publish(channels[following(gap)], "", ByteBuffer.wrap(data));
        }
    }

    private int following(int index) {
        return index + 1 == channels.length ? 0 : index + 1;
    }
}
