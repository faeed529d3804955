package m0.telemetry;

import java.nio.charset.StandardCharsets;
import m0.bytes.Span;
import m0.connection.ExchangeRecord;

/**
 * Makes one line of the access log out of one exchange.
 *
 * <p>Threads: its loop's. Limits: a line is at most {@value #LINE_BYTES_MAX} bytes. Method, target
 * and address are cut before it could be more, and end in an ellipsis then.
 */
final class AccessRecordEncoder {
    static final int LINE_BYTES_MAX = 2048;
    /** Between the quotes; together with keys and numbers they stay under the line's limit. */
    static final int TARGET_BYTES_MAX = 1536;
    static final int METHOD_BYTES_MAX = 96;
    private static final int REMOTE_BYTES_MAX = 96;

    private static final byte[] TIME = ascii("{\"time\":\"");
    private static final byte[] EVENT_RESPONSE = ascii("\",\"event\":\"response\",\"remote\":");
    private static final byte[] EVENT_REFUSED = ascii("\",\"event\":\"refused\",\"remote\":");
    private static final byte[] EVENT_STREAM_OPEN =
            ascii("\",\"event\":\"stream_open\",\"remote\":");
    private static final byte[] EVENT_STREAM_CLOSE =
            ascii("\",\"event\":\"stream_close\",\"remote\":");
    private static final byte[] METHOD = ascii(",\"method\":");
    private static final byte[] TARGET = ascii(",\"target\":");
    private static final byte[] PROTOCOL = ascii(",\"protocol\":\"HTTP/1.");
    private static final byte[] PROTOCOL_UNKNOWN = ascii(",\"protocol\":\"");
    private static final byte[] STATUS = ascii("\",\"status\":");
    private static final byte[] BYTES = ascii(",\"bytes\":");
    private static final byte[] DURATION = ascii(",\"dur_us\":");
    private static final byte[] WAIT = ascii(",\"wait_us\":");
    private static final byte[] LOOP = ascii(",\"loop\":");
    private static final byte[] THREAD = ascii(",\"thread\":");
    private static final byte[] END = ascii("}\n");

    private final JsonLine line = new JsonLine(LINE_BYTES_MAX);
    private final UtcText time = new UtcText();
    private final RemoteTexts remotes = new RemoteTexts();

    /** The array that every line is written to, from its begin. */
    byte[] bytes() {
        return line.bytes();
    }

    /** Writes the line, whose last byte is the line's end, and returns its length. */
    int encode(ExchangeRecord record, long epochMillis) {
        line.clear();
        line.raw(TIME);
        line.raw(time.of(epochMillis));
        line.raw(switch (record.event()) {
            case RESPONSE -> EVENT_RESPONSE;
            case REFUSED -> EVENT_REFUSED;
            case STREAM_OPEN -> EVENT_STREAM_OPEN;
            case STREAM_CLOSE -> EVENT_STREAM_CLOSE;
        });
        byte[] remote = remotes.of(record.remote());
        line.string(remote, 0, remote.length, REMOTE_BYTES_MAX);
        line.raw(METHOD);
        string(record.method(), METHOD_BYTES_MAX);
        line.raw(TARGET);
        string(record.target(), TARGET_BYTES_MAX);
        if (record.versionMinor() >= 0) {
            line.raw(PROTOCOL);
            line.number(record.versionMinor());
        } else {
            line.raw(PROTOCOL_UNKNOWN);
        }
        line.raw(STATUS);
        line.number(record.status());
        line.raw(BYTES);
        line.number(record.bytes());
        line.raw(DURATION);
        line.number(record.durationNs() / 1000);
        line.raw(WAIT);
        line.number(record.waitNs() / 1000);
        line.raw(LOOP);
        line.number(record.loop());
        line.raw(THREAD);
        line.number(record.thread());
        line.raw(END);
        return line.length();
    }

    private void string(Span span, int bytesMax) {
        line.string(span.array(), span.offset(), span.length(), bytesMax);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
