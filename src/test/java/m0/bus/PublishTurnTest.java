package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import m0.loop.Clock;
import m0.page.Page;
import m0.page.Seat;
import org.junit.jupiter.api.Test;

/** E242: who may publish, stepped by hand: each pause moves the clock on by what was asked for. */
class PublishTurnTest {
    private static final long MS = 1_000_000L;

    private final Page page = Page.inMemory(3, 0);
    private final Seat sibling = page.seat(1);
    private long nowNs = 5;
    private boolean gone;
    private int looks;
    private int settled;
    private Runnable atPause = () -> { };

    private final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    };
    private final PublishTurn turn = turn(0);

    private PublishTurn turn(int worker) {
        return new PublishTurn(page, page.seat(worker), seat -> {
            looks++;
            return gone && seat == sibling;
        }, clock, ns -> {
            nowNs += ns;
            atPause.run();
        }, () -> settled++);
    }

    @Test
    void whoIsInsideHasItsMarkThere() {
        assertTrue(turn.tryEnter());
        assertEquals(page.seat(0).mark(), page.publishing());
        assertEquals("worker 0", turn.holder());
        turn.leave();
        assertEquals(0, page.publishing());
        assertEquals(0, settled);
    }

    @Test
    void theNextOneEntersWhenTheHolderLeaves() {
        PublishTurn first = turn(1);
        assertTrue(first.tryEnter());
        atPause = () -> {
            if (nowNs > 20 * MS) {
                first.leave();
            }
        };
        assertTrue(turn.tryEnter());
        assertTrue(nowNs > 20 * MS && nowNs < 21 * MS, "nowNs=" + nowNs);
        assertEquals(0, settled, "nobody died");
    }

    @Test
    void aHolderThatLivesIsWaitedForTwoSecondsAndNoLonger() {
        turn(1).tryEnter();
        assertFalse(turn.tryEnter());
        assertEquals(5 + 2000 * MS, nowNs);
        assertTrue(looks >= 390 && looks <= 400, "it was looked up " + looks + " times");
        assertEquals(sibling.mark(), page.publishing(), "it is still inside");
        assertEquals("worker 1", turn.holder());
    }

    /** The whole wait may pass in one pause, and what there was to see was not looked at yet. */
    @Test
    void whoWasHeldWhileItWaitedLooksBeforeItGoesWithout() {
        turn(1).tryEnter();
        atPause = () -> {
            nowNs += 3000 * MS;
            gone = true;
        };
        assertTrue(turn.tryEnter(), "it has gone without, and nobody was inside");
        assertEquals(1, looks);
        assertEquals(1, settled);
    }

    @Test
    void aHolderWhoseSeatWasVacatedIsTakenOverAtOnce() {
        turn(1).tryEnter();
        sibling.vacate();
        assertTrue(turn.tryEnter());
        assertEquals(5, nowNs, "there was nothing to wait for");
        assertEquals(1, settled);
        assertEquals(page.seat(0).mark(), page.publishing());
    }

    @Test
    void aHolderThatIsGoneAndThatNobodyHasMarkedIsTakenOverSoon() {
        turn(1).tryEnter();
        gone = true;
        assertTrue(turn.tryEnter());
        assertEquals(5 + 5 * MS, nowNs);
        assertEquals(1, looks);
        assertEquals(1, settled);
    }

    /** Its successor is another: that it lives says nothing of who signed. */
    @Test
    void aSuccessorDoesNotStandForItsPredecessor() {
        turn(1).tryEnter();
        sibling.vacate();
        sibling.sit(1234, 1);
        assertTrue(turn.tryEnter());
        assertEquals(0, looks);
    }

    @Test
    void whoWasTakenOverTakesNothingAway() {
        PublishTurn late = turn(1);
        late.tryEnter();
        sibling.vacate();
        turn.tryEnter();
        late.leave();
        assertEquals(page.seat(0).mark(), page.publishing());
    }

    @Test
    void aThreadThatDidNotLeaveIsTakenOverByItsOwnProcess() {
        turn.tryEnter();
        assertTrue(turn.tryEnter());
        assertEquals(1, settled);
    }

    @Test
    void aMarkNamesSeatAndIncarnation() {
        long mark = sibling.mark();
        assertEquals(sibling, page.seatOf(mark));
        sibling.sit(77, 99);
        assertEquals(mark, sibling.mark());
        sibling.vacate();
        assertTrue(mark != sibling.mark());
        assertEquals(0, sibling.pid());
        assertEquals(sibling, page.seatOf(sibling.mark()));
        assertEquals(page.seat(3), page.seatOf(page.seat(3).mark()), "the supervisor's");
    }
}
