package m0.ws;

import static m0.ws.ClientFrames.octets;
import static m0.ws.ClientFrames.pattern;
import static m0.ws.ClientFrames.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a reader keeps, holds back and gives up. */
class MessageReaderTest {
    private static final int ROUNDS = 2_000;
    private static final long SECOND_NS = 1_000_000_000;

    private final MessageReader reader = new MessageReader(100_000);
    private final Transcript transcript = new Transcript();

    @Test
    void aMessageThatIsRefusedIsOfferedAgainWhole() {
        byte[] input = new ClientFrames().text("one").text("two").ping("p").bytes();
        transcript.refusals = 2;
        int position = read(input, 0, input.length);
        assertEquals(new ClientFrames().text("one").bytes().length, position);
        assertTrue(reader.holdsMessage());
        assertEquals(position, read(input, position, input.length));
        assertEquals(List.of(), transcript.events);
        assertEquals(input.length, read(input, position, input.length));
        assertEquals(List.of("text one", "text two", "ping p"), transcript.events);
        assertFalse(reader.holdsMessage());
    }

    @Test
    void aRefusedMessageIsOfferedAgainWithoutMoreBytes() {
        byte[] input = new ClientFrames().frame(false, 2, utf8("a")).frame(true, 0, utf8("b"))
                .bytes();
        transcript.refusals = 1;
        assertEquals(input.length, read(input, 0, input.length));
        assertEquals(0, read(new byte[0], 0, 0));
        assertEquals(List.of("binary ab"), transcript.events);
        read(new byte[0], 0, 0);
        assertEquals(1, transcript.events.size());
    }

    @Test
    void aRefusedMessageLeavesTheBytesOfItsArrayAlone() {
        byte[] input = new ClientFrames().text("kept").bytes();
        transcript.refusals = 1;
        read(input, 0, input.length);
        Arrays.fill(input, (byte) 0);
        read(input, 0, 0);
        assertEquals(List.of("text kept"), transcript.events);
    }

    @Test
    void readsItsRangeAlone() {
        byte[] frame = new ClientFrames().text("inside").bytes();
        byte[] array = new byte[frame.length + 20];
        Arrays.fill(array, (byte) 0xff);
        System.arraycopy(frame, 0, array, 10, frame.length);
        byte[] before = array.clone();
        assertEquals(10 + frame.length, read(array, 10, 10 + frame.length));
        assertEquals(List.of("text inside"), transcript.events);
        assertArrayEquals(before, array);
    }

    @Test
    void nothingIsReadBehindAClose() {
        byte[] close = new ClientFrames().close(1000, "").bytes();
        byte[] input = new ClientFrames().close(1000, "").text("late").bytes();
        assertEquals(close.length, read(input, 0, input.length));
        assertEquals(close.length, read(input, close.length, input.length));
        assertEquals(List.of("close 1000"), transcript.events);
        assertTrue(reader.isEnded());
    }

    @Test
    void nothingIsReadBehindAViolation() {
        byte[] input = new ClientFrames().text("good").raw(0x83).text("late").bytes();
        int position = read(input, 0, input.length);
        assertEquals(position, read(input, position, input.length));
        assertEquals(List.of("text good", "violation 1002 ws_opcode"), transcript.events);
        assertTrue(reader.isEnded());
    }

    @Test
    void aHundredControlFramesAreTakenInEverySecond() {
        byte[] ping = new ClientFrames().ping("").bytes();
        for (int second = 0; second < 3; second++) {
            for (int n = 0; n < 100; n++) {
                reader.read(ping, 0, ping.length, 5 + second * SECOND_NS + n, transcript);
            }
        }
        assertEquals(300, transcript.events.size());
        reader.read(ping, 0, ping.length, 4 + 3 * SECOND_NS, transcript);
        assertEquals("violation 1008 ws_control_rate", transcript.events.get(300));
    }

