package floor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A server of one {@code Selector} loop that looks only for blank lines.
 *
 * <p>One read per ready event into one direct buffer; one canned answer for each blank line in
 * it, all answers of one read in one write. A request may end in any later read. It refuses
 * nothing, times nothing out and spins where a client stops reading: a floor, not a server.
 *
 * <p>Arguments: the port (0 for any free one) and the file that holds the answer.
 */
public final class BareSelector {
    private static final int READ_BYTES = 16 * 1024;
    private static final int ANSWERS_PER_WRITE = 512;

    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private final ByteBuffer out;
    private final int answerBytes;
    private final Selector selector;

    private BareSelector(byte[] answer, Selector selector) {
        this.answerBytes = answer.length;
        this.out = ByteBuffer.allocateDirect(answer.length * ANSWERS_PER_WRITE);
        while (out.hasRemaining()) {
            out.put(answer);
        }
        this.selector = selector;
    }

    public static void main(String[] arguments) throws IOException {
        Thread.currentThread().setName("bare-loop-0");
        Selector selector = Selector.open();
        // As ours does for an IPv4 address: the other kind of socket costs a little more.
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.INET);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(),
            Integer.parseInt(arguments[0])), 4096);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        BareSelector server = new BareSelector(Files.readAllBytes(Path.of(arguments[1])), selector);
        System.err.println("bare: listening on http://127.0.0.1:"
            + listener.socket().getLocalPort());
        // Made once: a method reference in the loop would be an object a pass.
        Consumer<SelectionKey> onReady = server::onReady;
        while (true) {
            selector.select(onReady);
        }
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.attachment() instanceof LineScan scan) {
                onReadable((SocketChannel) key.channel(), scan);
            } else {
                onAcceptable((ServerSocketChannel) key.channel());
            }
        } catch (IOException e) {
            System.err.println("bare: " + e);
            System.exit(1);
        }
    }

    private void onAcceptable(ServerSocketChannel listener) throws IOException {
        SocketChannel channel;
        while ((channel = listener.accept()) != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new LineScan());
        }
    }

    private void onReadable(SocketChannel channel, LineScan scan) throws IOException {
        in.clear();
        int count = channel.read(in);
        if (count < 0) {
            channel.close();
            return;
        }
        int answers = scan.blankLines(in, count);
        while (answers > 0) {
            int batch = Math.min(answers, ANSWERS_PER_WRITE);
            out.limit(batch * answerBytes).position(0);
            while (out.hasRemaining()) {
                channel.write(out);
            }
            answers -= batch;
        }
    }

    /** How far into its current line a connection is. */
    private static final class LineScan {
        private int lineBytes;

        /** The number of blank lines that end in the first {@code count} bytes of the buffer. */
        int blankLines(ByteBuffer bytes, int count) {
            int blank = 0;
            int line = lineBytes;
            for (int i = 0; i < count; i++) {
                if (bytes.get(i) != '\n') {
                    line++;
                } else {
                    // A line of one byte is the CR before this LF.
                    blank += line == 1 ? 1 : 0;
                    line = 0;
                }
            }
            lineBytes = line;
            return blank;
        }
    }
}
