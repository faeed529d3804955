package m0.bus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import m0.loop.Door;
import m0.loop.Loop;
import m0.loop.PassWork;

/**
 * Where siblings ring: a Unix socket that this worker's loop watches. What they send says nothing
 * but that it is time for a pass.
 *
 * <p>While it is open this worker reads its ring; before and afterwards nothing is offered to it.
 *
 * <p>Threads: the loop's. Owns: the socket and its file, which a predecessor may have left behind.
 * Limits: {@value #RINGERS_MAX} connections; who comes beyond is closed and comes again. Errors:
 * where the operating system has no descriptor, those who come wait.
 */
final class BellDoor implements Door {
    private static final int RINGERS_MAX = 1024;
    private static final long RETRY_NS = 10_000_000L;
    private static final int READ_BYTES = 64;

    private final SharedBus bus;
    private final Path socket;
    private final Bells bells;
    private final List<SocketChannel> ringers = new ArrayList<>();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
    private UnixListener listener;
    private Loop loop;

    BellDoor(SharedBus bus, Path socket, Bells bells) {
        this.bus = bus;
        this.socket = socket;
        this.bells = bells;
    }

    @Override
    public void open(Loop watching) throws IOException {
        loop = watching;
        Files.deleteIfExists(socket);
        listener = UnixListener.bind(socket);
        listener.watch(loop, this::admit);
        // Who looks for this worker from here on finds the bell.
        bus.startReading();
    }

    private void admit(SocketChannel channel) throws IOException {
        if (ringers.size() == RINGERS_MAX) {
            channel.close();
            return;
        }
        try {
            channel.configureBlocking(false);
            loop.register(channel, SelectionKey.OP_READ,
                    (readable, writable) -> onRing(channel));
        } catch (IOException gone) {
            channel.close();
            return;
        }
        ringers.add(channel);
    }

    /** That the pass has begun is all that was wanted. */
    private void onRing(SocketChannel channel) {
        int count;
        try {
            count = channel.read(bytes.clear());
        } catch (IOException gone) {
            count = -1;
        }
        if (count < 0) {
            ringers.remove(channel);
            close(channel);
        }
    }

    @Override
    public long runTimers(long nowNs) {
        long waitNs = bells.retry() ? RETRY_NS : PassWork.NEVER;
        return Math.min(waitNs, listener.runTimers(nowNs));
    }

    @Override
    public void close() {
        bus.stopReading();
        ringers.forEach(BellDoor::close);
        ringers.clear();
        if (listener == null) {
            return;
        }
        try {
            Files.deleteIfExists(socket);
            listener.close();
        } catch (IOException leftBehind) {
            // The supervisor takes the directory away with all that is in it.
            return;
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            // Its other end has seen to it.
            return;
        }
    }
}
