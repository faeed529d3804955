package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.page.LoopLine;
import m0.page.Page;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** E243: one ring of a shared bus, and what a writer or reader that is killed leaves in it. */
class SharedRingTest {
    private static final String LARGEST = "x".repeat(64 * 1024);
    private static final long MARK = 1;
    private static final int TAIL = 0;

    private final LoopLine line = Page.inMemory(1, 0).line(0);
    private final UnsafeBuffer memory =
            new UnsafeBuffer(ByteBuffer.allocateDirect(SharedRing.REGION_BYTES));
    private final SharedRing ring = new SharedRing(memory, line);
    private final UnsafeBuffer frame =
            new UnsafeBuffer(ByteBuffer.allocateDirect(FrameLayout.FRAME_BYTES_MAX));
    private SharedSource source = new SharedSource(ring, line);
    private FrameLog log = new FrameLog();

    private boolean offer(long id, String data) {
        int length = FrameDraft.of("c", "", ByteBuffer.wrap(
                data.getBytes(StandardCharsets.ISO_8859_1))).encodeInto(frame);
        frame.putLong(FrameLayout.ID, id);
        return ring.offer(frame, length, id);
    }

    @Test
    void framesComeOnceAndInOrderWhereverTheMemoryEnds() {
        source.start(MARK, 0);
        long id = 0;
        for (int round = 0; round < 200; round++) {
            log.entries.clear();
            assertTrue(offer(id + 1, "a" + round) && offer(id + 2, "y".repeat(20_011)));
            assertEquals(1, source.poll(log, 1));
            assertFalse(source.isEmpty());
            assertEquals(1, source.poll(log, 10));
            assertTrue(source.isEmpty());
            assertEquals(List.of(id + 1 + " c/=a" + round,
                    id + 2 + " c/=" + "y".repeat(20_011)), log.entries);
            id += 2;
        }
    }

    @Test
    void whatFindsNoRoomIsCountedAndToldInItsPlace() {
        source.start(MARK, 0);
        int taken = 0;
        while (offer(taken + 1, LARGEST)) {
            taken++;
        }
        assertEquals(15, taken);
        assertEquals(1, line.framesRefused());
        assertEquals(1, source.refused());
        source.poll(log, 1);
        assertTrue(offer(taken + 2, "after"));
        log.entries.clear();
        source.poll(log, 100);
        assertEquals(List.of("lost 16", "17 c/=after"),
                log.entries.subList(taken - 1, log.entries.size()));
        assertTrue(source.isEmpty());
    }

    @Test
    void aLossThatNoFrameFollowsIsMailAndIsToldOnce() {
        source.start(MARK, 0);
        int taken = 0;
        while (offer(taken + 1, LARGEST)) {
            taken++;
        }
        source.poll(new FrameLog(), taken - 1);
        source.poll(log, 100);
        assertEquals("lost 16", log.entries.get(1));
        assertTrue(source.isEmpty());
        assertEquals(0, source.poll(log, 100));
        assertEquals(2, log.entries.size(), "it is told once");
    }

    /** It had written the record's bytes and not the tail. */
    @Test
    void aRecordWhoseWriterWasKilledIsWrittenOver() {
        source.start(MARK, 0);
        offer(1, "one");
        long tail = memory.getLong(TAIL);
        offer(2, "cut off in the middle");
        memory.putLong(TAIL, tail);
        ring.settle(2);
        assertEquals(1, line.framesRefused());
        assertTrue(offer(3, "three"));
        source.poll(log, 10);
        assertEquals(List.of("1 c/=one", "lost 2", "3 c/=three"), log.entries);
    }

    /** A copy that throws stands for one that is killed. */
    @Test
    void aRecordIsNobodysBeforeItIsWhole() {
        source.start(MARK, 0);
        assertThrows(IndexOutOfBoundsException.class,
                () -> ring.offer(frame, FrameLayout.FRAME_BYTES_MAX + 1, 1));
        assertTrue(source.isEmpty(), "it was cut off");
        assertTrue(offer(2, "two"));
        source.poll(log, 10);
        assertEquals(List.of("2 c/=two"), log.entries);
    }

    @Test
    void aRingThatNeverGotTheLastIdHasLostIt() {
        source.start(MARK, 0);
        offer(1, "one");
        ring.settle(2);
        ring.settle(2);
        assertEquals(1, line.framesRefused());
        assertFalse(source.isEmpty());
        source.poll(log, 10);
        assertEquals(List.of("1 c/=one", "lost 2"), log.entries);
        assertTrue(source.isEmpty());
    }

    @Test
    void aRingThatHoldsOrRefusedTheLastIdHasNothingToSettle() {
        source.start(MARK, 7);
        ring.settle(7);
        offer(8, "eight");
        ring.settle(8);
        while (offer(9, LARGEST)) {
            continue;
        }
        assertEquals(1, line.framesRefused());
        ring.settle(9);
        assertEquals(1, line.framesRefused());
    }

    @Test
    void aSuccessorBeginsBehindAllThatCameBefore() {
        source.start(MARK, 0);
        offer(1, "one");
        offer(2, "two");
        source.poll(log, 1);
        ring.stopReading();
        source = new SharedSource(ring, line);
        log = new FrameLog();
        assertTrue(source.isEmpty(), "it does not read yet");
        assertEquals(0, source.poll(log, 10));
        source.start(MARK + 1, 4);
        assertFalse(source.isEmpty(), "it must hear what it has not got");
        offer(5, "five");
        source.poll(log, 10);
        assertEquals(List.of("lost 4", "5 c/=five"), log.entries);
        assertTrue(source.isEmpty());
    }

    @Test
    void aSuccessorHasTheWholeRing() {
        source.start(MARK, 0);
        for (int id = 1; offer(id, LARGEST); id++) {
            continue;
        }
        source = new SharedSource(ring, line);
        source.start(MARK + 1, 16);
        assertTrue(offer(17, LARGEST));
        source.poll(log, 10);
        assertEquals("lost 16", log.entries.get(0));
        assertTrue(log.entries.get(1).startsWith("17 c/=x"));
    }

    @Test
    void nobodyIsOfferedAnythingBeforeItReadsAndAfterwards() {
        assertFalse(ring.isRead());
        source.start(MARK, 0);
        assertTrue(ring.isRead());
        ring.stopReading();
        assertFalse(ring.isRead());
        ring.settle(3);
        assertEquals(0, line.framesRefused(), "who does not read loses nothing");
    }

    @Test
    void theBellStandsUpFromTheLookUntilTheNextPoll() {
        source.start(MARK, 0);
        assertFalse(ring.takeBell());
        source.isEmpty();
        source.poll(log, 1);
        assertFalse(ring.takeBell(), "it looks by itself");
        source.isEmpty();
        assertTrue(ring.takeBell());
        assertFalse(ring.takeBell(), "somebody rings already");
    }

    /** A sink that throws has had its frame. */
    @Test
    void aFrameIsNotHandedOverTwice() {
        source.start(MARK, 0);
        offer(1, "one");
        offer(2, "two");
        FrameSink throwing = new FrameSink() {
            @Override
            public void onFrame(long id, String channel, String event, ByteBuffer data) {
                throw new IllegalStateException("no");
            }

            @Override
            public void onLost(long id) { }
        };
        try {
            source.poll(throwing, 10);
        } catch (IllegalStateException expected) {
            source.poll(log, 10);
        }
        assertEquals(List.of("2 c/=two"), log.entries);
    }
}
