package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import m0.app.Published;
import org.junit.jupiter.api.Test;

/** What a child sends, whole, in pieces, and wrong. */
class ChildFramesTest {
    private final List<String> published = new ArrayList<>();
    private int refusedByRings;
    private final ChildFrames frames = new ChildFrames((channel, event, data) -> {
        if (channel.startsWith("\u0001")) {
            return new Published(0, 0, 0, "reserved");
        }
        published.add(channel + "/" + event + "="
                + StandardCharsets.ISO_8859_1.decode(data.duplicate()));
        return new Published(40 + published.size(), 1, refusedByRings, "");
    });

    @Test
    void publishesFramesInWhateverPiecesTheyCome() {
        byte[] sent = bytes(frame("news", "beat", "one"), frame("n", "", ""),
                frame("é", "ü", "three"));
        List<String> expected = List.of("news/beat=one", "n/=", "é/ü=three");
        for (int cut = 0; cut <= sent.length; cut++) {
            published.clear();
            ChildFrames each = new ChildFrames((channel, event, data) -> {
                published.add(channel + "/" + event + "="
                        + StandardCharsets.ISO_8859_1.decode(data.duplicate()));
                return new Published(1, 1, 0, "");
            });
            assertEquals("", each.take(ByteBuffer.wrap(sent, 0, cut)));
            assertEquals("", each.take(ByteBuffer.wrap(sent, cut, sent.length - cut)));
            assertEquals(expected, published, "cut at " + cut);
            assertFalse(each.isMidFrame());
        }
    }

    @Test
    void answersWithWhatBecameOfThem() {
        frames.take(ByteBuffer.wrap(bytes(frame("c", "", "1"), frame("c", "", "2"))));
        refusedByRings = 1;
        frames.take(ByteBuffer.wrap(bytes(frame("c", "", "3"))));
        assertEquals("ok published=3 first=41 last=43 refused=1\n", frames.answer());
    }

    @Test
    void theLargestFrameIsPublished() {
        String name = "n".repeat(255);
        assertEquals("", frames.take(ByteBuffer.wrap(
                bytes(frame(name, name, "d".repeat(64 * 1024))))));
        assertEquals(1, published.size());
    }

    @Test
    void isMidFrameUntilItsEndHasCome() {
        byte[] frame = frame("c", "e", "data");
        for (int index = 0; index < frame.length - 1; index++) {
            frames.take(ByteBuffer.wrap(frame, index, 1));
            assertTrue(frames.isMidFrame(), "after byte " + index);
        }
        frames.take(ByteBuffer.wrap(frame, frame.length - 1, 1));
        assertFalse(frames.isMidFrame());
        assertEquals(List.of("c/e=data"), published);
    }

    @Test
    void aLengthThatNoFrameHasIsCutOffAtOnce() {
        for (long length : new long[] {0, 2, 66_049, 0x7fffffffL, 0x80000000L, 0xffffffffL}) {
            byte[] head = ByteBuffer.allocate(4).putInt((int) length).array();
            assertEquals("a frame's length is " + length + ", not 3 to 66048",
                    new ChildFrames(null).take(ByteBuffer.wrap(head)));
        }
    }

    @Test
    void nothingBehindWhatIsWrongIsPublished() {
        byte[] sent = bytes(frame("c", "", "1"), new byte[] {0, 0, 0, 0}, frame("c", "", "2"));
        assertEquals("a frame's length is 0, not 3 to 66048", frames.take(ByteBuffer.wrap(sent)));
        assertEquals(List.of("c/=1"), published);
        assertEquals("cut published=1 why\n", frames.answer("why"));
    }

    @Test
    void namesLongerThanTheirFrameAreCutOff() {
        byte[] frame = frame("c", "", "1");
        frame[5] = (byte) 255;
        assertEquals("a frame's names are longer than the frame",
                frames.take(ByteBuffer.wrap(frame)));
    }

    @Test
    void aNameThatIsNotUtf8IsCutOff() {
        for (int at : new int[] {6, 7}) {
            byte[] frame = frame("c", "e", "1");
            frame[at] = (byte) 0xff;
            assertEquals("a name is not UTF-8",
                    new ChildFrames(null).take(ByteBuffer.wrap(frame)));
        }
        assertEquals(List.of(), published);
    }

    @Test
    void whatMayNotBePublishedIsCutOff() {
        assertEquals("reserved", frames.take(ByteBuffer.wrap(bytes(frame("\u0001c", "", "1")))));
    }

    private static byte[] frame(String channel, String event, String data) {
        byte[] channelBytes = channel.getBytes(StandardCharsets.UTF_8);
        byte[] eventBytes = event.getBytes(StandardCharsets.UTF_8);
        byte[] dataBytes = data.getBytes(StandardCharsets.ISO_8859_1);
        int length = 2 + channelBytes.length + eventBytes.length + dataBytes.length;
        return ByteBuffer.allocate(4 + length).putInt(length).put((byte) channelBytes.length)
                .put((byte) eventBytes.length).put(channelBytes).put(eventBytes).put(dataBytes)
                .array();
    }

    private static byte[] bytes(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer whole = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            whole.put(part);
        }
        return whole.array();
    }
}
