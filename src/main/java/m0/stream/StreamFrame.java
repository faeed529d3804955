package m0.stream;

import java.nio.charset.StandardCharsets;

/**
 * One event as it goes out on every event stream of a loop, encoded once.
 *
 * <pre>
 *   bytes   1a CR LF | id: 7 LF event: beat LF data: … LF LF | CR LF
 *           0        payloadFrom                             payloadTo
 * </pre>
 *
 * <p>An HTTP/1.1 stream takes all of it, as one chunk (RFC 9112 §7.1); an HTTP/1.0 one the payload
 * alone. Threads: the loop's; nobody changes the bytes.
 *
 * @param id the event's id, or 0 for none
 */
public record StreamFrame(long id, byte[] bytes, int payloadFrom, int payloadTo) {
    private static final int CHUNK_END_BYTES = 2;

    /** Frames {@code length} bytes of {@code payload}, at least one, as a chunk. */
    public static StreamFrame of(long id, byte[] payload, int length) {
        if (length == 0) {
            throw new IllegalArgumentException("an empty chunk would end the body");
        }
        byte[] size = Integer.toHexString(length).getBytes(StandardCharsets.US_ASCII);
        int from = size.length + 2;
        byte[] bytes = new byte[from + length + CHUNK_END_BYTES];
        System.arraycopy(size, 0, bytes, 0, size.length);
        bytes[from - 2] = '\r';
        bytes[from - 1] = '\n';
        System.arraycopy(payload, 0, bytes, from, length);
        bytes[from + length] = '\r';
        bytes[from + length + 1] = '\n';
        return new StreamFrame(id, bytes, from, from + length);
    }
}
