package m0.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Map;
import m0.bytes.GrowableBytes;

/**
 * {@code java -jar host.jar publish CHANNEL [--event NAME]}: publishes each line of stdin as one
 * event, by way of the host whose child this process is.
 *
 * <p>Threads: the caller's. Limits: lines of 64 KiB. Errors: an exit code and a line on stderr: 1
 * where the host is gone, cut this off, or some loop's ring was full; 2 for the command line; 78
 * outside a host.
 */
public final class PublishCommand {
    /** The word behind {@code host.jar}. */
    public static final String NAME = "publish";

    static final String USAGE = NAME + " CHANNEL [--event NAME], each line of stdin is an event";

    private static final int NAME_BYTES_MAX = 255;
    private static final int LINE_BYTES_MAX = 64 * 1024;
    private static final int READ_BYTES = 16 * 1024;
    private static final int FRAME_HEAD_BYTES = 6;
    private static final int FRAME_BYTES_MAX = FRAME_HEAD_BYTES + 2 * NAME_BYTES_MAX
            + LINE_BYTES_MAX;
    private static final int ANSWER_BYTES_MAX = 1024;
    private static final String HELP = "usage: java -jar host.jar " + USAGE + "\n\n"
            + "Publishes to the host whose child this process is (" + ChildPublishing.VARIABLE
            + ", which it has from\nHostContext.childEnvironment), and says on stderr what became"
            + " of the events.\n\nEnds with 0 all taken by every loop, 1 not all or the host is gone,"
            + " 2 unreadable command line,\n78 no host started it.\n";
    private static final String OK = "ok ";

    private final byte[] channel;
    private final byte[] event;
    private final PrintStream err;
    private final ByteBuffer out = ByteBuffer.allocate(2 * FRAME_BYTES_MAX);
    private final GrowableBytes line = new GrowableBytes(LINE_BYTES_MAX);
    private SocketChannel socket;
    private long lines;

    private PublishCommand(String channel, String event, PrintStream err) {
        this.channel = channel.getBytes(StandardCharsets.UTF_8);
        this.event = event.getBytes(StandardCharsets.UTF_8);
        this.err = err;
    }

    /**
     * Publishes until the input ends, or says how on {@code --help}; returns the exit code.
     *
     * @param args what follows the word {@code publish}
     */
    public static int run(String[] args, Map<String, String> environment, InputStream in,
            PrintStream out, PrintStream err) {
        String channel = null;
        String event = "";
        for (int index = 0; index < args.length; index++) {
            String word = args[index];
            if (word.equals("--help") || word.equals("-h")) {
                out.print(HELP);
                return ExitCode.SERVED;
            }
            if (word.equals("--event") && index + 1 < args.length) {
                event = args[++index];
            } else if (word.startsWith("--event=")) {
                event = word.substring("--event=".length());
            } else if (channel == null && !word.startsWith("-")) {
                channel = word;
            } else {
                return unreadable("unexpected argument " + Printable.text(word), err);
            }
        }
        if (channel == null) {
            return unreadable("no channel is named", err);
        }
        PublishCommand command = new PublishCommand(channel, event, err);
        if (command.channel.length > NAME_BYTES_MAX || command.event.length > NAME_BYTES_MAX) {
            return unreadable("a name has more than " + NAME_BYTES_MAX + " bytes", err);
        }
        String path = environment.get(ChildPublishing.VARIABLE);
        if (path == null) {
            err.println("publish: " + ChildPublishing.VARIABLE + " is not set (a host gives it to"
                    + " its children: HostContext.childEnvironment)");
            return ExitCode.REFUSED;
        }
        return command.publish(path, in);
    }

    private static int unreadable(String finding, PrintStream err) {
        err.println("publish: " + finding + " (" + USAGE + ")");
        return ExitCode.UNREADABLE;
    }

    private int publish(String path, InputStream in) {
        try (SocketChannel opened = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket = opened;
            socket.connect(UnixDomainSocketAddress.of(path));
            return sendAll(in) ? readAnswer() : ExitCode.FAILED;
        } catch (IOException | InvalidPathException gone) {
            err.println("publish: the host is gone: " + Failure.line(gone));
            return ExitCode.FAILED;
        }
    }

    /** Whether all of the input was sent, or the host has cut it short and says why. */
    private boolean sendAll(InputStream in) throws IOException {
        byte[] bytes = new byte[READ_BYTES];
        int count = in.read(bytes);
        while (count >= 0) {
            if (!takeLines(bytes, count)) {
                return false;
            }
            if (!flush()) {
                return true;
            }
            count = in.read(bytes);
        }
        if (line.length() > 0) {
            appendFrame();
        }
        if (flush()) {
            socket.shutdownOutput();
        }
        return true;
    }

    private boolean takeLines(byte[] bytes, int count) throws IOException {
        int from = 0;
        for (int index = 0; index < count; index++) {
            if (bytes[index] == '\n') {
                if (!takePart(bytes, from, index)) {
                    return false;
                }
                appendFrame();
                from = index + 1;
            }
        }
        return takePart(bytes, from, count);
    }

    private boolean takePart(byte[] bytes, int from, int to) throws IOException {
        if (line.length() + to - from > LINE_BYTES_MAX) {
            flush();
            err.println("publish: line " + (lines + 1) + " is longer than " + LINE_BYTES_MAX
                    + " bytes; those before it were sent");
            return false;
        }
        line.append(bytes, from, to - from);
        return true;
    }

    private void appendFrame() throws IOException {
        int data = line.length();
        if (data > 0 && line.array()[data - 1] == '\r') {
            data--;
        }
        if (out.remaining() < FRAME_BYTES_MAX) {
            flush();
        }
        out.putInt(2 + channel.length + event.length + data);
        out.put((byte) channel.length).put((byte) event.length).put(channel).put(event);
        out.put(line.array(), 0, data);
        line.clear();
        lines++;
    }

    /** Sends what is gathered; false if the host has closed, whose last line may still be there. */
    private boolean flush() {
        out.flip();
        try {
            while (out.hasRemaining()) {
                socket.write(out);
            }
            return true;
        } catch (IOException closed) {
            return false;
        } finally {
            out.clear();
        }
    }

    private int readAnswer() throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES_MAX);
        int count = socket.read(answer);
        while (count >= 0 && answer.hasRemaining()) {
            count = socket.read(answer);
        }
        String text = new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8)
                .strip();
        if (text.isEmpty()) {
            err.println("publish: the host is gone");
            return ExitCode.FAILED;
        }
        err.println("publish: " + Printable.text(text));
        return text.startsWith(OK) && text.endsWith(" refused=0") ? ExitCode.SERVED
                : ExitCode.FAILED;
    }
}
