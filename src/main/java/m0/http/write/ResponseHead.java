package m0.http.write;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.http.Response;

/**
 * Writes a response's head: what the response encoded when it was built, and what the moment adds.
 *
 * <pre>
 *   status line, fields, Server, Content-Length   Response.encodedHead()
 *   Date                                          the loop's line of this second
 *   lines of a stream, or none                    the connection's
 *   Connection: close | keep-alive                or neither
 *   empty line
 * </pre>
 *
 * <p>It allocates nothing. Threads: any.
 */
public final class ResponseHead {
    public static final byte[] NO_LINES = new byte[0];

    private static final byte[] CLOSE = ascii("Connection: close\r\n\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n\r\n");
    private static final byte[] END = ascii("\r\n");
    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
    private static final int DATE_LINE_BYTES = "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".length();

    private ResponseHead() { }

    /** The bytes that this response's head takes at most, with those lines. */
    public static int sizeMax(Response response, byte[] lines) {
        return response.encodedHead().length + DATE_LINE_BYTES + lines.length + KEEP_ALIVE.length;
    }

    /**
     * Appends the whole head to {@code out}, which has {@link #sizeMax} bytes of room.
     *
     * @param dateLine the {@code Date} line with its CRLF
     * @param lines further field lines, each with its CRLF, or {@link #NO_LINES}
     * @param close whether the connection ends after this answer
     * @param keepAliveTold whether an HTTP/1.0 client must be told that it does not
     */
    public static void write(ByteBuffer out, Response response, byte[] dateLine, byte[] lines,
            boolean close, boolean keepAliveTold) {
        out.put(response.encodedHead());
        out.put(dateLine);
        out.put(lines);
        if (close) {
            out.put(CLOSE);
        } else if (keepAliveTold) {
            out.put(KEEP_ALIVE);
        } else {
            out.put(END);
        }
    }

    /** The bytes that {@link #writeContinue} takes. */
    public static int continueSize() {
        return CONTINUE.length;
    }

    /** Appends the interim answer that lets a client send its body (RFC 9110 §15.2.1). */
    public static void writeContinue(ByteBuffer out) {
        out.put(CONTINUE);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
