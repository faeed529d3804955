package m0.sse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import m0.bytes.Decimal;
import m0.bytes.GrowableBytes;
import m0.bytes.Span;
import m0.http.Request;

/**
 * Server-Sent Events as they stand on the wire, a blank line behind each.
 *
 * <pre>
 * id: 17               left out for id 0: an event that is not numbered
 * event: beat          left out for an empty name: the client calls it "message"
 * data: first line     one for each line of the data
 * data: second line
 *
 * </pre>
 *
 * <p>A reader takes CR, LF and CRLF alike as the end of a line, so data is parted at each of them,
 * and an event's name may hold none: it could begin a field of its own. The client joins the lines
 * of the data by LF.
 *
 * <p>Threads: any, each with buffers of its own.
 */
public final class SseFrames {
    /** A comment, which keeps a quiet stream's path open and finds out who has gone. */
    public static final byte[] HEARTBEAT = octets(": heartbeat\n\n");

    /**
     * Says that events may be missing between those before and those behind it. It has no id, so
     * that a client goes on with the one it last saw.
     */
    public static final byte[] GAP = octets("event: gap\ndata: {}\n\n");

    private static final byte[] ID = octets("id: ");
    private static final byte[] EVENT = octets("event: ");
    private static final byte[] DATA = octets("data: ");
    private static final byte[] RETRY = octets("retry: ");
    private static final byte[] CLOSING = octets(": closing\n\n");
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private SseFrames() { }

    /**
     * Writes one event.
     *
     * @param id its number, or 0 for none
     * @param event its name without CR, LF or NUL; empty for none
     * @param data UTF-8; its position stays
     */
    public static void appendEvent(GrowableBytes into, long id, String event, ByteBuffer data) {
        checkName(event);
        if (id != 0) {
            append(into, ID);
            appendNumber(into, id);
            into.append((byte) '\n');
        }
        if (!event.isEmpty()) {
            append(into, EVENT);
            append(into, event.getBytes(StandardCharsets.UTF_8));
            into.append((byte) '\n');
        }
        appendData(into, data);
        into.append((byte) '\n');
    }

    private static void checkName(String event) {
        for (int index = 0; index < event.length(); index++) {
            char each = event.charAt(index);
            if (each == '\r' || each == '\n' || each == 0) {
                throw new IllegalArgumentException(
                        "the name of an event has CR, LF or NUL at " + index);
            }
        }
    }

    private static void appendData(GrowableBytes into, ByteBuffer data) {
        append(into, DATA);
        int end = data.limit();
        for (int at = data.position(); at < end; at++) {
            byte octet = data.get(at);
            if (octet != '\r' && octet != '\n') {
                into.append(octet);
                continue;
            }
            if (octet == '\r' && at + 1 < end && data.get(at + 1) == '\n') {
                at++;
            }
            into.append((byte) '\n');
            append(into, DATA);
        }
        into.append((byte) '\n');
    }

    /** Tells a client that its stream ends here, and after how many milliseconds to come back. */
    public static void appendFarewell(GrowableBytes into, int retryMs) {
        append(into, RETRY);
        appendNumber(into, retryMs);
        into.append((byte) '\n');
        append(into, CLOSING);
    }

    /** One event without a number, for what a stream begins with. Arguments as above. */
    public static byte[] event(String event, String data) {
        var frame = new GrowableBytes();
        appendEvent(frame, 0, event, ByteBuffer.wrap(data.getBytes(StandardCharsets.UTF_8)));
        return Arrays.copyOf(frame.array(), frame.length());
    }

    /**
     * The number of the last event the client saw.
     *
     * @return −1 where the request names none; {@code Long.MAX_VALUE}, which is beyond every event,
     *     where what it names is no decimal number of up to 18 digits: this host gave it to nobody
     */
    public static long lastEventId(Request request) {
        var value = new Span();
        if (!request.header(LAST_EVENT_ID, value) || value.length() == 0) {
            return -1;
        }
        long id = Decimal.parse(value.array(), value.offset(), value.offset() + value.length());
        return id < 0 ? Long.MAX_VALUE : id;
    }

    private static void append(GrowableBytes into, byte[] octets) {
        into.append(octets, 0, octets.length);
    }

    /** Digits from the highest down, since a frame must not cost a string for its number. */
    private static void appendNumber(GrowableBytes into, long number) {
        if (number < 0) {
            throw new IllegalArgumentException("number=" + number + " is negative");
        }
        long unit = 1;
        while (number / unit >= 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            into.append((byte) ('0' + number / unit % 10));
        }
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
