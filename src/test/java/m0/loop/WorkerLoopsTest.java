package m0.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import m0.page.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps the loops of two workers by hand: a group of one loop each, over one page and listener. */
@Timeout(20)
class WorkerLoopsTest {
    private static final LoopConfig CONFIG = new LoopConfig(16, 5_000_000_000L);
    private static final long AWAY_NS = StandingBack.AWAY_MS * 1_000_000L;

    private final Page page = Page.inMemory(2, 0);
    private final List<Socket> peers = new ArrayList<>();
    private final List<CountedWork> works = List.of(new CountedWork(), new CountedWork());
    private final StopWord stop = new StopWord();
    private final List<Loop> loops = new ArrayList<>();
    private final List<String> observed = new ArrayList<>();
    private ServerSocketChannel listener;
    private long nowNs = 1_000;

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

    private final LoopObserver observer = new LoopObserver() {
        @Override
        public void onAcceptFailed(int loop, String message) { }

        @Override
        public void onDrainCut(int loop, int connections, long boundNs) { }

        @Override
        public void onShared(int loop, long passed, long received) {
            observed.add("shared " + loop);
        }

        @Override
        public void onStoodBack(int loop, long times) {
            observed.add("worker " + loop + " stood back " + times);
        }
    };

    @BeforeEach
    void begin() throws IOException {
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        listener.configureBlocking(false);
        for (int worker = 0; worker < 2; worker++) {
            LoopGroup group = new LoopGroup(listener, true, page, worker, 1, true);
            loops.add(new Loop(worker, group, CONFIG, works.get(worker), clock, stop, observer));
            loops.get(worker).begin(List.of());
        }
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

    private void connect(int count) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        for (int i = 0; i < count; i++) {
            peers.add(new Socket(address.getAddress(), address.getPort()));
        }
    }

    private List<Integer> admitted() {
        return works.stream().map(work -> work.admitted.size()).toList();
    }

    private void pass(int worker) throws IOException {
        loops.get(worker).runPass();
    }

    @Test
    void whoHasMoreLeavesTheNextToWhoHasLess() throws IOException {
        connect(1);
        pass(0);
        connect(1);
        pass(0);
        assertEquals(List.of(1, 0), admitted());
        pass(1);
        assertEquals(List.of(1, 1), admitted());
        assertEquals(1, page.line(0).stoodBack());
        assertEquals(0, page.line(1).stoodBack());
    }

    @Test
    void whatNobodyTakesIsTakenWhenItLooksAgain() throws IOException {
        connect(1);
        pass(0);
        connect(1);
        pass(0);
        nowNs += AWAY_NS - 1;
        pass(0);
        pass(0);
        assertEquals(List.of(1, 0), admitted(), "it looked again too soon");
        nowNs++;
        pass(0);
        pass(0);
        assertEquals(List.of(2, 0), admitted());
    }

    @Test
    void whoHasLookedAgainInVainStandsBackAnew() throws IOException {
        connect(1);
        pass(0);
        connect(1);
        pass(0);
        pass(1);
        connect(1);
        pass(0);
        nowNs += AWAY_NS;
        pass(1);
        assertEquals(List.of(1, 2), admitted());
        pass(0);
        pass(0);
        works.get(1).admitted.clear();
        page.line(1).active(0);
        connect(1);
        pass(0);
        assertEquals(List.of(1, 0), admitted(), "taken on the strength of having looked away");
        pass(1);
        assertEquals(List.of(1, 1), admitted());
    }

    /** What it took in now, and had sent nothing yet, it would close at once. */
    @Test
    void whoDrainsAloneLeavesTheBacklogToItsSibling() throws IOException {
        connect(2);
        loops.get(0).requestStop();
        pass(0);
        assertEquals(List.of(0, 0), admitted(), "taken in beside a sibling that serves");
        pass(1);
        assertEquals(List.of(0, 2), admitted());
    }

    @Test
    void theLastThatDrainsTakesTheBacklogIn() throws IOException {
        connect(2);
        loops.get(0).requestStop();
        loops.get(1).requestStop();
        pass(0);
        pass(1);
        assertEquals(List.of(0, 2), admitted());
    }

    @Test
    void whoDrainsBesideOneThatIsHeldTakesTheBacklogIn() throws IOException {
        page.line(1).enterPass(nowNs);
        nowNs += AcceptShare.STUCK_MS * 1_000_000L + 1;
        connect(2);
        loops.get(0).requestStop();
        pass(0);
        assertEquals(List.of(2, 0), admitted());
    }

    @Test
    void oneOfTwoLeavesTheListenerOpen() throws IOException {
        loops.get(0).requestStop();
        while (!loops.get(0).isDone()) {
            pass(0);
        }
        assertEquals(List.of("worker 0 stood back 0"), observed);
        assertTrue(listener.isOpen(), "an inherited listener was closed");
        connect(1);
        pass(1);
        assertEquals(List.of(0, 1), admitted());
        assertFalse(page.line(0).isServing());
    }
}
