package m0.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import m0.app.PageWords;
import org.junit.jupiter.api.Test;

class PageTest {
    private final Page page = Page.inMemory(3, 20, 5);

    @Test
    void everyWordIsZeroAtTheStart() {
        assertEquals(0, page.lastEventId());
        for (int loop = 0; loop < 3; loop++) {
            LoopLine line = page.line(loop);
            assertFalse(line.isServing() || line.hasLeft());
            assertEquals(0, line.passSinceNs());
            assertEquals(0, line.load());
            assertEquals(0, line.taken() + line.passed() + line.received());
            assertEquals(0, line.stalls() + line.framesRefused());
            for (int word = 0; word < 20; word++) {
                assertEquals(0, page.counters(loop).get(word));
            }
        }
        assertEquals(Page.ProducerState.NONE, page.producer());
        for (int index = 0; index < 5; index++) {
            assertEquals(0, page.words().get(index));
        }
    }

    @Test
    void noWordIsAnother() {
        page.lastEventId(1);
        page.producer(Page.ProducerState.DOWN);
        for (int loop = 0; loop < 3; loop++) {
            LoopLine line = page.line(loop);
            line.active(10 * loop + 1);
            line.addPending(10 * loop + 2);
            line.enterPass(10 * loop + 3);
            count(10 * loop + 4, line::countTaken);
            count(10 * loop + 5, line::countPassed);
            count(10 * loop + 6, line::countReceived);
            count(10 * loop + 7, line::countStall);
            count(10 * loop + 8, line::countFrameRefused);
            for (int word = 0; word < 20; word++) {
                page.counters(loop).add(word, 100 * loop + word);
            }
            if (loop == 1) {
                line.begin();
            } else if (loop == 2) {
                line.leave();
            }
        }
        for (int index = 0; index < 5; index++) {
            page.words().set(index, 1000 + index);
        }
        assertEquals(1, page.lastEventId());
        assertEquals(Page.ProducerState.DOWN, page.producer());
        List<Long> seen = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        for (int loop = 0; loop < 3; loop++) {
            LoopLine line = page.line(loop);
            seen.addAll(List.of((long) line.active(), (long) line.pending(), line.passSinceNs(),
                    line.taken(), line.passed(), line.received(), line.stalls(),
                    line.framesRefused()));
            for (long word = 1; word <= 8; word++) {
                expected.add(10 * loop + word);
            }
            for (int word = 0; word < 20; word++) {
                seen.add(page.counters(loop).get(word));
                expected.add(100L * loop + word);
            }
            assertEquals(loop == 1, line.isServing());
            assertEquals(loop == 2, line.hasLeft());
        }
        assertEquals(expected, seen);
        for (int index = 0; index < 5; index++) {
            assertEquals(1000 + index, page.words().get(index));
        }
    }

    @Test
    void loadCountsWhatIsPromised() {
        LoopLine line = page.line(1);
        line.active(4);
        line.addPending(3);
        line.addPending(-1);
        assertEquals(6, line.load());
    }

    @Test
    void passAtTimeZeroIsAPassAllTheSame() {
        LoopLine line = page.line(0);
        line.enterPass(0);
        assertTrue(line.passSinceNs() != 0);
        line.leavePass();
        assertEquals(0, line.passSinceNs());
    }

    @Test
    void applicationsWordsAreAsManyAsItAskedFor() {
        PageWords words = page.words();
        assertEquals(5, words.count());
        assertThrows(IndexOutOfBoundsException.class, () -> words.get(5));
        assertThrows(IndexOutOfBoundsException.class, () -> words.set(-1, 7));
        assertEquals("word 0 of 0: App.pageSlots(int loops) says how many there are",
                assertThrows(IndexOutOfBoundsException.class,
                        () -> Page.inMemory(1, 0).words().add(0, 1)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> words.add(5, 7));
        assertEquals(0, page.line(2).received(), "an index below the words is not the last line's");
    }

    @Test
    void additionsOfSeveralThreadsAllCount() throws Exception {
        PageWords words = page.words();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> count(20_000, () -> words.add(2, 2)));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(120_001, words.add(2, 1));
    }

    @Test
    void refusesFewerLoopsThanOneAndFewerWordsThanNone() {
        assertThrows(IllegalArgumentException.class, () -> Page.inMemory(0, 0));
        assertThrows(IllegalArgumentException.class, () -> Page.inMemory(1, -1));
        assertThrows(IllegalArgumentException.class, () -> Page.inMemory(1, -1, 0));
        assertThrows(ArithmeticException.class, () -> Page.inMemory(1, Integer.MAX_VALUE));
    }

    @Test
    void countersAreAsManyAsWereAskedFor() {
        LoopCounters counters = page.counters(1);
        counters.add(19, 3);
        counters.add(19, -1);
        counters.addShared(19, 5);
        assertEquals(7, counters.get(19));
        assertThrows(IndexOutOfBoundsException.class, () -> counters.addShared(20, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> counters.add(20, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> counters.get(-1));
        assertThrows(IndexOutOfBoundsException.class,
                () -> Page.inMemory(1, 0).counters(0).add(0, 1));
    }

    private static void count(int times, Runnable action) {
        for (int i = 0; i < times; i++) {
            action.run();
        }
    }
}
