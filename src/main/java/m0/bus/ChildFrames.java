package m0.bus;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import m0.app.Published;
import m0.app.Publisher;
import m0.bytes.GrowableBytes;

/**
 * Publishes the frames that one child sends, in whatever pieces they come.
 *
 * <pre>
 * 0        4               5             6
 * +--------+---------------+-------------+---------+-------+------+
 * | length | channel bytes | event bytes | channel | event | data |
 * +--------+---------------+-------------+---------+-------+------+
 *   length, big endian, counts what follows it
 * </pre>
 *
 * <p>It has no socket and no clock. Threads: one. Limits: it holds one incomplete frame, and memory
 * for what came of it, never for what its length announces. Errors: what is no frame, and what may
 * not be published, cuts the child off; nothing behind it is looked at.
 */
final class ChildFrames {
    private static final int LENGTH_BYTES = 4;
    private static final int NAMES = 2;
    private static final int LENGTH_MIN = NAMES + 1;
    private static final int LENGTH_MAX =
            NAMES + 2 * FrameLayout.NAME_BYTES_MAX + FrameLayout.DATA_BYTES_MAX;
    /** Kept between frames; a larger array goes when its frame is through. */
    private static final int KEPT_BYTES = 4096;

    private final Publisher publisher;
    private final GrowableBytes pending = new GrowableBytes();
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final CharBuffer decoded = CharBuffer.allocate(FrameLayout.NAME_BYTES_MAX);
    private final RecentTexts texts = new RecentTexts();
    private String cutOff = "";
    private long published;
    private long firstId;
    private long lastId;
    private long refused;

    ChildFrames(Publisher publisher) {
        this.publisher = publisher;
    }

    /** Takes what came, and publishes what it completes; why the child is cut off, or empty. */
    String take(ByteBuffer bytes) {
        pending.append(bytes);
        int from = 0;
        int taken = publishOne(from);
        while (taken > 0) {
            from += taken;
            taken = publishOne(from);
        }
        pending.discard(from);
        pending.shed(KEPT_BYTES);
        return cutOff;
    }

    /** Whether the beginning of a frame has come and its end has not. */
    boolean isMidFrame() {
        return pending.length() > 0;
    }

    /** Frames that got an id so far. */
    long published() {
        return published;
    }

    /** What the child is told at its end. */
    String answer() {
        return "ok published=" + published + " first=" + firstId + " last=" + lastId + " refused="
                + refused + "\n";
    }

    /** What the child is told when it is cut off. */
    String answer(String reason) {
        return "cut published=" + published + " " + reason + "\n";
    }

    /** How many bytes the frame at that index had, 0 if it is not complete or is none. */
    private int publishOne(int from) {
        byte[] array = pending.array();
        int available = pending.length() - from;
        if (available < LENGTH_BYTES) {
            return 0;
        }
        int length = ByteBuffer.wrap(array, from, LENGTH_BYTES).getInt();
        if (length < LENGTH_MIN || length > LENGTH_MAX) {
            return cut("a frame's length is " + Integer.toUnsignedString(length) + ", not "
                    + LENGTH_MIN + " to " + LENGTH_MAX);
        }
        if (available < LENGTH_BYTES + length) {
            return 0;
        }
        int names = from + LENGTH_BYTES;
        int channel = names + NAMES;
        int event = channel + (array[names] & 0xff);
        int data = event + (array[names + 1] & 0xff);
        int end = names + length;
        if (data > end) {
            return cut("a frame's names are longer than the frame");
        }
        if (!isText(array, channel, event) || !isText(array, event, data)) {
            return cut("a name is not UTF-8");
        }
        Published result = publisher.publish(texts.text(array, channel, event),
                texts.text(array, event, data), ByteBuffer.wrap(array, data, end - data));
        if (result.id() == 0) {
            return cut(result.reason());
        }
        count(result);
        return LENGTH_BYTES + length;
    }

    private boolean isText(byte[] array, int from, int to) {
        decoder.reset();
        decoded.clear();
        return !decoder.decode(ByteBuffer.wrap(array, from, to - from), decoded, true).isError();
    }

    private void count(Published result) {
        published++;
        firstId = firstId == 0 ? result.id() : firstId;
        lastId = result.id();
        refused += result.refused() > 0 ? 1 : 0;
    }

    private int cut(String reason) {
        cutOff = reason;
        return 0;
    }
}
