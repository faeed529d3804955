package m0.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import m0.page.LoopLine;
import m0.page.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AcceptShareTest {
    private static final long NOW_NS = 9_000_000_000L;

    private final Page page = Page.inMemory(4, 0);
    private final LoopLine[] lines =
            {page.line(0), page.line(1), page.line(2), page.line(3)};
    private final Inbox[] inboxes = new Inbox[4];
    private SocketChannel channel;
    private AcceptShare share;

    @BeforeEach
    void open() throws IOException {
        channel = SocketChannel.open();
        for (int loop = 0; loop < 4; loop++) {
            inboxes[loop] = new Inbox(lines[loop], new Waker());
            lines[loop].begin();
        }
        share = new AcceptShare(0, lines, inboxes);
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    private void hold(int... connections) {
        for (int loop = 0; loop < connections.length; loop++) {
            lines[loop].active(connections[loop]);
        }
    }

    @Test
    void choosesWhoHasLeast() {
        hold(5, 4, 2, 3);
        assertEquals(2, share.choose(NOW_NS));
    }

    @Test
    void countsWhatIsPromised() {
        hold(5, 4, 2, 3);
        lines[2].addPending(2);
        assertEquals(3, share.choose(NOW_NS));
    }

    @Test
    void keepsWhereNobodyHasLess() {
        hold(3, 3, 4, 3);
        assertEquals(0, share.choose(NOW_NS));
    }

    @Test
    void equalsTakeTurns() {
        hold(9, 1, 1, 1);
        assertEquals(1, share.choose(NOW_NS));
        assertEquals(2, share.choose(NOW_NS));
        assertEquals(3, share.choose(NOW_NS));
        assertEquals(1, share.choose(NOW_NS));
    }

    @Test
    void passesOverWhoHasNotBegun() {
        Page fresh = Page.inMemory(2, 0);
        LoopLine[] two = {fresh.line(0), fresh.line(1)};
        two[0].begin();
        two[0].active(7);
        AcceptShare early = new AcceptShare(0, two,
                new Inbox[] {new Inbox(two[0], new Waker()), new Inbox(two[1], new Waker())});
        assertEquals(0, early.choose(NOW_NS));
        two[1].begin();
        assertEquals(1, early.choose(NOW_NS));
    }

    @Test
    void passesOverWhoHasLeft() {
        hold(5, 0, 3, 4);
        lines[1].leave();
        assertEquals(2, share.choose(NOW_NS));
    }

    @Test
    void passesOverWhoIsHeldInsideAPass() {
        hold(5, 0, 3, 4);
        lines[1].enterPass(NOW_NS - 2_000_000);
        assertEquals(1, share.choose(NOW_NS), "two milliseconds are an ordinary pass");
        lines[1].enterPass(NOW_NS - 2_000_001);
        assertEquals(2, share.choose(NOW_NS));
        lines[1].leavePass();
        assertEquals(1, share.choose(NOW_NS));
    }

    @Test
    void passThatBeganAfterTheCallersLookIsNoLongOne() {
        hold(5, 0, 5, 5);
        lines[1].enterPass(NOW_NS + 3_000_000);
        assertEquals(1, share.choose(NOW_NS));
    }

    @Test
    void whoHasLeftChoosesAnybodyButItself() {
        hold(0, 5, 4, 6);
        lines[0].leave();
        assertEquals(2, share.choose(NOW_NS));
        lines[1].leave();
        lines[2].leave();
        lines[3].leave();
        assertEquals(0, share.choose(NOW_NS), "there is nobody else");
    }

    @Test
    void handsOverAndPromisesUntilItIsTakenIn() {
        hold(1, 0, 1, 1);
        assertTrue(share.tryPass(channel, NOW_NS));
        assertEquals(1, lines[1].pending());
        assertEquals(1, lines[0].passed());
        AcceptShare taker = new AcceptShare(1, lines, inboxes);
        assertTrue(taker.hasReceived());
        assertTrue(taker.isOwed());
        assertSame(channel, taker.receive());
        assertFalse(taker.hasReceived());
        assertTrue(taker.isOwed(), "it is promised until it is counted");
        taker.retire();
        assertFalse(taker.isOwed());
        assertEquals(1, lines[1].received());
        assertNull(taker.receive());
        assertEquals(1, lines[1].received());
    }

    @Test
    void takesThePromiseBackFromWhoLeavesBetweenTheLooks() {
        hold(1, 0, 1, 1);
        int chosen = share.choose(NOW_NS);
        lines[chosen].leave();
        assertFalse(share.tryPut(channel, chosen, NOW_NS));
        assertEquals(0, lines[chosen].pending());
        assertTrue(inboxes[chosen].isEmpty());
        assertEquals(0, lines[0].passed());
    }

    @Test
    void takesThePromiseBackFromWhoIsHeldBetweenTheLooks() {
        hold(1, 0, 1, 1);
        int chosen = share.choose(NOW_NS);
        lines[chosen].enterPass(NOW_NS - 3_000_000);
        assertFalse(share.tryPut(channel, chosen, NOW_NS));
        assertEquals(0, lines[chosen].pending());
    }

    @Test
    void keepsWhatDoesNotFit() {
        int fitted = 0;
        while (fitted < 100_000 && share.tryPut(channel, 1, NOW_NS)) {
            fitted++;
        }
        assertEquals(1024, fitted);
        assertEquals(1024, lines[1].pending());
        assertEquals(1024, lines[0].passed());
    }

    @Test
    void promiseIsRaisedBeforeTheConnectionCanBeTaken() {
        List<Integer> promised = new ArrayList<>();
        inboxes[1] = new Inbox(lines[1], new Waker(), new ArrayDeque<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean offer(SocketChannel offered) {
                promised.add(lines[1].pending());
                return super.offer(offered);
            }
        });
        hold(1, 0, 1, 1);
        assertTrue(share.tryPass(channel, NOW_NS));
        assertEquals(1, promised.get(0));
    }

    @Test
    void withoutSharingWhoAcceptsKeeps() {
        hold(9, 0, 0, 0);
        AcceptShare alone = new AcceptShare(0, lines, new Inbox[0]);
        assertFalse(alone.isOn());
        assertFalse(alone.hasReceived());
        assertNull(alone.receive());
    }
}
