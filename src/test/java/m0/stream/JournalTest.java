package m0.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which resumes are answered: every frame behind the id, or none. */
class JournalTest {
    private static final int FRAMES = 3;
    private static final long ROOM = 1 << 20;
    /** An id above all that these tests give. */
    private static final long HEAD = 10_000;

    private final Journal journal = new Journal(FRAMES, ROOM, 0);

    private static StreamFrame frame(long id) {
        return StreamFrame.of(id, new byte[] {'x'}, 1);
    }

    private static void add(Journal journal, String channel, long... ids) {
        for (long id : ids) {
            journal.add(channel, frame(id));
        }
    }

    private static List<Long> after(Journal journal, String channel, long lastId) {
        return journal.after(channel, lastId).stream().map(StreamFrame::id).toList();
    }

    @Test
    void givesWhatCameBehindAnIdInOrder() {
        add(journal, "a", 1, 2, 3);
        assertEquals(List.of(2L, 3L), after(journal, "a", 1));
        assertEquals(List.of(1L, 2L, 3L), after(journal, "a", 0));
        assertEquals(List.of(), after(journal, "a", 3));
    }

    @Test
    void channelsDoNotMix() {
        add(journal, "a", 1, 3);
        add(journal, "b", 2, 4);
        assertEquals(List.of(3L), after(journal, "a", 1));
        assertEquals(List.of(2L, 4L), after(journal, "b", 1));
        assertEquals(List.of(), after(journal, "c", 0));
    }

    @Test
    void coversFromTheLastDroppedIdOn() {
        add(journal, "a", 1, 2, 3);
        assertTrue(journal.covers("a", 0, HEAD));
        add(journal, "a", 4);
        assertFalse(journal.covers("a", 0, HEAD));
        assertTrue(journal.covers("a", 1, HEAD), "who has seen the dropped frame lacks none");
        assertEquals(List.of(2L, 3L, 4L), after(journal, "a", 1));
    }

    @Test
    void anIdBetweenTwoFramesOfAChannelIsCovered() {
        add(journal, "a", 1, 10, 20, 30);
        assertTrue(journal.covers("a", 5, HEAD));
        assertEquals(List.of(10L, 20L, 30L), after(journal, "a", 5));
    }

    @Test
    void doesNotCoverAnIdAboveTheHead() {
        add(journal, "a", 1, 2);
        assertTrue(journal.covers("a", 2, 2));
        assertFalse(journal.covers("a", 3, 2));
        assertFalse(journal.covers("never", 3, 2));
    }

    @Test
    void aChannelWithoutFramesIsCoveredFromTheStartOn() {
        Journal later = new Journal(FRAMES, ROOM, 100);
        assertFalse(later.covers("a", 99, HEAD));
        assertTrue(later.covers("a", 100, HEAD));
        add(later, "a", 101);
        assertFalse(later.covers("a", 99, HEAD));
        assertTrue(later.covers("a", 100, HEAD));
    }

    @Test
    void aLostFrameMayHaveBeenOfAnyChannel() {
        add(journal, "a", 1, 3);
        journal.lost(4);
        assertFalse(journal.covers("a", 3, HEAD));
        assertFalse(journal.covers("b", 3, HEAD));
        assertTrue(journal.covers("a", 4, HEAD));
        add(journal, "a", 5);
        assertEquals(List.of(5L), after(journal, "a", 4));
        add(journal, "b", 6);
        assertFalse(journal.covers("b", 3, HEAD));
    }

    @Test
    void aLossBeforeTheFloorChangesNothing() {
        add(journal, "a", 1, 2, 3, 4, 5);
        journal.lost(1);
        assertTrue(journal.covers("a", 2, HEAD));
        assertFalse(journal.covers("a", 1, HEAD));
    }

    @Test
    void keepsNothingWhereItMayKeepNoFrame() {
        Journal none = new Journal(0, ROOM, 0);
        add(none, "a", 1);
        assertFalse(none.covers("a", 0, HEAD));
        assertTrue(none.covers("a", 1, HEAD));
        assertEquals(List.of(), after(none, "a", 0));
    }

    /** The room is for four frames. */
    @Test
    void theChannelPublishedToLongestAgoGoesFirstAndIsThenAGap() {
        Journal small = new Journal(FRAMES, 4L * frame(1).bytes().length, 0);
        add(small, "old", 1);
        add(small, "b", 2);
        add(small, "old", 3);
        add(small, "c", 4);
        add(small, "c", 5);
        assertEquals(List.of(1L, 3L), after(small, "old", 0));
        assertFalse(small.covers("b", 1, HEAD), "b went, and with it frame 2");
        assertTrue(small.covers("b", 2, HEAD));
        assertTrue(small.covers("old", 0, HEAD));
    }

    @Test
    void aChannelThatFillsTheRoomAloneLosesItsOldest() {
        Journal small = new Journal(100, 2L * frame(1).bytes().length, 0);
        add(small, "a", 1, 2, 3);
        assertEquals(List.of(2L, 3L), after(small, "a", 1));
        assertFalse(small.covers("a", 0, HEAD));
        assertTrue(small.covers("a", 1, HEAD));
    }

    @Test
    void channelsAreBounded() {
        for (int channel = 0; channel <= Journal.CHANNELS_MAX; channel++) {
            add(journal, "c" + channel, channel + 1L);
        }
        assertEquals(List.of(), after(journal, "c0", 0));
        assertFalse(journal.covers("c0", 0, HEAD));
        assertEquals(List.of(2L), after(journal, "c1", 0));
    }

    /** A channel that comes back must not seem to reach back to before it went. */
    @Test
    void aChannelThatWentAndCameBackBeginsAboveWhatItLost() {
        Journal small = new Journal(FRAMES, 2L * frame(1).bytes().length, 0);
        add(small, "a", 1);
        add(small, "b", 2, 3);
        add(small, "a", 4);
        assertFalse(small.covers("a", 0, HEAD));
        assertTrue(small.covers("a", 1, HEAD));
        assertEquals(List.of(4L), after(small, "a", 1));
    }
}
