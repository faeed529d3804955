package m0.serve;

import com.sun.net.httpserver.Headers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import m0.bytes.Ascii;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Response;

/**
 * An answer's status and field lines, from what a handler has set. What frames a message is the
 * host's own and left out, as {@code Response} does it; so is what could begin another line.
 *
 * <p>Threads: any.
 */
final class AnswerHead {
    /** Of a number that surely fits. */
    private static final int DIGITS_MAX = 18;

    /** Stands for a body that HEAD does not have. */
    private static final class NoBytes implements ChunkSource {
        @Override
        public boolean next(ByteBuffer into) {
            return false;
        }
    }

    private AnswerHead() { }

    static Response.Builder of(int status, Headers fields) {
        Response.Builder head = Response.status(status);
        for (Map.Entry<String, List<String>> field : fields.entrySet()) {
            for (String value : field.getValue()) {
                add(head, field.getKey(), value);
            }
        }
        return head;
    }

    private static void add(Response.Builder head, String name, String value) {
        String line = value == null ? "" : unfolded(value);
        if (!isToken(name) || !isText(line)) {
            return;
        }
        if (name.equalsIgnoreCase("Connection") && line.equalsIgnoreCase("close")) {
            head.close();
        }
        head.header(name, line);
    }

    /** A value over several lines, which the JDK allows, on one (RFC 9112 §5.2). */
    private static String unfolded(String value) {
        return value.indexOf('\r') < 0 ? value : value.replaceAll("\r\n[ \t]+", " ");
    }

    private static boolean isToken(String name) {
        for (int index = 0; index < name.length(); index++) {
            if (!Ascii.is(name.charAt(index), Ascii.TOKEN)) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isText(String value) {
        for (int index = 0; index < value.length(); index++) {
            char c = value.charAt(index);
            if (c < ' ' && c != '\t' || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    /**
     * The answer to HEAD: with GET's length, be it that of the call or, as the JDK has it, that of a
     * field the handler set. Where neither says it, the coding of as many bytes as come is told; but
     * of none nothing is, since handlers of the JDK's say so for HEAD whatever they answer GET with.
     *
     * @param length as the call has it: 0 as many as come, −1 none
     */
    static Response ofHead(Response.Builder head, Headers fields, long length) {
        long told = length > 0 ? length : contentLength(fields);
        return length < 0 && told == Body.Chunks.UNKNOWN ? head.untold().build()
                : head.chunks(new NoBytes(), told).build();
    }

    private static long contentLength(Headers fields) {
        String text = fields.getFirst("Content-Length");
        if (text == null || text.isEmpty() || text.length() > DIGITS_MAX) {
            return Body.Chunks.UNKNOWN;
        }
        long length = 0;
        for (int index = 0; index < text.length(); index++) {
            if (!Ascii.is(text.charAt(index), Ascii.DIGIT)) {
                return Body.Chunks.UNKNOWN;
            }
            length = 10 * length + text.charAt(index) - '0';
        }
        return length;
    }
}
