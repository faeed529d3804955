package m0.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import m0.page.LoopLine;
import m0.page.Page;
import org.junit.jupiter.api.Test;

class StandingBackTest {
    private static final long NOW_NS = 50_000_000L;

    private final Page page = Page.inMemory(3, 0);
    private final LoopLine[] lines = {page.line(0), page.line(1), page.line(2)};
    private final Sharing share = new StandingBack(0, lines, true);

    private void serving(int... loads) {
        for (int loop = 0; loop < loads.length; loop++) {
            lines[loop].begin();
            lines[loop].active(loads[loop]);
        }
    }

    @Test
    void leavesAConnectionToWhoHasLess() {
        serving(2, 5, 1);
        assertTrue(share.leavesNext(0, NOW_NS));
        assertEquals(1, lines[0].stoodBack());
    }

    @Test
    void takesItWhereNobodyHasLess() {
        serving(2, 5, 2);
        assertFalse(share.leavesNext(0, NOW_NS));
        assertEquals(0, lines[0].stoodBack());
    }

    @Test
    void takesItWhereWhoHasLessWouldNotCome() {
        serving(2, 5);
        assertFalse(share.leavesNext(0, NOW_NS), "worker 2 has not begun");
        lines[2].begin();
        lines[2].leave();
        assertFalse(share.leavesNext(0, NOW_NS), "worker 2 has left");
        lines[2].begin();
        lines[2].enterPass(NOW_NS - 2_000_001L);
        assertFalse(share.leavesNext(0, NOW_NS), "worker 2 is held inside a pass");
        lines[2].enterPass(NOW_NS - 2_000_000L);
        assertTrue(share.leavesNext(0, NOW_NS));
    }

    @Test
    void takesWhatIsStillThereWhenItLooksAgain() {
        serving(2, 1, 1);
        assertTrue(share.leavesNext(0, NOW_NS));
        assertFalse(share.leavesNext(0, NOW_NS), "nobody has come for it");
        assertTrue(share.leavesNext(0, NOW_NS), "the next one is another's again");
    }

    @Test
    void standsBackAnewWhereSomebodyHadTakenIt() {
        serving(2, 1, 1);
        assertTrue(share.leavesNext(0, NOW_NS));
        share.nobodyWaited();
        assertTrue(share.leavesNext(0, NOW_NS));
    }

    @Test
    void takesSomeMoreOfACrowd() {
        serving(16, 16, 16);
        assertFalse(share.leavesNext(0, NOW_NS));
        lines[0].active(17);
        assertFalse(share.leavesNext(1, NOW_NS));
        lines[0].active(19);
        assertFalse(share.leavesNext(3, NOW_NS), "an eighth and one ahead");
        lines[0].active(20);
        assertTrue(share.leavesNext(4, NOW_NS));
    }

    @Test
    void neverStandsBackInTheBareRace() {
        serving(9, 0, 0);
        Sharing bare = new StandingBack(0, lines, false);
        assertFalse(bare.leavesNext(0, NOW_NS));
        assertEquals(0, lines[0].stoodBack());
    }
}
