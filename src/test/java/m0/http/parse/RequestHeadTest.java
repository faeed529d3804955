package m0.http.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import m0.bytes.Span;
import m0.http.Limits;
import org.junit.jupiter.api.Test;

/** How the parser is driven; what it accepts stands in the wire cases. */
class RequestHeadTest {
    private static final byte[] LONG =
            octets("GET /{300*t} HTTP/1.1\\r\\nHost: a\\r\\n{90*n}: {300*v}\\r\\n\\r\\n");

    private final RequestHead head = new RequestHead(Limits.DEFAULT);
    private final Span span = new Span();

    @Test
    void hasNotStartedUntilAByteBeyondEmptyLinesComes() {
        byte[] bytes = octets("\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n");
        for (int to = 0; to <= 4; to++) {
            assertEquals(Outcome.NEED_MORE, head.parse(bytes, to));
            assertFalse(head.started(), "to=" + to);
        }
        head.parse(bytes, 5);
        assertTrue(head.started());
        assertEquals(Outcome.DONE, head.parse(bytes, bytes.length));
        assertTrue(head.started());
        head.begin(0);
        assertFalse(head.started());
    }

    /** It would refuse the zeros, did it look at a byte of a name, a value or a target again. */
    @Test
    void looksAtEachByteOnce() {
        int hostFrom = new String(LONG, StandardCharsets.US_ASCII).indexOf("Host");
        for (int to = 0; to < LONG.length; to++) {
            byte[] array = Arrays.copyOf(LONG, LONG.length);
            if (to < 100) {
                Arrays.fill(array, 5, Math.max(5, to - 2), (byte) 0);
            } else if (to > hostFrom + 50) {
                Arrays.fill(array, hostFrom + 10, to - 2, (byte) 0);
            }
            assertEquals(Outcome.NEED_MORE, head.parse(array, to),
                    "to=" + to + " " + head.violation());
        }
        assertEquals(Outcome.DONE, head.parse(LONG, LONG.length));
    }

    @Test
    void takesAnotherArrayAlsoAfterItIsDone() {
        byte[] bytes = octets("GET /a HTTP/1.0\\r\\nX: y\\r\\n\\r\\n");
        head.parse(bytes, bytes.length);
        byte[] grown = Arrays.copyOf(bytes, 100);
        Arrays.fill(bytes, (byte) 0);
        assertEquals(Outcome.DONE, head.parse(grown, grown.length));
        assertEquals("/a", head.target());
        assertEquals("y", head.header("X"));
    }

    @Test
    void staysRefused() {
        byte[] bad = octets("GET / HTTP/1.1\\n");
        byte[] good = octets("GET / HTTP/1.0\\r\\n\\r\\n");
        assertEquals(Outcome.BAD, head.parse(bad, bad.length));
        assertEquals(Outcome.BAD, head.parse(good, good.length));
        assertEquals(ProtocolViolation.BARE_LINE_BREAK, head.violation());
        head.begin(0);
        assertNull(head.violation());
        assertEquals(Outcome.DONE, head.parse(good, good.length));
    }

    @Test
    void spansAreEmptyUntilTheRequestLineIsRead() {
        byte[] bytes = octets("POST /a?b HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n");
        head.parse(bytes, 18);
        assertFalse(head.targetKnown());
        head.methodSpan(span);
        assertEquals(0, span.length());
        head.targetSpan(span);
        assertEquals(0, span.length());
        head.parse(bytes, 19);
        assertTrue(head.targetKnown());
        head.methodSpan(span);
        assertEquals("POST", span.toString());
        head.targetSpan(span);
        assertEquals("/a?b", span.toString());
        head.begin(0);
        head.targetSpan(span);
        assertEquals(0, span.length());
    }

    @Test
    void holdsNoBytesOnceItBegins() {
        head.parse(LONG, LONG.length);
        head.attachBody(LONG, 0, 10);
        head.begin(0);
        head.body(span);
        assertEquals(0, span.array().length);
        head.methodSpan(span);
        assertEquals(0, span.array().length);
    }

    @Test
    void limitsAreCountedFromTheRequestLine() {
        byte[] bytes = octets("junk\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n");
        var small = new RequestHead(new Limits(18, 1, 0));
        small.begin(4);
        assertEquals(Outcome.DONE, small.parse(bytes, bytes.length));
        assertEquals(bytes.length, small.position());
    }

    private static byte[] octets(String text) {
        return WireText.read(text);
    }
}