    @Test
    void memoryFollowsWhatArrivedAndNotWhatWasAnnounced() {
        byte[] head = new ClientFrames().head(0x82, 0x80, 90_000, 8).raw(0, 0, 0, 0).bytes();
        read(head, 0, head.length);
        assertEquals(0, reader.capacity());
        byte[] part = new byte[900];
        for (int arrived = 900; arrived < 90_000; arrived += 900) {
            read(part, 0, part.length);
            assertTrue(reader.capacity() <= Math.max(2 * arrived, 1024),
                    reader.capacity() + " bytes held, " + arrived + " arrived");
            assertTrue(reader.capacity() <= 100_000, reader.capacity() + " over the limit");
        }
    }

    @Test
    void aLargeMessageIsGivenUpOnceItIsDelivered() {
        byte[] input = new ClientFrames().binary(50_000).bytes();
        read(input, 0, input.length - 1);
        assertTrue(reader.capacity() >= 49_999);
        read(input, input.length - 1, input.length);
        assertEquals(1, transcript.events.size());
        assertEquals(0, reader.capacity());
    }

    @Test
    void whatWasGatheredIsGivenUpAtTheEnd() {
        byte[] input = new ClientFrames().frame(false, 2, pattern(5000)).ping("p").raw(0x83)
                .bytes();
        read(input, 0, input.length);
        assertTrue(reader.isEnded());
        assertEquals(0, reader.capacity());
    }

    @Test
    void smallMessagesAllocateNothing() {
        byte[] input = new ClientFrames().text("a small message").text("").binary(600)
                .frame(false, 1, octets(0xe2, 0x82)).frame(true, 0, octets(0xac)).bytes();
        var counting = new Counting();
        Runnable work = () -> {
            reader.read(input, 0, 11, 0, counting);
            reader.read(input, 11, input.length, 0, counting);
        };
        rounds(work);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        // The JVM itself allocates now and then on a thread: a turn without is what is asked for.
        for (int turn = 0; turn < 10 && least > 0; turn++) {
            long before = threads.getThreadAllocatedBytes(self);
            rounds(work);
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertEquals(0, least, "bytes in " + ROUNDS + " rounds");
        assertEquals(0, counting.messages % 4);
    }

    @Test
    void everySinkGetsAFreshView() {
        byte[] input = new ClientFrames().text("abcd").text("efgh").bytes();
        var seen = new ArrayList<String>();
        reader.read(input, 0, input.length, 0, new Counting() {
            @Override
            public boolean onMessage(int opcode, ByteBuffer payload) {
                seen.add(payload.position() + " " + payload.limit() + " " + payload.order());
                payload.order(ByteOrder.LITTLE_ENDIAN).position(2).limit(3);
                return true;
            }
        });
        assertEquals(List.of("0 4 BIG_ENDIAN", "0 4 BIG_ENDIAN"), seen);
    }

    @Test
    void aSinkThatThrowsHasTakenItsMessage() {
        byte[] input = new ClientFrames().text("first").text("second").bytes();
        int first = new ClientFrames().text("first").bytes().length;
        assertThrows(IllegalStateException.class, () -> reader.read(input, 0, first, 0,
                new Counting() {
                    @Override
                    public boolean onMessage(int opcode, ByteBuffer payload) {
                        throw new IllegalStateException("application");
                    }
                }));
        assertFalse(reader.holdsMessage());
        read(input, first, input.length);
        assertEquals(List.of("text second"), transcript.events);
    }

    @Test
    void aRangeOutsideTheArrayIsRefused() {
        assertThrows(IndexOutOfBoundsException.class, () -> read(new byte[4], 0, 5));
    }

    private int read(byte[] array, int from, int to) {
        return reader.read(array, from, to, 0, transcript);
    }

    private static void rounds(Runnable work) {
        for (int n = 0; n < ROUNDS; n++) {
            work.run();
        }
    }

    private static class Counting implements MessageSink {
        int messages;

        @Override
        public boolean onMessage(int opcode, ByteBuffer payload) {
            messages++;
            return true;
        }

        @Override
        public void onPing(ByteBuffer payload) { }

        @Override
        public void onPong(ByteBuffer payload) { }

        @Override
        public void onClose(int code) { }

        @Override
        public void onViolation(int closeCode, String kind) {
            throw new AssertionError(kind);
        }
    }
}
