package m0.bus;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes the loop of another process, by one byte through a socket that it watches.
 *
 * <p>Threads: any. Owns: a connection, made when it is first rung, and anew for a successor. It
 * never blocks: where the socket is full, bytes enough wait there already.
 */
final class Bell {
    private final UnixDomainSocketAddress address;
    /** No monitor: a virtual thread that waits for one holds its carrier. */
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private SocketChannel channel;

    Bell(Path socket) {
        address = UnixDomainSocketAddress.of(socket);
    }

    /** Where that worker's loop listens. */
    static Path socket(Path directory, int worker) {
        return directory.resolve("bell-" + worker);
    }

    /** Whether it was heard, or will be. */
    boolean ring() {
        lock.lock();
        try {
            return channel != null && write() || connect() && write();
        } finally {
            lock.unlock();
        }
    }

    private boolean write() {
        try {
            channel.write(one.clear());
            return true;
        } catch (IOException gone) {
            return drop();
        }
    }

    private boolean connect() {
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.configureBlocking(false);
            return channel.connect(address) || drop();
        } catch (IOException nobody) {
            return drop();
        }
    }

    /** The connection is of no more use. */
    private boolean drop() {
        SocketChannel dropped = channel;
        channel = null;
        if (dropped == null) {
            return false;
        }
        try {
            dropped.close();
        } catch (IOException failure) {
            // There was nothing more to be had from it.
            return false;
        }
        return false;
    }

    void close() {
        lock.lock();
        try {
            drop();
        } finally {
            lock.unlock();
        }
    }
}
