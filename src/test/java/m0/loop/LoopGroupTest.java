package m0.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import m0.page.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps several loops over one listener by hand; the test's thread is every loop's. */
@Timeout(20)
class LoopGroupTest {
    private static final LoopConfig CONFIG = new LoopConfig(16, 5_000_000_000L);

    private final List<String> observed = new ArrayList<>();
    private final List<Socket> peers = new ArrayList<>();
    private final List<CountedWork> works = new ArrayList<>();
    private final List<StopWord> stops = new ArrayList<>();
    private final List<Loop> loops = new ArrayList<>();
    private long nowNs = 1_000;
    private ServerSocketChannel listener;
    private LoopGroup group;

    @BeforeEach
    void listen() throws IOException {
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        listener.configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
        for (Loop loop : loops) {
            loop.close();
        }
        listener.close();
    }

    private void open(int count, boolean sharing) throws IOException {
        group = new LoopGroup(listener, Page.inMemory(count, 0), sharing);
        for (int index = 0; index < count; index++) {
            works.add(new CountedWork());
            stops.add(new StopWord());
            loops.add(new Loop(index, group, CONFIG, works.get(index), new TestClock(),
                    stops.get(index), new Observer()));
        }
    }

    private void serve(int count) throws IOException {
        open(count, true);
        for (Loop loop : loops) {
            loop.begin(List.of());
        }
    }

