package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import m0.app.Published;
import m0.loop.Clock;
import m0.loop.Waker;
import m0.page.Page;
import m0.page.Page.ProducerState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** E24, E241, E243–E245: a bus of workers, each with mappings of its own, in one JVM. */
@Timeout(300)
class SharedBusTest {
    private static final int WORKERS = 3;
    private static final int COUNTERS = 4;
    private static final int GAUGE = 2;
    private static final ByteBuffer SMALL = ByteBuffer.allocate(8);
    private static final ByteBuffer LARGEST = ByteBuffer.allocate(64 * 1024);

    @TempDir
    Path directory;

    private Page page;
    private BusWarden warden;

    @BeforeEach
    void make() throws IOException {
        page = Page.create(directory.resolve(Page.FILE), WORKERS, COUNTERS, 0);
        warden = BusWarden.create(directory, page, new int[] {GAUGE});
    }

    @AfterEach
    void takeAway() throws IOException {
        warden.close();
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private SharedBus open(int worker) throws IOException {
        Page own = Page.open(directory.resolve(Page.FILE), WORKERS, COUNTERS, 0);
        return SharedBus.open(directory, own, worker, new Waker(), Clock.SYSTEM);
    }

    @Test
    void everyWorkerGetsEveryFrameWhoeverPublishes() throws IOException {
        SharedBus[] buses = {open(0), open(1), open(2)};
        for (SharedBus bus : buses) {
            bus.startReading();
        }
        for (int count = 1; count <= 9; count++) {
            assertEquals(new Published(count, 3, 0, ""), buses[count % 3].publish("news", "beat",
                    ByteBuffer.wrap(new byte[] {(byte) ('a' + count)})));
        }
        for (int worker = 0; worker < WORKERS; worker++) {
            FrameLog log = new FrameLog();
            assertEquals(9, buses[worker].source(worker).poll(log, 100));
            assertEquals("1 news/beat=b", log.entries.get(0), "worker " + worker);
            assertEquals("9 news/beat=j", log.entries.get(8));
        }
        assertEquals(9, page.lastEventId());
    }

    @Test
    void filesAreTheirOwnersAlone() throws Exception {
        SharedBus bus = open(0);
        try (ReaderLoop reader = reader(1)) {
            for (String file : List.of("page", "frames", "bell-1")) {
                assertEquals("rw-------", PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve(file))), file);
            }
            assertEquals(1, bus.publish("news", "", SMALL).taken(), "of one that reads");
        }
        assertFalse(Files.exists(directory.resolve("bell-1")), "it has left");
    }

    private ReaderLoop reader(int worker) throws IOException, InterruptedException {
        return new ReaderLoop(directory, WORKERS, worker, COUNTERS).start();
    }

    @Test
    void whoDoesNotReadIsNotOfferedAnything() throws IOException {
        SharedBus first = open(0);
        SharedBus second = open(1);
        assertEquals(new Published(1, 0, 0, ""), first.publish("news", "", SMALL));
        second.startReading();
        assertEquals(new Published(2, 1, 0, ""), first.publish("news", "", SMALL));
        FrameLog log = new FrameLog();
        second.source(1).poll(log, 10);
        assertEquals("lost 1", log.entries.get(0));
        assertTrue(log.entries.get(1).startsWith("2 news/"));
        second.stopReading();
        assertEquals(0, first.publish("news", "", SMALL).taken());
        assertEquals(0, page.line(1).framesRefused());
    }

    @Test
    void aFullRingRefusesForItsWorkerAloneAndIsCounted() throws IOException {
        SharedBus first = open(0);
        SharedBus second = open(1);
        first.startReading();
        second.startReading();
        Published published = first.publish("news", "", LARGEST);
        while (published.refused() == 0) {
            first.source(0).poll(new FrameLog(), 10);
            published = second.publish("news", "", LARGEST);
        }
        assertEquals("full: ring of loop 1", published.reason());
        assertEquals(1, published.taken());
        assertEquals(1, page.line(1).framesRefused());
        assertEquals(0, page.line(0).framesRefused());
        assertEquals(1, second.source(1).refused());
    }

    @Test
    void whatMayNotBePublishedTakesNoId() throws IOException {
        SharedBus bus = open(0);
        assertEquals("channels that begin with byte 0x01 are reserved",
                bus.publish("\u0001news", "", SMALL).reason());
        assertEquals(1, bus.publish("news", "", SMALL).id());
    }

    @Test
    void onlyTheOwnRingCanBeRead() throws IOException {
        SharedBus bus = open(1);
        assertThrows(IllegalArgumentException.class, () -> bus.source(0));
        assertThrows(IllegalArgumentException.class, () -> bus.doors(2));
    }

    @Test
    void aPageForOtherNumbersIsRefused() throws IOException {
        Page other = Page.create(directory.resolve("other"), WORKERS + 1, COUNTERS, 0);
        assertThrows(IOException.class,
                () -> SharedBus.open(directory, other, 0, new Waker(), Clock.SYSTEM));
        Files.delete(directory.resolve("other"));
    }

    @Test
    void aPublisherIsRefusedWhileASiblingThatLivesIsHeldInside() throws IOException {
        SharedBus bus = open(0);
        open(1);
        assertTrue(page.tryPublishing(0, page.seat(1).mark()));
        long startNs = System.nanoTime();
        Published refused = bus.publish("news", "", SMALL);
        assertEquals(0, refused.id());
        assertTrue(refused.reason().endsWith("it is held by worker 1"), refused.reason());
        long tookMs = (System.nanoTime() - startNs) / 1_000_000;
        assertTrue(tookMs >= 1900, "after " + tookMs + " ms");
        assertTrue(page.tryPublishing(page.seat(1).mark(), 0));
    }

    @Test
    void aWorkerThatHasEndedLeavesWhatItCountedAndNothingElse() throws IOException {
        open(0);
        SharedBus dead = open(1);
        dead.startReading();
        page.line(1).begin();
        page.line(1).enterPass(1);
        page.line(1).active(3);
        page.line(1).addPending(2);
        page.line(1).countTaken();
        page.counters(1).add(GAUGE, 7);
        page.counters(1).add(0, 5);
        page.producer(ProducerState.UP);
        warden.settle(1);
        assertTrue(page.line(1).hasLeft(), "a dead worker takes part in sharing");
        assertEquals(0, page.line(1).load());
        assertEquals(0, page.line(1).passSinceNs());
        assertEquals(1, page.line(1).taken(), "a total never falls");
        assertEquals(5, page.counters(1).get(0), "a counter never falls");
        assertEquals(0, page.counters(1).get(GAUGE), "it has none of these now");
        assertEquals(ProducerState.UP, page.producer(), "worker 0 has it");
        assertEquals(0, open(2).publish("news", "", SMALL).taken(),
                "a dead worker was offered a frame");
        warden.settle(0);
        assertEquals(ProducerState.DOWN, page.producer());
    }

    @Test
    void theWardenFreesThePublishersTurnAndTellsWhatWasLost() throws IOException {
        SharedBus first = open(0);
        first.startReading();
        open(1);
        first.publish("news", "", SMALL);
        page.tryPublishing(0, page.seat(1).mark());
        page.lastEventId(2);
        warden.settle(1);
        assertEquals(0, page.publishing());
        FrameLog log = new FrameLog();
        first.source(0).poll(log, 10);
        assertEquals("lost 2", log.entries.get(1));
        assertEquals(3, first.publish("news", "", SMALL).id());
    }

    @Test
    void aSuccessorGetsWhatComesAndNothingOld() throws IOException {
        SharedBus first = open(0);
        SharedBus second = open(1);
        second.startReading();
        first.publish("news", "old", SMALL);
        warden.settle(1);
        first.publish("news", "between", SMALL);
        SharedBus successor = open(1);
        successor.startReading();
        assertEquals(3, successor.publish("news", "new", SMALL).id());
        FrameLog log = new FrameLog();
        successor.source(1).poll(log, 10);
        assertEquals("lost 2", log.entries.get(0));
        assertTrue(log.entries.get(1).startsWith("3 news/new"));
        assertEquals(2, log.entries.size());
    }

    /** Each frame is published only once the last has been read: a lost one ends the round. */
    @Test
    void aLoopThatWaitsIsWokenByEveryFrameOfAnotherProcess() throws Exception {
        SharedBus bus = open(0);
        try (ReaderLoop reader = reader(1)) {
            for (int id = 1; id <= 1000; id++) {
                bus.publish("news", "beat", SMALL);
                assertTrue(reader.awaitId(id, 20_000), "frame " + id + " did not wake the loop");
            }
            assertEquals("", reader.order.wrong);
        }
    }

    /** A reader that looks once, as the contract has it, and then waits for its bell alone. */
    @Test
    void whatComesBetweenTheLookAndTheWaitRings() throws Exception {
        SharedBus publisher = open(0);
        SharedBus reading = open(1);
        FrameOrder order = new FrameOrder();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(directory.resolve("bell-1")));
            reading.startReading();
            Thread reader = new Thread(() -> readByBell(server, reading.source(1), order));
            reader.setDaemon(true);
            reader.start();
            Random gaps = new Random(7);
            for (int id = 1; id <= 300; id++) {
                LockSupport.parkNanos(gaps.nextInt(3_000_000));
                publisher.publish("news", "beat", SMALL);
                assertTrue(awaitId(order, id), "frame " + id + " lies beside a loop that waits");
            }
            publisher.publish("end", "", SMALL);
            reader.join(20_000);
            assertEquals("", order.wrong);
        }
    }

    private static void readByBell(ServerSocketChannel server, FrameSource source,
            FrameOrder order) {
        ByteBuffer one = ByteBuffer.allocate(1);
        SocketChannel bell = null;
        try {
            while (order.last <= 300) {
                source.poll(order, 64);
                if (source.isEmpty() && order.last <= 300) {
                    if (bell == null) {
                        bell = server.accept();
                    } else if (bell.read(one.clear()) < 0) {
                        return;
                    }
                }
            }
        } catch (IOException failure) {
            order.wrong = failure.toString();
        }
    }

    private static boolean awaitId(FrameOrder order, long id) {
        long endNs = System.nanoTime() + 20_000_000_000L;
        while (order.last < id && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(50_000);
        }
        return order.last >= id;
    }

    @Test
    void aSuccessorsBellIsRungThoughItsPredecessorsConnectionIsBroken() throws Exception {
        SharedBus bus = open(0);
        for (int round = 1; round <= 3; round++) {
            try (ReaderLoop reader = reader(1)) {
                bus.publish("news", "beat", SMALL);
                assertTrue(reader.awaitId(page.lastEventId(), 20_000), "round " + round);
                bus.publish("news", "beat", SMALL);
                assertTrue(reader.awaitId(page.lastEventId(), 20_000), "round " + round);
                assertEquals("", reader.order.wrong);
            }
            warden.settle(1);
        }
    }

    /** A publisher may be killed when it has lowered the flag and has not rung. */
    @Test
    void theWardenWakesWhoADeadPublisherDidNot() throws Exception {
        SharedBus bus = open(2);
        try (ReaderLoop reader = reader(1)) {
            reader.awaitWaiting();
            assertTrue(SharedRings.open(directory, page).ring(1).takeBell(), "it asks for no bell");
            bus.publish("news", "beat", SMALL);
            assertFalse(reader.awaitId(1, 300), "vacuous: it was woken all the same");
            warden.settle(2);
            assertTrue(reader.awaitId(1, 20_000), "nobody woke it");
        }
    }

    @Test
    void aBellThatCannotBeRungIsTriedAgainByTheRingersLoop() throws Exception {
        Path bell = directory.resolve("bell-1");
        Path aside = directory.resolve("aside");
        try (ReaderLoop ringing = reader(0); ReaderLoop reader = reader(1)) {
            reader.awaitWaiting();
            Files.move(bell, aside);
            ringing.bus.publish("news", "beat", SMALL);
            assertFalse(reader.awaitId(1, 300), "vacuous: the bell was rung");
            Files.move(aside, bell);
            assertTrue(reader.awaitId(1, 20_000), "nobody tried again");
        }
    }

    /** Not even a worker that is stopped, whose socket nobody empties. */
    @Test
    void aBellThatNobodyHearsHoldsNobody() throws Exception {
        SharedBus bus = open(0);
        SharedBus deaf = open(1);
        SharedBus mute = open(2);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(directory.resolve("bell-1")));
            deaf.startReading();
            mute.startReading();
            Thread ringer = new Thread(() -> {
                for (int count = 0; count < 2000; count++) {
                    deaf.source(1).isEmpty();
                    mute.source(2).isEmpty();
                    bus.publish("news", "beat", SMALL);
                }
            });
            ringer.setDaemon(true);
            ringer.start();
            ringer.join(20_000);
            assertFalse(ringer.isAlive(), "a bell holds who rings it");
            assertEquals(2000, page.lastEventId());
        }
    }
}
