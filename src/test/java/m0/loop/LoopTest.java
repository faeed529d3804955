package m0.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import m0.page.LoopLine;
import m0.page.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps one loop by hand over real sockets; a due timer keeps each select from waiting. */
class LoopTest {
    private static final long MS = 1_000_000L;

    private final Recorder work = new Recorder();
    private final StopWord stop = new StopWord();
    private final List<String> observed = new ArrayList<>();
    private final List<Long> passes = new ArrayList<>();
    private boolean passesWanted;
    private final List<Socket> peers = new ArrayList<>();
    private long nowNs = 1_000;
    private ServerSocketChannel listener;
    private LoopLine line;
    private Loop loop;

    @BeforeEach
    void open() throws IOException {
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        listener.configureBlocking(false);
        loop = newLoop(16);
    }

    private Loop newLoop(int acceptBatch) throws IOException {
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return nowNs;
            }

            @Override
            public long epochMillis() {
                return 0;
            }
        };
        LoopObserver observer = new LoopObserver() {
            @Override
            public void onAcceptFailed(int index, String message) {
                observed.add("accept " + message);
            }

            @Override
            public void onDrainCut(int index, int connections, long boundNs) {
                observed.add("cut " + connections + " after " + boundNs);
            }

            @Override
            public void onStoodBack(int loop, long times) { }

            @Override
            public void onShared(int index, long passed, long received) {
                observed.add("loop=" + index + " passed=" + passed + " received=" + received);
            }

            @Override
            public boolean wantsPasses() {
                return passesWanted;
            }

            @Override
            public void onPass(int index, long durationNs) {
                passes.add(durationNs);
            }
        };
        LoopGroup group = new LoopGroup(listener, Page.inMemory(1, 0), true);
        line = group.line(0);
        Loop made = new Loop(0, group, new LoopConfig(acceptBatch, 5_000_000_000L), work, clock,
                stop, observer);
        made.begin(List.of());
        return made;
    }

    @AfterEach
    void close() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
        loop.close();
        listener.close();
    }

    private Socket connect() throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        Socket peer = new Socket(address.getAddress(), address.getPort());
        peer.setSoTimeout(20_000);
        peers.add(peer);
        return peer;
    }

    private void connect(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            connect();
        }
    }

    /** Its deadlines count from then, so there must be a time before there is a connection. */
    @Test
    void whoWasAcceptedBeforeTheFirstPassIsItsFirst() throws IOException {
        connect();
        connect();
        loop.take(listener.accept());
        assertEquals(List.of("begin", "admit"), work.calls);
        loop.runPass();
        assertEquals(List.of("begin", "admit", "admit", "mail"), work.calls.subList(0, 4));
        assertEquals(2, work.admitted.size());
    }

    /** A loop may end by itself while somebody is about to tell it to. */
    @Test
    void aLoopThatHasEndedNeedNotBeTold() throws IOException {
        loop.close();
        loop.requestStop();
        assertTrue(stop.isDrainAsked());
    }

    /** An application that was interrupted says so again, as it should; a selector then spins. */
    @Test
    void anInterruptThatTheApplicationLeftIsCleared() throws IOException {
        loop.runPass();
        Thread.currentThread().interrupt();
        loop.runPass();
        assertFalse(Thread.interrupted(), "the flag is still up");
    }

    @Test
    void acceptsABatchAPass() throws IOException {
        connect(40);
        loop.runPass();
        assertEquals(16, work.admitted.size());
        loop.runPass();
        assertEquals(32, work.admitted.size());
        loop.runPass();
        assertEquals(40, work.admitted.size());
    }

    /** Of what the last pass took for something else, accepting gets half as much. */
    @Test
    void acceptsFurtherBatchesBehindAFullOneWhereThePassTookLong() throws IOException {
        work.admitNs = MS;
        connect(120);
        loop.runPass();
        assertEquals(16, work.admitted.size(), "nobody has waited yet");
        nowNs += 84 * MS;
        loop.runPass();
        assertEquals(16 + 64, work.admitted.size(), "for half of 100 ms, a batch begun is ended");
        nowNs += 20 * MS - 64 * MS;
        loop.runPass();
        assertEquals(16 + 64 + 16, work.admitted.size(), "10 ms are one batch");
    }

    @Test
    void acceptsFurtherBatchesForATenthOfASecondAtMost() throws IOException {
        connect(150);
        loop.runPass();
        nowNs += 5_000 * MS;
        work.admitNs = 2 * MS;
        loop.runPass();
        assertEquals(16 + 64, work.admitted.size(), "four batches of 32 ms");
    }

    @Test
    void acceptsOneBatchWhereNobodyWaitedBehindTheLast() throws IOException {
        connect(16);
        loop.runPass();
        loop.runPass();
        nowNs += 1_000 * MS;
        connect(60);
        loop.runPass();
        assertEquals(16 + 16, work.admitted.size());
    }

    @Test
    void looksAtHeldConnectionsBetweenTwoBatches() throws IOException {
        Socket held = connect();
        loop.runPass();
        connect(60);
        loop.runPass();
        nowNs += 1_000 * MS;
        // It is seen by a look that comes after the first batch of the pass, and by none before.
        work.whenAdmitting = () -> held.getOutputStream().write(1);
        work.calls.clear();
        loop.runPass();
        assertTrue(work.calls.contains("ready"), "it waits for the next pass: " + work.calls);
        assertEquals(1 + 16, work.calls.indexOf("ready"), "behind one batch: " + work.calls);
    }

    @Test
    void aStopThatIsSeenBetweenTwoBatchesIsTakenUpAtOnceByTheNextPass() throws IOException {
        connect(60);
        loop.runPass();
        nowNs += 1_000 * MS;
        work.whenAdmitting = loop::requestStop;
        work.dueNs = PassWork.NEVER;
        work.calls.clear();
        loop.runPass();
        assertEquals(32, work.admitted.size(), "it accepts on behind the stop");
        assertFalse(work.calls.contains("drain"));
        loop.runPass();
        assertTrue(work.calls.contains("drain"));
        assertEquals(60, work.admitted.size());
    }

    @Test
    void acceptsTheWholeBacklogWhenTheBatchIsOff() throws IOException {
        loop.close();
        open();
        loop = newLoop(0);
        connect(40);
        loop.runPass();
        assertEquals(40, work.admitted.size());
    }

    @Test
    void acceptsAfterTheEventsOfConnectionsAlreadyHeld() throws IOException {
        Socket first = connect();
        loop.runPass();
        first.getOutputStream().write(1);
        connect();
        work.calls.clear();
        loop.runPass();
        assertEquals(List.of("begin", "ready", "admit", "mail", "flush", "timers"), work.calls);
    }

    @Test
    void leavesTheBacklogAloneWithoutRoomAndComesBackForIt() throws IOException {
        work.room = 2;
        connect(3);
        loop.runPass();
        assertEquals(2, work.admitted.size());
        loop.runPass();
        assertEquals(2, work.admitted.size());
        work.room = 1;
        loop.runPass();
        loop.runPass();
        assertEquals(3, work.admitted.size());
    }

    @Test
    void readsWritesAndReportsTheEndOfASocket() throws IOException {
        Socket peer = connect();
        loop.runPass();
        Transport transport = work.admitted.get(0);
        ByteBuffer bytes = ByteBuffer.allocateDirect(16);
        assertEquals(0, transport.read(bytes));
        peer.getOutputStream().write(new byte[] {7, 8});
        loop.runPass();
        assertEquals(2, transport.read(bytes));
        bytes.flip();
        assertEquals(2, transport.write(bytes));
        assertEquals(7, peer.getInputStream().read());
        peer.shutdownOutput();
        loop.runPass();
        assertEquals(Transport.END, transport.read(ByteBuffer.allocate(1)));
        assertTrue(transport.shutdownOutput());
        assertEquals(8, peer.getInputStream().read());
        assertEquals(-1, peer.getInputStream().read());
        transport.close();
        assertEquals(Transport.FAILED, transport.read(ByteBuffer.allocate(1)));
        assertEquals(Transport.FAILED, transport.write(ByteBuffer.allocate(1)));
        transport.interest(true, true);
    }

    @Test
    void reportsNothingOfAConnectionWithoutInterest() throws IOException {
        Socket peer = connect();
        loop.runPass();
        work.admitted.get(0).interest(false, false);
        peer.getOutputStream().write(1);
        peer.shutdownOutput();
        work.calls.clear();
        loop.runPass();
        loop.runPass();
        assertFalse(work.calls.contains("ready"), work.calls.toString());
    }

    @Test
    void aStopServesThePassAdmitsTheBacklogAndClosesTheListener() throws IOException {
        Socket held = connect();
        loop.runPass();
        held.getOutputStream().write(1);
        connect(20);
        loop.requestStop();
        loop.requestStop();
        work.calls.clear();
        loop.runPass();
        assertEquals(List.of("begin", "ready", "drain"), work.calls.subList(0, 3));
        assertEquals(21, work.admitted.size());
        assertTrue(stop.asked());
        loop.runPass();
        assertThrows(IOException.class, this::connect);
        assertFalse(loop.isDone());
        work.drained = true;
        loop.runPass();
        assertTrue(loop.isDone());
        assertEquals(List.of(), observed);
    }

    @Test
    void aDrainIsCutAtItsBoundAndNotBefore() throws IOException {
        loop.requestStop();
        loop.runPass();
        nowNs += 4_999_999_999L;
        loop.runPass();
        assertFalse(loop.isDone());
        nowNs += 1;
        loop.runPass();
        assertTrue(loop.isDone());
        assertEquals(List.of("cut 9 after 5000000000"), observed);
    }

    @Test
    void aStopThatBringsABoundIsCutAtThatAndSaysIt() throws IOException {
        stop.boundDrain(1_000_000_000L);
        loop.requestStop();
        loop.runPass();
        nowNs += 1_000_000_000L;
        loop.runPass();
        assertEquals(List.of("cut 9 after 1000000000"), observed);
    }

    @Test
    void aDrainsBoundRunsFromWhenItWasAskedFor() throws IOException {
        loop.requestStop();
        nowNs += 3_000_000_000L;
        loop.requestStop();
        loop.runPass();
        nowNs += 2_000_000_000L;
        loop.runPass();
        assertTrue(loop.isDone());
    }

    @Test
    void tellsSinceWhenItIsInsideAPass() throws IOException {
        assertEquals(0, line.passSinceNs());
        loop.runPass();
        assertEquals(nowNs, work.passSinceInside);
        assertEquals(0, line.passSinceNs());
    }

    @Test
    void measuresWhatAPassWorkedWhereThatIsWanted() throws IOException {
        work.workNs = 700;
        loop.runPass();
        assertEquals(List.of(), passes);
        loop.close();
        passesWanted = true;
        open();
        loop.runPass();
        work.workNs = 20;
        loop.runPass();
        assertEquals(List.of(700L, 20L), passes);
    }

    @Test
    void aDrainComesBackForWhoFoundNoRoom() throws IOException {
        work.room = 2;
        connect(5);
        loop.requestStop();
        work.drained = true;
        loop.runPass();
        assertEquals(2, work.admitted.size());
        assertFalse(loop.isDone());
        work.room = 9;
        loop.runPass();
        assertEquals(5, work.admitted.size());
        assertTrue(loop.isDone());
    }

    /** Something that a peer or another thread does. */
    private interface Step {
        void run() throws IOException;
    }

    /** Notes what the loop asks, and keeps something due so that selects return. */
    private final class Recorder implements PassWork {
        final List<String> calls = new ArrayList<>();
        final List<Transport> admitted = new ArrayList<>();
        int room = Integer.MAX_VALUE;
        /** How long it takes to admit one. */
        long admitNs;
        /** Done once, while the next one is admitted. */
        Step whenAdmitting = () -> { };
        long dueNs;
        boolean drained;
        long passSinceInside;
        long workNs;

        @Override
        public void beginPass(long now) {
            calls.add("begin");
        }

        @Override
        public boolean hasRoom() {
            return room > 0;
        }

        @Override
        public ReadyWork admit(Transport transport) {
            calls.add("admit");
            room--;
            nowNs += admitNs;
            admitted.add(transport);
            Step step = whenAdmitting;
            whenAdmitting = () -> { };
            try {
                step.run();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            return (readable, writable) -> calls.add("ready");
        }

        @Override
        public int live() {
            return admitted.size();
        }

        @Override
        public boolean hasMail() {
            return false;
        }

        @Override
        public boolean runMail() {
            calls.add("mail");
            return false;
        }

        @Override
        public void flush() {
            calls.add("flush");
        }

        @Override
        public long runTimers() {
            calls.add("timers");
            passSinceInside = line.passSinceNs();
            nowNs += workNs;
            return dueNs;
        }

        @Override
        public void beginDrain() {
            calls.add("drain");
        }

        @Override
        public boolean isDrained() {
            return drained;
        }

        @Override
        public int closeAll() {
            return 9;
        }
    }
}
