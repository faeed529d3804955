package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import m0.app.Published;
import m0.page.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** E24, E242, E243: workers in JVMs of their own, which are killed while they publish. */
@Timeout(300)
class SharedBusKillTest {
    private static final int WORKERS = 3;
    private static final int ROUNDS = 4;
    private static final int FRAMES = 20_000;
    /** So often a machine may hold a sibling up for two seconds that has the publishers' turn. */
    private static final int REFUSED_MAX = 3;
    private static final ByteBuffer SMALL = ByteBuffer.allocate(8);

    @TempDir
    Path directory;

    private final List<Process> peers = new ArrayList<>();
    private Page page;
    private BusWarden warden;

    @BeforeEach
    void make() throws IOException {
        page = Page.create(directory.resolve(Page.FILE), WORKERS, 0, 0);
        warden = BusWarden.create(directory, page, new int[0]);
    }

    @AfterEach
    void killPeers() throws IOException, InterruptedException {
        for (Process peer : peers) {
            kill(peer);
        }
        warden.close();
    }

    private Process peer(int worker, String order) throws IOException {
        Process peer = BusPeer.start(directory, WORKERS, worker, order);
        peers.add(peer);
        return peer;
    }

    private static void kill(Process peer) throws InterruptedException {
        peer.destroyForcibly();
        assertTrue(peer.waitFor(60, TimeUnit.SECONDS), "it does not die");
    }

    private static void go(Process peer) throws IOException {
        peer.getOutputStream().write('\n');
        peer.getOutputStream().flush();
    }

    /** Frames so few at a time that no ring is ever full. */
    @Test
    void idsAreContiguousForBothReadersWhoeverPublishes() throws Exception {
        Process peer = peer(1, BusPeer.TALK + " " + FRAMES + " " + 2 * FRAMES);
        BufferedReader said = BusPeer.said(peer);
        assertEquals("ready", said.readLine());
        try (ReaderLoop reader = new ReaderLoop(directory, WORKERS, 0, 0).start()) {
            go(peer);
            for (int count = 0; count < FRAMES; count++) {
                reader.publish(SMALL);
            }
            assertTrue(reader.awaitId(2 * FRAMES, 60_000), "it has " + reader.order.last);
            assertEquals("", reader.order.wrong);
            String own = "frames=" + reader.order.frames + " missing=" + reader.order.absent();
            assertEquals("frames=" + (2 * FRAMES - page.line(0).framesRefused()) + " missing="
                    + page.line(0).framesRefused(), own);
            String others = said.readLine();
            assertEquals("frames=" + (2 * FRAMES - page.line(1).framesRefused()) + " missing="
                    + page.line(1).framesRefused() + " last=" + number(others, "last") + " wrong="
                    + " refused=" + number(others, "refused"), others);
            assertTrue(reader.refused <= REFUSED_MAX, "refused " + reader.refused + " times");
            assertTrue(number(others, "refused") <= REFUSED_MAX, others);
        }
    }

    private static int number(String said, String name) {
        return Integer.parseInt(said.replaceAll(".* " + name + "=(\\d+).*", "$1"));
    }

    /** Nobody has marked it yet: its siblings find out by themselves. */
    @Test
    void aHolderThatWasKilledIsTakenOver() throws Exception {
        try (ReaderLoop reader = new ReaderLoop(directory, WORKERS, 0, 0).start();
                ReaderLoop other = new ReaderLoop(directory, WORKERS, 2, 0).start()) {
            reader.bus.publish("news", "beat", SMALL);
            Process peer = peer(1, BusPeer.HALF);
            assertEquals("inside", BusPeer.said(peer).readLine());
            kill(peer);
            Published published = reader.bus.publish("news", "beat", SMALL);
            assertEquals(3, published.id(), published.reason());
            assertTrue(reader.awaitId(3, 20_000) && other.awaitId(3, 20_000));
            assertEquals("3 of 3, 2 of 3 with 2 lost", reader.order.frames + " of "
                    + reader.order.last + ", " + other.order.frames + " of " + other.order.last
                    + " with " + other.order.lost + " lost");
            assertEquals("", reader.order.wrong + other.order.wrong);
            assertEquals(1, page.line(2).framesRefused());
        }
    }

    @Test
    void aHolderThatIsStoppedIsNotTakenOver() throws Exception {
        try (ReaderLoop reader = new ReaderLoop(directory, WORKERS, 0, 0).start()) {
            Process peer = peer(1, BusPeer.HALF);
            assertEquals("inside", BusPeer.said(peer).readLine());
            Published refused = reader.bus.publish("news", "beat", SMALL);
            assertEquals(0, refused.id());
            assertTrue(refused.reason().endsWith("held by worker 1"), refused.reason());
            kill(peer);
            warden.settle(1);
            assertEquals(2, reader.bus.publish("news", "beat", SMALL).id());
        }
    }

    /** A worker that publishes without a pause is killed and replaced, again and again. */
    @Test
    void siblingsOfAWorkerThatIsKilledWhilePublishingLoseNothingUntold() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (ReaderLoop reader = new ReaderLoop(directory, WORKERS, 0, 0).start()) {
            long before = 0;
            for (int round = 0; round < ROUNDS; round++) {
                Process peer = peer(1, BusPeer.STORM);
                assertEquals("ready", BusPeer.said(peer).readLine());
                go(peer);
                awaitLastId(before + 200);
                Thread.sleep(random.nextInt(200));
                assertTrue(reader.publish(SMALL).id() > before);
                kill(peer);
                warden.settle(1);
                Published published = reader.bus.publish("news", "mine", SMALL);
                assertTrue(published.id() > before + 200, published + " seed=" + seed);
                assertTrue(reader.awaitId(published.id(), 20_000), "round " + round
                        + ": the sibling has " + reader.order.last + " of " + published);
                assertEquals("", reader.order.wrong, "seed=" + seed);
                before = published.id();
            }
            assertTrue(reader.refused <= REFUSED_MAX, "refused " + reader.refused + " times in "
                    + ROUNDS + " rounds, seed=" + seed);
        }
    }

    /** A storm begins when its process is given the time. */
    private void awaitLastId(long id) throws InterruptedException {
        for (int look = 0; look < 12_000 && page.lastEventId() < id; look++) {
            Thread.sleep(5);
        }
        assertTrue(page.lastEventId() >= id, "it publishes nothing: " + page.lastEventId());
    }
}
