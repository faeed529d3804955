package m0.host;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import m0.bytes.GrowableBytes;

/**
 * One end of what a supervisor and a worker tell each other: lines of words over a Unix socket.
 *
 * <pre>
 *   worker                       supervisor
 *   hello INDEX PID   -------->
 *   armed             -------->                  its handlers exist
 *                     <--------  serve           all workers are armed
 *   refused REASON    -------->                  it is about to end with 78
 *                     <--------  stop            drain and go
 *   (end)             <------->  (end)           the other process is gone
 * </pre>
 *
 * <p>Threads: {@link #say} any; what is heard comes on a thread of its own, a daemon. Limits: a line
 * of {@value #LINE_BYTES_MAX} bytes, beyond which the line is cut off as the other's end is. Errors:
 * one that cannot be read or written is at its end.
 */
final class ControlLine {
    static final String HELLO = "hello";
    static final String ARMED = "armed";
    static final String REFUSED = "refused";
    static final String SERVE = "serve";
    static final String STOP = "stop";

    /** Stands between the lines of one reason; no control character, so it is said as it is. */
    private static final String BREAK = "\u2028";

    static final int LINE_BYTES_MAX = 16 * 1024;

    /** What is heard. */
    interface Hearer {
        void onLine(String line);

        /** Nothing more will come; once. */
        void onEnd();
    }

    private final SocketChannel channel;

    ControlLine(SocketChannel channel) {
        this.channel = channel;
    }

    static ControlLine connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new ControlLine(channel);
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    /** A reason of several lines, to be said as one. */
    static String joined(String first, List<String> below) {
        StringBuilder text = new StringBuilder(first.replace(BREAK, "?"));
        for (String line : below) {
            text.append(BREAK).append(line.replace(BREAK, "?"));
        }
        return text.toString();
    }

    /** The lines of a reason, one at least. */
    static List<String> parted(String reason) {
        return List.of(reason.split(BREAK, -1));
    }

    /** Begins to hear, on a thread of that name. */
    void hear(String threadName, Hearer hearer) {
        Thread thread = new Thread(() -> readLines(hearer), threadName);
        thread.setDaemon(true);
        thread.start();
    }

    private void readLines(Hearer hearer) {
        try {
            splitLines(hearer::onLine);
        } catch (IOException gone) {
            close();
        } finally {
            hearer.onEnd();
        }
    }

    private void splitLines(Consumer<String> lines) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1024);
        GrowableBytes line = new GrowableBytes();
        while (channel.read(bytes.clear()) >= 0) {
            bytes.flip();
            while (bytes.hasRemaining()) {
                byte next = bytes.get();
                if (next == '\n') {
                    lines.accept(new String(line.array(), 0, line.length(),
                            StandardCharsets.UTF_8));
                    line.clear();
                } else if (line.length() == LINE_BYTES_MAX) {
                    throw new IOException("a line of more than " + LINE_BYTES_MAX + " bytes");
                } else {
                    line.append(next);
                }
            }
        }
    }

    /** Says one line; false if the other is gone. What would end the line early is replaced. */
    synchronized boolean say(String line) {
        byte[] text = Printable.text(line).getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, LINE_BYTES_MAX);
        ByteBuffer bytes = ByteBuffer.allocate(length + 1).put(text, 0, length).put((byte) '\n');
        bytes.flip();
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException closedAnyway) {
            // A socket of this machine holds nothing back that a failed close could lose.
            return;
        }
    }
}
