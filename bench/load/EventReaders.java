package load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * So many event streams, all read to the end of a time, and the ids that came on each.
 *
 * <p>Threads: the caller's alone.
 */
public final class EventReaders implements AutoCloseable {
    private static final int READ_BYTES = 64 * 1024;
    private static final long WAIT_MS = 100;
    private static final byte[] ID = {'i', 'd', ':', ' '};
    private static final byte[] WORKER = {'X', '-', 'W', 'o', 'r', 'k', 'e', 'r', ':', ' '};

    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private final List<Stream> streams = new ArrayList<>();

    /** Connects one after the other, and asks each for the stream. */
    public EventReaders(InetSocketAddress server, int count, byte[] request) throws IOException {
        selector = Selector.open();
        for (int index = 0; index < count; index++) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET);
            channel.connect(server);
            channel.write(ByteBuffer.wrap(request));
            channel.configureBlocking(false);
            Stream stream = new Stream();
            streams.add(stream);
            channel.register(selector, SelectionKey.OP_READ, stream);
        }
    }

    /** Reads for so long. */
    public void read(long durationNs) throws IOException {
        long startNs = System.nanoTime();
        try {
            while (System.nanoTime() - startNs < durationNs) {
                selector.select(this::onReady, WAIT_MS);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void onReady(SelectionKey key) {
        try {
            in.clear();
            if (((SocketChannel) key.channel()).read(in) < 0) {
                throw new IOException("a stream has ended");
            }
            long nowNs = System.nanoTime();
            in.flip();
            ((Stream) key.attachment()).take(in, nowNs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<Stream> streams() {
        return streams;
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    /** What has come on one stream. */
    public static final class Stream {
        private final byte[] line = new byte[64];
        private int length;
        private int worker = -1;
        private long[] ids = new long[1024];
        private long[] atNs = new long[1024];
        private int count;

        /** Lines longer than any that matters here are cut. */
        private void take(ByteBuffer bytes, long nowNs) {
            while (bytes.hasRemaining()) {
                byte next = bytes.get();
                if (next == '\n') {
                    onLine(nowNs);
                    length = 0;
                } else if (length < line.length) {
                    line[length++] = next;
                }
            }
        }

        private void onLine(long nowNs) {
            if (begins(ID)) {
                if (count == ids.length) {
                    ids = Arrays.copyOf(ids, 2 * count);
                    atNs = Arrays.copyOf(atNs, 2 * count);
                }
                ids[count] = number(ID.length);
                atNs[count++] = nowNs;
            } else if (begins(WORKER)) {
                worker = (int) number(WORKER.length);
            }
        }

        private boolean begins(byte[] words) {
            return length > words.length
                && Arrays.equals(line, 0, words.length, words, 0, words.length);
        }

        private long number(int from) {
            long number = 0;
            for (int index = from; index < length && line[index] >= '0'; index++) {
                number = 10 * number + line[index] - '0';
            }
            return number;
        }

        /** The loop that holds it, or −1 where no head has come. */
        public int worker() {
            return worker;
        }

        /** Ids in the order in which they came. */
        public long[] ids() {
            return Arrays.copyOf(ids, count);
        }

        /** When event {@code index} came, on the clock of {@link System#nanoTime}. */
        public long atNs(int index) {
            return atNs[index];
        }
    }

    /** Milliseconds, of nanoseconds. */
    public static double ms(long ns) {
        return ns / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
