package m0.loop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/** A {@link Transport} over a non-blocking socket registered with the loop's selector. */
final class SocketTransport implements Transport {
    private static final int KEEPALIVE_PROBES = 3;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final InetSocketAddress remote;
    private final InetSocketAddress local;

    SocketTransport(SocketChannel channel, SelectionKey key) throws IOException {
        this.channel = channel;
        this.key = key;
        remote = (InetSocketAddress) channel.getRemoteAddress();
        local = (InetSocketAddress) channel.getLocalAddress();
    }

    @Override
    public int read(ByteBuffer into) {
        try {
            return channel.read(into);
        } catch (IOException reset) {
            return FAILED;
        }
    }

    @Override
    public int write(ByteBuffer from) {
        try {
            return channel.write(from);
        } catch (IOException reset) {
            return FAILED;
        }
    }

    @Override
    public long transfer(FileChannel file, long position, long count) {
        try {
            return file.transferTo(position, count, channel);
        } catch (IOException reset) {
            return FAILED;
        }
    }

    @Override
    public void interest(boolean read, boolean write) {
        int ops = (read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0);
        if (key.isValid() && key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    @Override
    public boolean shutdownOutput() {
        try {
            channel.shutdownOutput();
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public boolean keepAlive(int seconds) {
        try {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
                channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, seconds);
                channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, seconds);
                channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** The descriptor is given back by the next select, which flushes the cancelled key. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            key.cancel();
        }
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }
}
