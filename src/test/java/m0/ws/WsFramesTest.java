package m0.ws;

import static m0.ws.ClientFrames.octets;
import static m0.ws.ClientFrames.pattern;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import m0.bytes.GrowableBytes;
import org.junit.jupiter.api.Test;

class WsFramesTest {
    private final GrowableBytes into = new GrowableBytes();

    @Test
    void aLengthTakesAsFewBytesAsItCan() {
        head(0, 0x82, 0);
        head(125, 0x82, 125);
        head(126, 0x82, 126, 0, 126);
        head(65_535, 0x82, 126, 0xff, 0xff);
        head(65_536, 0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0);
    }

    private void head(int length, int... expected) {
        into.clear();
        byte[] payload = pattern(length);
        WsFrames.append(into, WsFrames.BINARY, ByteBuffer.wrap(payload));
        assertArrayEquals(octets(expected), Arrays.copyOf(into.array(), expected.length));
        assertTrue(expected.length <= WsFrames.HEAD_BYTES_MAX);
        assertArrayEquals(payload,
                Arrays.copyOfRange(into.array(), expected.length, into.length()));
    }

    @Test
    void whatRemainsIsWrittenAndStays() {
        ByteBuffer payload = ByteBuffer.allocateDirect(8);
        payload.put(octets(1, 2, 3, 4, 5)).flip().position(1).limit(4);
        WsFrames.append(into, WsFrames.TEXT, payload);
        assertArrayEquals(octets(0x81, 3, 2, 3, 4), written());
        assertEquals(3, payload.remaining());
    }

    @Test
    void framesFollowEachOther() {
        WsFrames.append(into, WsFrames.PING, ByteBuffer.allocate(0));
        WsFrames.append(into, WsFrames.PONG, ByteBuffer.wrap(octets(7)));
        WsFrames.appendClose(into, CloseCode.NONE, "");
        assertArrayEquals(octets(0x89, 0, 0x8a, 1, 7, 0x88, 0), written());
    }

    @Test
    void aCloseHasItsCodeAndReason() {
        WsFrames.appendClose(into, 1001, "é");
        assertArrayEquals(octets(0x88, 4, 0x03, 0xe9, 0xc3, 0xa9), written());
    }

    @Test
    void aCloseThatMustNotBeSentIsRefused() {
        WsFrames.appendClose(into, 1000, "x".repeat(123));
        into.clear();
        assertThrows(IllegalArgumentException.class,
                () -> WsFrames.appendClose(into, 1000, "x".repeat(124)));
        assertThrows(IllegalArgumentException.class,
                () -> WsFrames.appendClose(into, 1006, ""));
        assertEquals(0, into.length());
    }

    @Test
    void aControlFrameThatIsTooLongIsRefused() {
        WsFrames.append(into, WsFrames.PONG, ByteBuffer.allocate(125));
        assertThrows(IllegalArgumentException.class,
                () -> WsFrames.append(into, WsFrames.PONG, ByteBuffer.allocate(126)));
    }

    @Test
    void theCodesThatMayBeSentAreThese() {
        int[] valid = {1000, 1003, 1007, 1011, 1012, 1013, 1014, 3000, 4999};
        int[] invalid = {-1, 0, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65_535};
        for (int code : valid) {
            assertTrue(CloseCode.isValid(code), "code " + code);
        }
        for (int code : invalid) {
            assertFalse(CloseCode.isValid(code), "code " + code);
        }
    }

    private byte[] written() {
        return Arrays.copyOf(into.array(), into.length());
    }
}
