package load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * One keep-alive connection and one request at a time, each timed.
 *
 * <p>An answer that is not a 200, that has another size or that does not come within twenty seconds
 * fails the run. Nothing is allocated per request.
 *
 * <p>Threads: the caller's alone. An interrupt ends the wait for an answer, as a failure.
 */
public final class Asker implements AutoCloseable {
    private static final long STALL_MS = 20_000;
    private static final int READ_BYTES = 16 * 1024;
    private static final byte[] STATUS = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

    private final Selector selector;
    private final SocketChannel channel;
    private final ByteBuffer request;
    private final int answerBytes;
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);

    /**
     * Connects.
     *
     * @param server      where to
     * @param request     the bytes of each request
     * @param answerBytes the size of each answer, head and body
     */
    public Asker(InetSocketAddress server, byte[] request, int answerBytes) throws IOException {
        this.request = ByteBuffer.allocateDirect(request.length).put(request);
        this.answerBytes = answerBytes;
        channel = SocketChannel.open();
        channel.connect(server);
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    /** Asks and takes the answer; nanoseconds from before the write to its last byte. */
    public long askNs() throws IOException {
        long startNs = System.nanoTime();
        send();
        return takeAnswer() - startNs;
    }

    /** Writes the request and returns; {@link #takeAnswer} must follow. */
    public void send() throws IOException {
        request.clear();
        channel.write(request);
        if (request.hasRemaining()) {
            throw new IOException("a request was not taken whole");
        }
    }

    /** Waits for the whole answer; when its last byte had come, as {@code System.nanoTime}. */
    public long takeAnswer() throws IOException {
        int bytes = 0;
        long stallNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STALL_MS);
        while (bytes < answerBytes) {
            selector.select(STALL_MS);
            selector.selectedKeys().clear();
            in.clear();
            int count = channel.read(in);
            if (count < 0) {
                throw new IOException("closed by the server after " + bytes + " bytes");
            }
            for (int i = 0; i < count && bytes + i < STATUS.length; i++) {
                if (in.get(i) != STATUS[bytes + i]) {
                    throw new IOException("an answer does not begin with HTTP/1.1 200");
                }
            }
            bytes += count;
            if (count == 0 && (Thread.interrupted() || System.nanoTime() - stallNs >= 0)) {
                throw new IOException("no answer, bytes due: " + (answerBytes - bytes));
            }
        }
        long nowNs = System.nanoTime();
        if (bytes > answerBytes) {
            throw new IOException((bytes - answerBytes) + " bytes more than the answer has");
        }
        return nowNs;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
