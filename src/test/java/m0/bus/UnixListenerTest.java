package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import m0.loop.Door;
import m0.loop.Loop;
import m0.loop.PassWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over a real socket, its loop stepped by hand with a clock that the test moves. */
@Timeout(60)
class UnixListenerTest {
    private static final long MS = 1_000_000L;

    @TempDir
    Path directory;

    private final List<SocketChannel> channels = new ArrayList<>();
    private int admitted;
    private boolean refusing;
    private SteppedLoop loop;
    private UnixListener listener;

    @BeforeEach
    void open() throws IOException {
        loop = new SteppedLoop();
        listener = UnixListener.bind(directory.resolve("socket"));
        loop.begin(new Door() {
            @Override
            public void open(Loop watching) throws IOException {
                listener.watch(watching, UnixListenerTest.this::admit);
            }

            @Override
            public long runTimers(long nowNs) {
                return listener.runTimers(nowNs);
            }

            @Override
            public void close() { }
        });
    }

    /** What a want of descriptors looks like from here: it throws, and nobody was taken in. */
    private void admit(SocketChannel channel) throws IOException {
        channels.add(channel);
        admitted++;
        if (refusing) {
            throw new IOException("Too many open files");
        }
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
        for (SocketChannel channel : channels) {
            channel.close();
        }
        loop.close();
    }

    @Test
    void acceptingRestsAfterARefusalAndNoLonger() throws IOException {
        refusing = true;
        connect();
        loop.passes(3);
        assertEquals(1, admitted);
        refusing = false;
        connect();
        loop.passes(3);
        assertEquals(1, admitted, "it does not rest");
        assertEquals(100 * MS, listener.runTimers(loop.nowNs));
        loop.nowNs += 100 * MS - 1;
        loop.passes(3);
        assertEquals(1, admitted, "it does not rest long enough");
        assertEquals(1, listener.runTimers(loop.nowNs));
        loop.nowNs += 1;
        loop.passes(3);
        assertEquals(2, admitted, "who came meanwhile is still waiting");
        assertEquals(PassWork.NEVER, listener.runTimers(loop.nowNs));
    }

    @Test
    void roomDoesNotEndARest() throws IOException {
        refusing = true;
        connect();
        loop.passes(3);
        connect();
        listener.accepting(true);
        loop.passes(3);
        assertEquals(1, admitted);
    }

    @Test
    void theEndOfARestIsNoRoom() throws IOException {
        refusing = true;
        connect();
        loop.passes(3);
        listener.accepting(false);
        refusing = false;
        connect();
        loop.nowNs += 100 * MS;
        loop.passes(3);
        assertEquals(1, admitted);
        listener.accepting(true);
        loop.passes(3);
        assertEquals(2, admitted);
    }

    @Test
    void aFileThatIsThereIsNotTakenOver() {
        assertThrows(IOException.class, () -> UnixListener.bind(directory.resolve("socket")));
    }

    private void connect() throws IOException {
        SocketChannel peer = SocketChannel.open(StandardProtocolFamily.UNIX);
        channels.add(peer);
        peer.connect(UnixDomainSocketAddress.of(directory.resolve("socket")));
    }
}
