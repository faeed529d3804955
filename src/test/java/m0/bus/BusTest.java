package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import m0.app.Published;
import m0.loop.Waker;
import m0.page.Page;
import org.junit.jupiter.api.Test;

/** E21, E24, G7, I25: ids, rings, refusals, and what may be published. */
class BusTest {
    private static final ByteBuffer LARGEST = ByteBuffer.allocate(64 * 1024);
    private static final ByteBuffer SMALL = bytes("x");

    private final FrameLog log = new FrameLog();

    @Test
    void everyRingHasEveryFrameInOrder() {
        Bus bus = bus(3);
        for (int count = 1; count <= 5; count++) {
            Published published = bus.publish("news", "beat", bytes("b" + count));
            assertEquals(new Published(count, 3, 0, ""), published);
        }
        for (int loop = 0; loop < 3; loop++) {
            FrameLog seen = new FrameLog();
            assertEquals(5, bus.source(loop).poll(seen, 100));
            assertEquals(List.of("1 news/beat=b1", "2 news/beat=b2", "3 news/beat=b3",
                    "4 news/beat=b4", "5 news/beat=b5"), seen.entries, "loop " + loop);
            assertTrue(bus.source(loop).isEmpty());
        }
    }

    @Test
    void idsGoOnFromThePage() {
        Page page = Page.inMemory(1, 0);
        page.lastEventId(41);
        Bus bus = new Bus(page, Bus.RING_BYTES, List.of(new Waker()));
        assertEquals(42, bus.publish("news", "", SMALL).id());
        assertEquals(42, page.lastEventId());
    }

    @Test
    void aTurnHandsOverNoMoreThanItWasAskedFor() {
        Bus bus = bus(1);
        for (int count = 0; count < 5; count++) {
            bus.publish("news", "", SMALL);
        }
        assertEquals(2, bus.source(0).poll(log, 2));
        assertFalse(bus.source(0).isEmpty());
        assertEquals(3, bus.source(0).poll(log, 10));
        assertEquals(0, bus.source(0).poll(log, 10));
    }

    @Test
    void aFrameCarriesNamesAndDataOfEveryLength() {
        Bus bus = bus(1);
        String longest = "é".repeat(127) + "c";
        assertEquals(1, bus.publish(longest, longest, LARGEST).taken());
        assertEquals(1, bus.publish("c", "", ByteBuffer.allocate(0)).taken());
        assertEquals(1, bus.publish("c", "e", bytes("0123456789").position(2).limit(5)).taken());
        bus.source(0).poll(log, 10);
        assertEquals("1 " + longest + "/" + longest + "=" + "\0".repeat(64 * 1024),
                log.entries.get(0));
        assertEquals(List.of("2 c/=", "3 c/e=234"), log.entries.subList(1, 3));
    }

    @Test
    void publishingMovesNothingInTheBufferItReads() {
        ByteBuffer data = bytes("abc").position(1);
        bus(1).publish("news", "", data);
        assertEquals(1, data.position());
        assertEquals(3, data.limit());
    }

    @Test
    void aFullRingRefusesForItsLoopAlone() {
        Bus bus = bus(2);
        int taken = fill(bus, 0, 1);
        Published refused = bus.publish("news", "", LARGEST);
        assertEquals(new Published(taken + 2, 1, 1, "full: ring of loop 0"), refused);
        assertEquals(2, bus.source(0).refused());
        assertEquals(0, bus.source(1).refused());
        bus.source(1).poll(log, 100);
        assertEquals(1, log.entries.size());
        assertTrue(log.entries.get(0).startsWith((taken + 2) + " news/="), "loop 1 has it");
    }

    @Test
    void aFrameThatEveryRingRefusesSaysWhich() {
        Bus bus = bus(2);
        int taken = fill(bus, 0, 0);
        Published refused = bus.publish("news", "", LARGEST);
        assertEquals(new Published(taken + 2, 0, 2, "full: ring of loop 0, 1"), refused);
    }

    @Test
    void aLossIsToldInItsPlaceInTheOrder() {
        Bus bus = bus(1);
        int taken = fill(bus, 0, 0);
        bus.source(0).poll(log, 1);
        Published after = bus.publish("news", "after", SMALL);
        assertEquals(taken + 2, after.id());
        bus.source(0).poll(log, 100);
        assertEquals("lost " + (taken + 1), log.entries.get(taken));
        assertTrue(log.entries.get(taken + 1).startsWith((taken + 2) + " news/after"));
        assertEquals(taken + 2, log.entries.size(), "it is told once");
        assertTrue(bus.source(0).isEmpty());
    }

    @Test
    void aLossIsToldThoughNoFrameFollows() {
        Bus bus = bus(1);
        int taken = fill(bus, 0, 0);
        bus.publish("news", "", LARGEST);
        assertEquals(taken - 1, bus.source(0).poll(log, taken - 1));
        assertFalse(log.entries.toString().contains("lost"), "a frame still stands before it");
        bus.source(0).poll(log, 100);
        assertEquals("lost " + (taken + 2), log.entries.get(taken));
        assertEquals(0, bus.source(0).poll(log, 100));
        assertEquals(taken + 1, log.entries.size(), "it is told once");
        assertTrue(bus.source(0).isEmpty());
    }

