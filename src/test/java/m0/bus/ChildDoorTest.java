package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import m0.app.Published;
import m0.loop.Clock;
import m0.loop.Loop;
import m0.loop.LoopConfig;
import m0.loop.LoopGroup;
import m0.loop.LoopObserver;
import m0.loop.PassWork;
import m0.loop.ReadyWork;
import m0.loop.StopWord;
import m0.loop.Transport;
import m0.loop.Waker;
import m0.page.Page;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The door over real sockets, its loop stepped by hand with a clock that the test moves. */
@Timeout(60)
class ChildDoorTest {
    private static final long MS = 1_000_000L;
    private static final byte[] FRAME = frame('c', "data");

    @TempDir
    Path parent;

    private final List<String> published = new ArrayList<>();
    private final List<String> cutOff = new ArrayList<>();
    private final List<SocketChannel> peers = new ArrayList<>();
    /** Stands for the loop's own ring, which no test of another thing ever fills. */
    private final Bus bus = new Bus(Page.inMemory(1, 0), Bus.RING_BYTES, List.of(new Waker()));
    private long nowNs = 1;
    private ChildDoor door;
    private Loop loop;

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

    @BeforeEach
    void open() throws IOException {
        door = ChildDoor.make(parent, (channel, event, data) -> {
            published.add(channel + "=" + StandardCharsets.ISO_8859_1.decode(data.duplicate()));
            return new Published(published.size(), 1, 0, "");
        }, bus.source(0), clock, cutOff::add);
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.configureBlocking(false);
        LoopGroup group = new LoopGroup(listener, Page.inMemory(1, 0), false);
        loop = new Loop(0, group, new LoopConfig(16, 1000 * MS), new NoWork(), clock,
                new StopWord(), new NoObserver());
        loop.begin(List.of(door));
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel peer : peers) {
            peer.close();
        }
        loop.close();
    }

    @Test
    void aChildPublishesAndIsToldWhatBecameOfIt() throws IOException {
        SocketChannel child = connect();
        child.write(ByteBuffer.wrap(FRAME));
        child.write(ByteBuffer.wrap(FRAME));
        child.shutdownOutput();
        assertEquals("ok published=2 first=1 last=2 refused=0\n", answer(child));
        assertEquals(List.of("c=data", "c=data"), published);
        assertEquals(List.of(), cutOff);
    }

    @Test
    void childrenThatSayNothingAreKept() throws IOException {
        SocketChannel child = connect();
        passes(3);
        nowNs += 3_600_000 * MS;
        passes(3);
        child.write(ByteBuffer.wrap(FRAME));
        child.shutdownOutput();
        assertEquals("ok published=1 first=1 last=1 refused=0\n", answer(child));
    }

    @Test
    void garbageIsCutOffAndTheOthersDoNotNotice() throws IOException {
        SocketChannel other = connect();
        SocketChannel child = connect();
        child.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes()));
        assertEquals("cut published=0 a frame's length is 1195725856, not 3 to 66048\n",
                answer(child));
        assertEquals(List.of("a frame's length is 1195725856, not 3 to 66048"), cutOff);
        other.write(ByteBuffer.wrap(FRAME));
        other.shutdownOutput();
        assertEquals("ok published=1 first=1 last=1 refused=0\n", answer(other));
    }

    @Test
    void aFrameThatDripsIsCutOffAtItsDeadlineAndNotBefore() throws IOException {
        SocketChannel child = connect();
        child.write(ByteBuffer.wrap(FRAME, 0, 5));
        passes(3);
        nowNs += 9_999 * MS;
        child.write(ByteBuffer.wrap(FRAME, 5, 1));
        passes(3);
        assertEquals(List.of(), cutOff);
        nowNs += 1 * MS;
        assertEquals("cut published=0 a frame was not complete after 10000 ms\n", answer(child));
        assertEquals(List.of("a frame was not complete after 10000 ms"), cutOff);
    }

    @Test
    void theLoopComesBackForADeadlineByItself() throws IOException {
        SocketChannel child = connect();
        child.write(ByteBuffer.wrap(FRAME, 0, 5));
        passes(3);
        assertEquals(10_000 * MS, door.runTimers(nowNs));
        nowNs += 4_000 * MS;
        child.write(ByteBuffer.wrap(FRAME, 5, FRAME.length - 5));
        child.write(ByteBuffer.wrap(FRAME, 0, 5));
        passes(3);
        assertEquals(10_000 * MS, door.runTimers(nowNs), "another frame has a time of its own");
        child.write(ByteBuffer.wrap(FRAME, 5, FRAME.length - 5));
        passes(3);
        assertEquals(PassWork.NEVER, door.runTimers(nowNs));
    }

    @Test
    void aChildThatEndsWithinAFrameIsTold() throws IOException {
        SocketChannel child = connect();
        child.write(ByteBuffer.wrap(FRAME, 0, FRAME.length - 1));
        child.shutdownOutput();
        assertEquals("cut published=0 it ended within a frame\n", answer(child));
        assertEquals(List.of("it ended within a frame"), cutOff);
    }

    @Test
    void childrenBeyondTheLimitWaitUntilOneHasEnded() throws IOException {
        List<SocketChannel> held = new ArrayList<>();
        for (int count = 0; count < ChildDoor.CHILDREN_MAX; count++) {
            held.add(connect());
            passes(2);
        }
        SocketChannel waiting = connect();
        waiting.write(ByteBuffer.wrap(FRAME));
        waiting.shutdownOutput();
        passes(10);
        assertEquals(List.of(), published, "there was no room for it");
        held.get(0).close();
        assertEquals("ok published=1 first=1 last=1 refused=0\n", answer(waiting));
    }

    @Test
    void childrenAreReadByTurnsAndNotWhileTheRingHoldsWhatTheLastOneBrought() throws IOException {
        SocketChannel first = connect();
        SocketChannel second = connect();
        passes(4);
        bus.publish("c", "", ByteBuffer.allocate(1));
        second.write(ByteBuffer.wrap(frame('2', "x")));
        passes(2);
        first.write(ByteBuffer.wrap(frame('1', "x")));
        passes(2);
        assertEquals(List.of(), published, "what is there must be taken first");
        assertEquals(0, door.runTimers(nowNs));
        bus.source(0).poll(new FrameLog(), 1);
        passes(2);
        assertEquals(List.of("2=x", "1=x"), published);
    }

    @Test
    void theDirectoryIsThisUsersAlone() throws IOException {
        Path directory = door.socket().getParent();
        assertEquals(parent, directory.getParent());
        assertEquals("rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
        assertEquals("rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(door.socket())));
    }

    @Test
    void aDrainTakesTheFilesAwayAndTellsTheChildren() throws IOException {
        SocketChannel child = connect();
        child.write(ByteBuffer.wrap(FRAME));
        passes(3);
        loop.requestStop();
        passes(3);
        assertFalse(Files.exists(door.socket().getParent()));
        assertEquals("cut published=1 the host is stopping\n", answer(child));
        assertEquals(List.of(), cutOff, "it did nothing wrong");
        assertThrows(IOException.class, this::connect);
    }

    @Test
    void filesOfADoorThatWasNeverOpenedAreTakenAwayToo() throws IOException {
        ChildDoor unused = ChildDoor.make(parent, null, null, clock, cutOff::add);
        assertTrue(Files.exists(unused.socket()));
        unused.removeFiles();
        unused.removeFiles();
        assertFalse(Files.exists(unused.socket().getParent()));
    }

    @Test
    void aDoorThatCannotBeMadeLeavesNothingBehind() throws IOException {
        Path deep = Files.createDirectories(parent.resolve("d".repeat(120)));
        assertThrows(IOException.class, () -> ChildDoor.make(deep, null, null, clock, cutOff::add));
        try (var left = Files.list(deep)) {
            assertEquals(0, left.count());
        }
    }

    private SocketChannel connect() throws IOException {
        SocketChannel peer = SocketChannel.open(StandardProtocolFamily.UNIX);
        peers.add(peer);
        peer.connect(UnixDomainSocketAddress.of(door.socket()));
        peer.configureBlocking(false);
        return peer;
    }

    /** Steps the loop until the child has its answer whole: everything is local, so that is soon. */
    private String answer(SocketChannel child) throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(1024);
        for (int count = 0; child.read(answer) >= 0; count++) {
            assertTrue(count < 10_000, "no answer came");
            passes(1);
        }
        return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
    }

    private void passes(int count) throws IOException {
        for (int pass = 0; pass < count && !loop.isDone(); pass++) {
            loop.runPass();
        }
    }

    private static byte[] frame(char channel, String data) {
        int length = 3 + data.length();
        return ByteBuffer.allocate(4 + length).putInt(length).put((byte) 1).put((byte) 0)
                .put((byte) channel).put(data.getBytes(StandardCharsets.ISO_8859_1)).array();
    }

    /** Nothing but a timer that is always due, so that no pass waits. */
    private static final class NoWork implements PassWork {
        @Override
        public void beginPass(long nowNs) { }

        @Override
        public boolean hasRoom() {
            return false;
        }

        @Override
        public ReadyWork admit(Transport transport) {
            throw new AssertionError("there is no room");
        }

        @Override
        public int live() {
            return 0;
        }

        @Override
        public boolean hasMail() {
            return false;
        }

        @Override
        public boolean runMail() {
            return false;
        }

        @Override
        public void flush() { }

        @Override
        public long runTimers() {
            return 0;
        }

        @Override
        public void beginDrain() { }

        @Override
        public boolean isDrained() {
            return true;
        }

        @Override
        public int closeAll() {
            return 0;
        }
    }

    private static final class NoObserver implements LoopObserver {
        @Override
        public void onAcceptFailed(int loop, String message) {
            throw new AssertionError(message);
        }

        @Override
        public void onDrainCut(int loop, int connections) {
            throw new AssertionError("nothing was held");
        }

        @Override
        public void onStoodBack(int loop, long times) { }

        @Override
        public void onShared(int loop, long passed, long received) {
            throw new AssertionError("it is alone");
        }
    }
}
