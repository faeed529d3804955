package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import m0.app.Published;
import m0.loop.PassWork;
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
    private ChildDoor door;
    private SteppedLoop loop;

    @BeforeEach
    void open() throws IOException {
        loop = new SteppedLoop();
        door = ChildDoor.make(parent, (channel, event, data) -> {
            published.add(channel + "=" + StandardCharsets.ISO_8859_1.decode(data.duplicate()));
            return new Published(published.size(), 1, 0, "");
        }, bus.source(0), loop, cutOff::add);
        loop.begin(door);
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
        loop.passes(3);
        loop.nowNs += 3_600_000 * MS;
        loop.passes(3);
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
        loop.passes(3);
        loop.nowNs += 9_999 * MS;
        child.write(ByteBuffer.wrap(FRAME, 5, 1));
        loop.passes(3);
        assertEquals(List.of(), cutOff);
        loop.nowNs += 1 * MS;
        assertEquals("cut published=0 a frame was not complete after 10000 ms\n", answer(child));
        assertEquals(List.of("a frame was not complete after 10000 ms"), cutOff);
    }

    @Test
    void theLoopComesBackForADeadlineByItself() throws IOException {
        SocketChannel child = connect();
        child.write(ByteBuffer.wrap(FRAME, 0, 5));
        loop.passes(3);
        assertEquals(10_000 * MS, door.runTimers(loop.nowNs));
        loop.nowNs += 4_000 * MS;
        child.write(ByteBuffer.wrap(FRAME, 5, FRAME.length - 5));
        child.write(ByteBuffer.wrap(FRAME, 0, 5));
        loop.passes(3);
        assertEquals(10_000 * MS, door.runTimers(loop.nowNs), "another frame has a time of its own");
        child.write(ByteBuffer.wrap(FRAME, 5, FRAME.length - 5));
        loop.passes(3);
        assertEquals(PassWork.NEVER, door.runTimers(loop.nowNs));
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
            loop.passes(2);
        }
        SocketChannel waiting = connect();
        waiting.write(ByteBuffer.wrap(FRAME));
        waiting.shutdownOutput();
        loop.passes(10);
        assertEquals(List.of(), published, "there was no room for it");
        held.get(0).close();
        assertEquals("ok published=1 first=1 last=1 refused=0\n", answer(waiting));
    }

    @Test
    void childrenAreReadByTurnsAndNotWhileTheRingHoldsWhatTheLastOneBrought() throws IOException {
        SocketChannel first = connect();
        SocketChannel second = connect();
        loop.passes(4);
        bus.publish("c", "", ByteBuffer.allocate(1));
        second.write(ByteBuffer.wrap(frame('2', "x")));
        loop.passes(2);
        first.write(ByteBuffer.wrap(frame('1', "x")));
        loop.passes(2);
        assertEquals(List.of(), published, "what is there must be taken first");
        assertEquals(0, door.runTimers(loop.nowNs));
        bus.source(0).poll(new FrameLog(), 1);
        loop.passes(2);
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
        loop.passes(3);
        loop.requestStop();
        loop.passes(3);
        assertFalse(Files.exists(door.socket().getParent()));
        assertEquals("cut published=1 the host is stopping\n", answer(child));
        assertEquals(List.of(), cutOff, "it did nothing wrong");
        assertThrows(IOException.class, this::connect);
    }

    @Test
    void filesOfADoorThatWasNeverOpenedAreTakenAwayToo() throws IOException {
        ChildDoor unused = ChildDoor.make(parent, null, null, loop, cutOff::add);
        assertTrue(Files.exists(unused.socket()));
        unused.removeFiles();
        unused.removeFiles();
        assertFalse(Files.exists(unused.socket().getParent()));
    }

    @Test
    void aDoorThatCannotBeMadeLeavesNothingBehind() throws IOException {
        Path deep = Files.createDirectories(parent.resolve("d".repeat(120)));
        assertThrows(IOException.class, () -> ChildDoor.make(deep, null, null, loop, cutOff::add));
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
            loop.passes(1);
        }
        return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
    }

    private static byte[] frame(char channel, String data) {
        int length = 3 + data.length();
        return ByteBuffer.allocate(4 + length).putInt(length).put((byte) 1).put((byte) 0)
                .put((byte) channel).put(data.getBytes(StandardCharsets.ISO_8859_1)).array();
    }
}
