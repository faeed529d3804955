package m0.http.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import m0.bytes.GrowableBytes;
import m0.http.Limits;
import org.junit.jupiter.api.Test;

/** How the decoder is driven; what it accepts stands in the wire cases. */
class ChunkedBodyTest {
    private final ChunkedBody chunked = new ChunkedBody();
    private final GrowableBytes out = new GrowableBytes();

    @Test
    void reservesNothingForASizeThatIsOnlyAnnounced() {
        byte[] bytes = octets("400000\\r\\nx");
        assertEquals(Outcome.NEED_MORE, decode(bytes));
        assertEquals(1, out.length());
        assertTrue(out.capacity() <= 512, "capacity=" + out.capacity());
    }

    @Test
    void leavesWhatFollowsTheMessage() {
        byte[] bytes = octets("junk2\\r\\nhi\\r\\n0\\r\\n\\r\\nGET /");
        assertEquals(Outcome.DONE, chunked.decode(bytes, 4, bytes.length, out));
        assertEquals(bytes.length - "GET /".length(), chunked.position());
        assertEquals("hi", new String(out.array(), 0, out.length(), StandardCharsets.US_ASCII));
    }

    @Test
    void staysRefusedAndConsumesNoMore() {
        assertEquals(Outcome.BAD, decode(octets("x")));
        byte[] good = octets("0\\r\\n\\r\\n");
        assertEquals(Outcome.BAD, decode(good));
        assertEquals(0, chunked.position());
        assertEquals(ProtocolViolation.CHUNK_SIZE_SYNTAX, chunked.violation());
        chunked.begin(Limits.DEFAULT);
        assertNull(chunked.violation());
        assertEquals(Outcome.DONE, decode(good));
    }

    @Test
    void appendsToWhatIsThere() {
        out.append(octets("a"), 0, 1);
        decode(octets("1\\r\\nb\\r\\n0\\r\\n\\r\\n"));
        assertEquals("ab", new String(out.array(), 0, out.length(), StandardCharsets.US_ASCII));
    }

    private Outcome decode(byte[] bytes) {
        return chunked.decode(bytes, 0, bytes.length, out);
    }

    private static byte[] octets(String text) {
        return WireText.read(text);
    }
}
