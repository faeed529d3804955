package load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Keep-alive connections in a closed loop: each writes a burst of {@code depth} requests, waits
 * for exactly as many bytes as {@code depth} answers have, and writes the next.
 *
 * <p>One thread, one selector, one read and one write per burst, nothing allocated per request.
 * An answer that is not a 200, that has another size or that does not come within five seconds
 * fails the run: a figure never rests on answers that were wrong.
 *
 * <p>Threads: the caller's alone; it is the thread that drives.
 */
public final class ClosedLoop implements AutoCloseable {
    private static final int READ_BYTES = 64 * 1024;
    private static final long STALL_MS = 5_000;
    private static final long LATENCY_NS_MAX = TimeUnit.SECONDS.toNanos(10);
    /** {@code HTTP/1.1} and {@code  200} as the buffer's long and int. */
    private static final long PROTOCOL = 0x485454502F312E31L;
    private static final int STATUS_200 = 0x20323030;

    private final Selector selector;
    private final Connection[] connections;
    private final int depth;
    private final int burstBytes;
    private final ByteBuffer requests;
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private final Consumer<SelectionKey> onReady = this::onReady;

    private Histogram latencyNs;
    private long deadlineNs;
    private long burstsLeft;
    private long burstsDone;
    private int waiting;

    /**
     * Opens the connections.
     *
     * @param server      where to connect
     * @param count       how many connections
     * @param depth       requests in one write, 1 for no pipelining
     * @param request     the bytes of one request
     * @param answerBytes the size of one answer, head and body
     */
    public ClosedLoop(InetSocketAddress server, int count, int depth, byte[] request,
            int answerBytes) throws IOException {
        this.depth = depth;
        this.burstBytes = depth * answerBytes;
        this.requests = ByteBuffer.allocateDirect(depth * request.length);
        for (int i = 0; i < depth; i++) {
            requests.put(request);
        }
        this.selector = Selector.open();
        this.connections = new Connection[count];
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET);
            channel.connect(server);
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connections[i] = new Connection(channel);
            channel.register(selector, SelectionKey.OP_READ, connections[i]);
        }
    }

    /** Drives all connections for a time, then takes in the answers still due. */
    public Slice runFor(long durationNs) throws IOException {
        return run(durationNs, Long.MAX_VALUE);
    }

    /**
     * Drives all connections until exactly this many requests are answered.
     *
     * @param count a multiple of the depth
     */
    public Slice runRequests(long count) throws IOException {
        if (count % depth != 0) {
            throw new IllegalArgumentException("count=" + count + " depth=" + depth);
        }
        return run(TimeUnit.HOURS.toNanos(1), count / depth);
    }

    private Slice run(long durationNs, long bursts) throws IOException {
        latencyNs = new Histogram(LATENCY_NS_MAX, 3);
        burstsLeft = bursts;
        burstsDone = 0;
        waiting = 0;
        long startNs = System.nanoTime();
        deadlineNs = startNs + durationNs;
        try {
            for (Connection connection : connections) {
                sendOrRest(connection, System.nanoTime());
            }
            while (waiting > 0) {
                if (selector.select(onReady, STALL_MS) == 0) {
                    throw new IOException(waiting + " answers did not come in " + STALL_MS + " ms");
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new Slice(burstsDone * depth, System.nanoTime() - startNs, latencyNs);
    }

    private void onReady(SelectionKey key) {
        try {
            onReadable((Connection) key.attachment());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void onReadable(Connection connection) throws IOException {
        in.clear();
        int count = connection.channel.read(in);
        if (count < 0) {
            throw new IOException("closed by the server, bytes due: " + connection.bytesDue);
        }
        if (connection.bytesDue == burstBytes && !beginsWith200(count)) {
            throw new IOException("an answer does not begin with HTTP/1.1 200");
        }
        connection.bytesDue -= count;
        if (connection.bytesDue < 0) {
            throw new IOException(-connection.bytesDue + " bytes more than the answers have");
        }
        if (connection.bytesDue == 0) {
            long nowNs = System.nanoTime();
            latencyNs.recordValue(Math.min(nowNs - connection.sentNs, LATENCY_NS_MAX));
            burstsDone++;
            waiting--;
            sendOrRest(connection, nowNs);
        }
    }

    private boolean beginsWith200(int count) {
        return count >= 12 && in.getLong(0) == PROTOCOL && in.getInt(8) == STATUS_200;
    }

    private void sendOrRest(Connection connection, long nowNs) throws IOException {
        if (burstsLeft == 0 || nowNs - deadlineNs >= 0) {
            return;
        }
        burstsLeft--;
        waiting++;
        connection.sentNs = nowNs;
        connection.bytesDue = burstBytes;
        requests.clear();
        connection.channel.write(requests);
        if (requests.hasRemaining()) {
            throw new IOException("a burst of " + requests.limit() + " bytes was not taken whole");
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.channel.close();
        }
        selector.close();
    }

    private static final class Connection {
        private final SocketChannel channel;
        private long sentNs;
        private int bytesDue;

        private Connection(SocketChannel channel) {
            this.channel = channel;
        }
    }
}
