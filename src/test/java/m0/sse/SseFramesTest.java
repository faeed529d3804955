package m0.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.bytes.GrowableBytes;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class SseFramesTest {
    private final GrowableBytes into = new GrowableBytes();

    @Test
    void anEventHasItsNumberItsNameAndItsData() {
        assertEquals("id: 17\nevent: beat\ndata: {\"beat\":1}\n\n",
                frame(17, "beat", "{\"beat\":1}"));
    }

    @Test
    void numbersAreWrittenWhole() {
        for (long id : new long[] {1, 9, 10, 99, 100, 1_000_000, Long.MAX_VALUE}) {
            assertEquals("id: " + id + "\ndata: x\n\n", frame(id, "", "x"));
        }
    }

    @Test
    void anEventWithoutNumberOrNameHasNoSuchLine() {
        assertEquals("data: x\n\n", frame(0, "", "x"));
    }

    @Test
    void dataIsPartedAtEachKindOfLineBreak() {
        assertEquals("data: a\ndata: b\ndata: c\ndata: d\n\n", frame(0, "", "a\rb\nc\r\nd"));
        assertEquals("data: a\ndata: \ndata: b\n\n", frame(0, "", "a\n\nb"));
        assertEquals("data: a\ndata: \ndata: b\n\n", frame(0, "", "a\n\rb"));
        assertEquals("data: \ndata: \n\n", frame(0, "", "\r\n"));
        assertEquals("data: a\ndata: \n\n", frame(0, "", "a\r"));
    }

    @Test
    void dataCannotBeginAFieldOfItsOwn() {
        assertEquals("data: a\ndata: id: 5\ndata: \ndata: event: x\n\n",
                frame(0, "", "a\rid: 5\r\revent: x"));
    }

    @Test
    void emptyDataIsOneLine() {
        assertEquals("event: e\ndata: \n\n", frame(0, "e", ""));
    }

    @Test
    void theDataThatRemainsIsWrittenAndStays() {
        ByteBuffer data = ByteBuffer.allocateDirect(16);
        data.put(octets("..part..")).flip().position(2).limit(6);
        SseFrames.appendEvent(into, 0, "", data);
        assertEquals("data: part\n\n", written());
        assertEquals(4, data.remaining());
    }

    @Test
    void aNameIsUtf8() {
        assertEquals("event: é€\ndata: ü\n\n", frame(0, "é€", "ü"));
    }

    @Test
    void aNameWithALineBreakIsRefusedAndNothingIsWritten() {
        for (String name : new String[] {"a\nb", "a\r", "\na", "a\0b"}) {
            assertThrows(IllegalArgumentException.class, () -> frame(1, name, "x"));
            assertThrows(IllegalArgumentException.class, () -> SseFrames.event(name, "x"));
            assertEquals(0, into.length());
        }
    }

    @Test
    void aNegativeNumberIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> frame(-1, "", "x"));
    }

    @Test
    void framesFollowEachOther() {
        SseFrames.appendEvent(into, 1, "", ByteBuffer.wrap(octets("a")));
        SseFrames.appendEvent(into, 2, "", ByteBuffer.wrap(octets("b")));
        assertEquals("id: 1\ndata: a\n\nid: 2\ndata: b\n\n", written());
    }

    @Test
    void aFarewellHasItsRetryAndAComment() {
        SseFrames.appendFarewell(into, 2345);
        assertEquals("retry: 2345\n: closing\n\n", written());
    }

    @Test
    void aRetryOfZeroIsWritten() {
        SseFrames.appendFarewell(into, 0);
        assertEquals("retry: 0\n: closing\n\n", written());
    }

    @Test
    void theFixedFramesAreWhatClientsKnow() {
        assertEquals(": heartbeat\n\n", text(SseFrames.HEARTBEAT));
        assertEquals("event: gap\ndata: {}\n\n", text(SseFrames.GAP));
        assertEquals("event: hi\ndata: a\ndata: b\n\n", text(SseFrames.event("hi", "a\nb")));
    }

    @Test
    void aLastEventIdIsANumberOrBeyondEveryEvent() {
        assertEquals(-1, SseFrames.lastEventId(Requests.get("/")));
        assertEquals(-1, lastEventId(""));
        assertEquals(0, lastEventId("0"));
        assertEquals(42, lastEventId("42"));
        assertEquals(999_999_999_999_999_999L, lastEventId("999999999999999999"));
        for (String other : new String[] {"abc", "-1", "+1", "4 2", "0x1", "1.5", "\u00fc",
                "1000000000000000000", "99999999999999999999999"}) {
            assertEquals(Long.MAX_VALUE, lastEventId(other), other);
        }
    }

    private static long lastEventId(String value) {
        return SseFrames.lastEventId(
                Requests.of("GET", "/", "last-event-id: " + value + "\r\n"));
    }

    private String frame(long id, String event, String data) {
        into.clear();
        SseFrames.appendEvent(into, id, event, ByteBuffer.wrap(octets(data)));
        return written();
    }

    private String written() {
        return new String(into.array(), 0, into.length(), StandardCharsets.UTF_8);
    }

    private static String text(byte[] octets) {
        return new String(octets, StandardCharsets.UTF_8);
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
