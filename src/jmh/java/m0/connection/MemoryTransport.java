package m0.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import m0.loop.Transport;

/** A peer that sends the same bytes at every second read and takes whatever it is sent. */
final class MemoryTransport implements Transport {
    private final byte[] sent;
    private final InetSocketAddress remote =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
    private boolean delivered;
    private long taken;

    MemoryTransport(byte[] sent) {
        this.sent = sent;
    }

    /** The next read brings the bytes again, the one after it nothing. */
    void refill() {
        delivered = false;
    }

    /** Bytes taken from the start. */
    long taken() {
        return taken;
    }

    @Override
    public int read(ByteBuffer into) {
        if (delivered) {
            return 0;
        }
        delivered = true;
        into.put(sent);
        return sent.length;
    }

    @Override
    public int write(ByteBuffer from) {
        int count = from.remaining();
        from.position(from.limit());
        taken += count;
        return count;
    }

    @Override
    public long transfer(FileChannel file, long position, long count) {
        throw new UnsupportedOperationException("no benchmark sends a file");
    }

    @Override
    public void interest(boolean read, boolean write) {
        if (write) {
            throw new IllegalStateException("everything was taken, and yet an answer is stuck");
        }
    }

    @Override
    public boolean shutdownOutput() {
        return true;
    }

    @Override
    public boolean keepAlive(int seconds) {
        return true;
    }

    @Override
    public void close() {
        throw new IllegalStateException("the connection was to stay open");
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public InetSocketAddress local() {
        return remote;
    }
}