    private void connect(int count) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        for (int i = 0; i < count; i++) {
            peers.add(new Socket(address.getAddress(), address.getPort()));
        }
    }

    private List<Integer> admitted() {
        return works.stream().map(work -> work.admitted.size()).toList();
    }

    private void pass(int loop) throws IOException {
        loops.get(loop).runPass();
    }

    @Test
    void oneBatchIsSpreadAsItIsAccepted() throws IOException {
        serve(2);
        connect(16);
        pass(0);
        assertEquals(List.of(8, 0), admitted());
        assertEquals(8, group.line(1).pending());
        pass(1);
        assertEquals(List.of(8, 8), admitted());
        assertEquals(0, group.line(1).pending());
        assertEquals(8, group.line(1).active());
        assertEquals(8, group.line(0).passed());
        assertEquals(8, group.line(1).received());
        assertEquals(8, group.line(0).taken());
        assertEquals(8, group.line(1).taken());
    }

    @Test
    void fourLoopsHaveEightEachWhoeverAccepts() throws IOException {
        serve(4);
        for (int i = 0; i < 32; i++) {
            connect(1);
            pass(i % 3 == 0 ? 2 : 0);
            for (int loop = 0; loop < 4; loop++) {
                pass(loop);
            }
        }
        assertEquals(List.of(8, 8, 8, 8), admitted());
    }

    @Test
    void withoutSharingWhoAcceptsKeepsAll() throws IOException {
        open(2, false);
        loops.get(0).begin(List.of());
        loops.get(1).begin(List.of());
        connect(10);
        pass(0);
        pass(1);
        assertEquals(List.of(10, 0), admitted());
    }

    @Test
    void loopThatHasNotBegunGetsNothing() throws IOException {
        open(2, true);
        loops.get(0).begin(List.of());
        connect(10);
        pass(0);
        assertEquals(List.of(10, 0), admitted());
        assertEquals(0, group.line(1).pending());
    }

    @Test
    void loopInsideALongPassGetsNothing() throws IOException {
        serve(2);
        group.line(1).enterPass(nowNs);
        nowNs += 2_000_001;
        connect(10);
        pass(0);
        assertEquals(List.of(10, 0), admitted());
    }

    @Test
    void whoHasClosedCountsNoMore() throws IOException {
        serve(2);
        connect(4);
        pass(0);
        pass(1);
        works.get(0).admitted.clear();
        pass(0);
        assertEquals(0, group.line(0).active());
        connect(2);
        pass(1);
        pass(0);
        assertEquals(List.of(2, 2), admitted(), "both go to the loop that has fewer");
    }

    @Test
    void whatIsHandedOverWaitsForRoom() throws IOException {
        serve(2);
        works.get(1).room = 2;
        connect(8);
        pass(0);
        pass(1);
        pass(1);
        assertEquals(List.of(4, 2), admitted());
        assertEquals(2, group.line(1).pending());
        works.get(1).room = 9;
        pass(1);
        assertEquals(List.of(4, 4), admitted());
    }

    @Test
    void whatReachesALoopThatHasLeftIsForwarded() throws IOException {
        serve(2);
        connect(4);
        pass(0);
        loops.get(1).requestStop();
        pass(1);
        assertEquals(List.of(2, 0), admitted(), "two were promised to a loop that leaves");
        pass(0);
        assertEquals(List.of(4, 0), admitted());
        assertEquals(2, group.line(1).passed());
        assertEquals(2, group.line(0).received());
        assertEquals(0, group.line(0).pending() + group.line(1).pending());
        assertTrue(loops.get(1).isDone());
    }

    @Test
    void whatReachesTheLastLoopThatHasLeftIsTakenIn() throws IOException {
        serve(2);
        connect(4);
        pass(0);
        loops.get(0).requestStop();
        pass(0);
        loops.get(1).requestStop();
        pass(1);
        assertEquals(List.of(2, 2), admitted());
    }

    @Test
    void drainWaitsForWhatIsPromised() throws IOException {
        serve(2);
        group.line(1).addPending(1);
        loops.get(1).requestStop();
        pass(1);
        pass(1);
        assertFalse(loops.get(1).isDone());
        group.line(1).addPending(-1);
        pass(1);
        assertTrue(loops.get(1).isDone());
    }

    @Test
    void drainStampsTheStopFirstAndTellsWhatWasShared() throws IOException {
        serve(2);
        connect(2);
        pass(0);
        pass(1);
        loops.get(0).requestStop();
        loops.get(1).requestStop();
        pass(0);
        assertTrue(stops.get(0).asked());
        assertTrue(group.line(0).hasLeft());
        pass(1);
        assertEquals(List.of("loop=0 passed=1 received=0", "loop=1 passed=0 received=1"),
                observed);
    }

    /** Whoever accepts must not count on it, though it still listens. */
    @Test
    void whoDrainsHasLeftThoughTheBacklogFindsNoRoomYet() throws IOException {
        serve(2);
        works.get(0).room = 0;
        loops.get(0).requestStop();
        pass(0);
        assertTrue(group.line(0).hasLeft());
        assertFalse(group.line(0).hasLeftListener());
    }

    @Test
    void lastLoopToLeaveClosesTheListener() throws IOException {
        serve(2);
        loops.get(0).requestStop();
        pass(0);
        assertTrue(loops.get(0).isDone());
        loops.get(0).close();
        connect(1);
        pass(1);
        assertEquals(List.of(0, 1), admitted());
        loops.get(1).requestStop();
        pass(1);
        pass(1);
        assertThrows(IOException.class, () -> connect(1));
    }

    @Test
    void loopThatIsClosedWithoutADrainLeavesTheListenerToOthers() throws IOException {
        serve(2);
        loops.get(0).close();
        assertTrue(listener.isOpen());
        connect(2);
        pass(1);
        assertEquals(List.of(0, 2), admitted());
        loops.get(1).close();
        assertFalse(listener.isOpen());
        loops.clear();
    }

    @Test
    void handedOverWhileItDidNotWaitIsTakenWithoutWaiting() throws IOException {
        serve(2);
        works.get(1).untilDueNs = PassWork.NEVER;
        pass(1);
        connect(2);
        pass(0);
        pass(1);
        assertEquals(List.of(1, 1), admitted());
    }

    @Test
    void mailThatCameBeforeTheFlagIsSeenBeforeTheWait() throws IOException {
        serve(1);
        works.get(0).untilDueNs = PassWork.NEVER;
        pass(0);
        works.get(0).mail = true;
        pass(0);
        assertEquals(2, works.get(0).mailTurns);
    }

    @Test
    void handedOverWakesWhoWaits() throws Exception {
        serve(2);
        works.get(1).untilDueNs = PassWork.NEVER;
        pass(1);
        Thread waiting = new Thread(() -> {
            try {
                while (works.get(1).admitted.isEmpty()) {
                    pass(1);
                }
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        });
        // Nobody can connect, so only the hand-off can wake it.
        group.line(0).active(1);
        waiting.start();
        while (!group.waker(1).isRaised()) {
            Thread.sleep(1);
        }
        try (var accepted = ServerSocketChannel.open()) {
            accepted.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress address = (InetSocketAddress) accepted.getLocalAddress();
            peers.add(new Socket(address.getAddress(), address.getPort()));
            assertTrue(group.share(0).tryPass(accepted.accept(), nowNs));
        }
        waiting.join();
        assertEquals(List.of(0, 1), admitted());
    }

    @Test
    void doorIsOpenedAtTheBeginningAndClosedAsTheDrainBegins() throws IOException {
        open(1, true);
        List<String> told = new ArrayList<>();
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        Door door = new Door() {
            @Override
            public void open(Loop loop) throws IOException {
                told.add("open");
                loop.register(pipe.source(), SelectionKey.OP_READ,
                        (readable, writable) -> told.add("ready " + readable + writable));
            }

            @Override
            public void close() {
                told.add("close");
            }
        };
        loops.get(0).begin(List.of(door));
        pass(0);
        assertEquals(List.of("open"), told);
        pipe.sink().write(ByteBuffer.wrap(new byte[1]));
        pass(0);
        assertEquals(List.of("open", "ready truefalse"), told);
        pipe.source().close();
        pipe.sink().close();
        loops.get(0).requestStop();
        pass(0);
        loops.get(0).close();
        loops.clear();
        assertEquals(List.of("open", "ready truefalse", "close"), told, "closed once");
    }

    private final class TestClock implements Clock {
        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    }

    private final class Observer implements LoopObserver {
        @Override
        public void onAcceptFailed(int loop, String message) {
            throw new AssertionError("loop=" + loop + " " + message);
        }

        @Override
        public void onDrainCut(int loop, int connections, long boundNs) {
            throw new AssertionError("loop=" + loop + " cut " + connections);
        }

        @Override
        public void onStoodBack(int loop, long times) { }

        @Override
        public void onShared(int loop, long passed, long received) {
            observed.add("loop=" + loop + " passed=" + passed + " received=" + received);
        }
    }
}