    /** The loop looks at this alone before it blocks. */
    @Test
    void aLossThatWasNotToldIsMail() {
        Bus bus = bus(1);
        int taken = fill(bus, 0, 0);
        FrameSink tellsTwice = new FrameSink() {
            @Override
            public void onFrame(long id, String channel, String event, ByteBuffer data) {
                if (id == 1) {
                    for (int count = 0; count < 2; count++) {
                        bus.publish("news", "", LARGEST);
                    }
                }
            }

            @Override
            public void onLost(long id) {
                log.onLost(id);
            }
        };
        bus.source(0).poll(tellsTwice, taken);
        assertEquals(List.of("lost " + (taken + 1)), log.entries);
        assertFalse(bus.source(0).isEmpty(), "two more were lost meanwhile");
        bus.source(0).poll(tellsTwice, taken);
        assertEquals(List.of("lost " + (taken + 1), "lost " + (taken + 3)), log.entries);
        assertTrue(bus.source(0).isEmpty());
    }

    @Test
    void aRingServesOnWhereItsMemoryEnds() {
        Bus bus = bus(1);
        ByteBuffer third = ByteBuffer.allocate(50_000);
        List<Long> seen = new ArrayList<>();
        FrameSink ids = new FrameSink() {
            @Override
            public void onFrame(long id, String channel, String event, ByteBuffer data) {
                assertEquals(50_000, data.remaining());
                seen.add(id);
            }

            @Override
            public void onLost(long id) {
                throw new AssertionError("lost " + id);
            }
        };
        for (int round = 0; round < 40; round++) {
            for (int count = 0; count < 10; count++) {
                bus.publish("news", "", third);
            }
            assertEquals(10, bus.source(0).poll(ids, 100), "round " + round);
        }
        for (int index = 0; index < seen.size(); index++) {
            assertEquals(index + 1, seen.get(index));
        }
    }

    @Test
    void channelsOfTheHostAreRefused() {
        assertRefused("channels that begin with byte 0x01 are reserved", "\u0001news", "", SMALL);
        assertEquals(1, bus(1).publish("n\u0001", "", SMALL).taken());
    }

    @Test
    void whatIsNoNameIsRefused() {
        String e128 = "é".repeat(128);
        assertRefused("the channel's name is empty", "", "", SMALL);
        assertRefused("the channel's name is longer than 255 bytes", "c".repeat(256), "", SMALL);
        assertRefused("the channel's name is longer than 255 bytes", e128, "", SMALL);
        assertRefused("the channel's name is no Unicode text", "a\ud800", "", SMALL);
        assertRefused("the event's name is longer than 255 bytes", "c", "e".repeat(256), SMALL);
        assertRefused("the event's name is longer than 255 bytes", "c", e128, SMALL);
        assertRefused("the event's name is no Unicode text", "c", "\udc00b", SMALL);
        for (String breaking : List.of("a\rb", "a\nb", "a\0b")) {
            assertRefused("the event's name has a line break or a NUL in it", "c", breaking,
                    SMALL);
        }
    }

    @Test
    void dataOverSixtyFourKibibytesIsRefused() {
        assertRefused("the data is longer than 65536 bytes", "c", "",
                ByteBuffer.allocate(64 * 1024 + 1));
    }

    /** It takes no id: a refused frame is no hole in the order. */
    private static void assertRefused(String reason, String channel, String event,
            ByteBuffer data) {
        Bus bus = bus(2);
        assertEquals(new Published(0, 0, 0, reason), bus.publish(channel, event, data));
        assertTrue(bus.source(0).isEmpty());
        assertEquals(1, bus.publish("c", "", SMALL).id());
    }

    @Test
    void aRingTooSmallForTheLargestFrameIsRefused() {
        Page page = Page.inMemory(1, 0);
        List<Waker> wakers = List.of(new Waker());
        for (int ringBytes : new int[] {0, Bus.RING_BYTES / 2, Bus.RING_BYTES + 1}) {
            assertThrows(IllegalArgumentException.class, () -> new Bus(page, ringBytes, wakers));
        }
        assertThrows(IllegalArgumentException.class,
                () -> new Bus(Page.inMemory(2, 0), Bus.RING_BYTES, wakers));
    }

    @Test
    void aNameThatComesAgainIsTheSameObject() {
        Bus bus = bus(1);
        List<String> names = new ArrayList<>();
        FrameSink sink = new FrameSink() {
            @Override
            public void onFrame(long id, String channel, String event, ByteBuffer data) {
                names.add(channel);
                names.add(event);
            }

            @Override
            public void onLost(long id) {
                throw new AssertionError("lost " + id);
            }
        };
        for (String channel : List.of("one", "two", "one")) {
            bus.publish(channel, "beat", SMALL);
        }
        bus.source(0).poll(sink, 10);
        assertEquals(List.of("one", "beat", "two", "beat", "one", "beat"), names);
        assertTrue(names.get(0) == names.get(4), "the channel was made anew");
        assertTrue(names.get(1) == names.get(5), "the event was made anew");
    }

    /** Publishes the largest frames until the ring of {@code full} refuses one; how many it took. */
    private static int fill(Bus bus, int full, int drained) {
        int taken = 0;
        while (bus.source(full).refused() == 0) {
            bus.publish("news", "", LARGEST);
            taken++;
            if (drained != full) {
                bus.source(drained).poll(new FrameLog(), 1);
            }
        }
        return taken - 1;
    }

    private static Bus bus(int loops) {
        List<Waker> wakers = new ArrayList<>();
        for (int loop = 0; loop < loops; loop++) {
            wakers.add(new Waker());
        }
        return new Bus(Page.inMemory(loops, 0), Bus.RING_BYTES, wakers);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
