package load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * One request on each connection, so many connections at a time: each connects, writes its request,
 * reads until the server closes, and makes room for the next.
 *
 * <p>The request must ask for the close. An answer that is not a 200, a connection that is refused
 * and one that stands still for five seconds fail the run.
 *
 * <p>Threads: the caller's alone.
 */
public final class Churn implements AutoCloseable {
    private static final long STALL_MS = 5_000;
    private static final int READ_BYTES = 16 * 1024;
    private static final byte[] STATUS = {'H', 'T', 'T', 'P', '/', '1', '.', '1', ' ', '2', '0', '0'};

    private final InetSocketAddress server;
    private final int atOnce;
    private final ByteBuffer request;
    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private long deadlineNs;
    private long done;
    private int open;

    public Churn(InetSocketAddress server, int atOnce, byte[] request) throws IOException {
        this.server = server;
        this.atOnce = atOnce;
        this.request = ByteBuffer.allocateDirect(request.length).put(request);
        this.selector = Selector.open();
    }

    /** Goes on for a time, then lets what is open end; connections a second. */
    public double perSecond(long durationNs) throws IOException {
        long startNs = System.nanoTime();
        deadlineNs = startNs + durationNs;
        done = 0;
        try {
            while (open < atOnce) {
                connect();
            }
            while (open > 0) {
                if (selector.select(this::onReady, STALL_MS) == 0) {
                    throw new IOException(open + " connections stood still for " + STALL_MS
                        + " ms");
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return done / ((System.nanoTime() - startNs) / (double) TimeUnit.SECONDS.toNanos(1));
    }

    /** Connections of the last turn. */
    public long done() {
        return done;
    }

    private void connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_CONNECT, new Exchange());
        channel.connect(server);
        open++;
    }

    private void onReady(SelectionKey key) {
        try {
            SocketChannel channel = (SocketChannel) key.channel();
            if (key.isConnectable()) {
                channel.finishConnect();
                request.clear();
                channel.write(request);
                if (request.hasRemaining()) {
                    throw new IOException("a request was not taken whole");
                }
                key.interestOps(SelectionKey.OP_READ);
            } else {
                read(channel, (Exchange) key.attachment());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(SocketChannel channel, Exchange exchange) throws IOException {
        in.clear();
        int count = channel.read(in);
        if (count >= 0) {
            exchange.take(in, count);
            return;
        }
        if (!exchange.answered()) {
            throw new IOException("closed after " + exchange.bytes + " bytes that are no 200");
        }
        channel.close();
        open--;
        done++;
        if (System.nanoTime() - deadlineNs < 0) {
            connect();
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    /** What has come on one connection. */
    private static final class Exchange {
        private int bytes;
        private boolean ok = true;

        void take(ByteBuffer read, int count) {
            for (int i = 0; i < count && bytes + i < STATUS.length; i++) {
                ok &= read.get(i) == STATUS[bytes + i];
            }
            bytes += count;
        }

        boolean answered() {
            return ok && bytes > STATUS.length;
        }
    }
}
