package streams;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.ServerProcess;

/**
 * Publishes as a child of the host does: through the door that host_check tells of, by the documented
 * frames or by the jar's own subcommand.
 */
public final class ChildPublisher implements AutoCloseable {
    static final String VARIABLE = "M0_INTERNAL_PUBLISH";

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Pattern TOLD =
            Pattern.compile("^host_check: child " + VARIABLE + "=(.+)$", Pattern.MULTILINE);

    private final SocketChannel socket;

    /** What the subcommand ended with. */
    public record Ended(int exit, String stderr) { }

    private ChildPublisher(SocketChannel socket) {
        this.socket = socket;
    }

    /** Where the door of that server is; it was started with {@code M0_HOSTCHECK_TELL_DOOR=1}. */
    public static Path door(ServerProcess server) {
        server.awaitStderr("host_check: child " + VARIABLE, BOUND);
        Matcher told = TOLD.matcher(server.stderr());
        if (!told.find()) {
            throw new AssertionError("no door was told: " + server.stderr());
        }
        return Path.of(told.group(1));
    }

    public static ChildPublisher connect(ServerProcess server) {
        try {
            SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
            socket.connect(UnixDomainSocketAddress.of(door(server)));
            return new ChildPublisher(socket);
        } catch (IOException failure) {
            throw new AssertionError("the door does not open: " + failure, failure);
        }
    }

    /** One frame: its length, two names' lengths, names, data. */
    static byte[] frame(String channel, String event, byte[] data) {
        byte[] channelBytes = channel.getBytes(StandardCharsets.UTF_8);
        byte[] eventBytes = event.getBytes(StandardCharsets.UTF_8);
        int length = 2 + channelBytes.length + eventBytes.length + data.length;
        return ByteBuffer.allocate(4 + length).putInt(length).put((byte) channelBytes.length)
                .put((byte) eventBytes.length).put(channelBytes).put(eventBytes).put(data).array();
    }

    public ChildPublisher send(String channel, String event, String data) {
        return send(frame(channel, event, data.getBytes(StandardCharsets.UTF_8)));
    }

    public ChildPublisher send(byte[] bytes) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        try {
            while (rest.hasRemaining()) {
                socket.write(rest);
            }
            return this;
        } catch (IOException failure) {
            throw new AssertionError("the host has closed: " + failure, failure);
        }
    }

    /** Ends the frames, and returns the host's line. */
    public String end() {
        try {
            socket.shutdownOutput();
            return answer();
        } catch (IOException failure) {
            throw new AssertionError("no answer: " + failure, failure);
        }
    }

    /** What the host says before it closes. */
    String answer() {
        ByteBuffer answer = ByteBuffer.allocate(1024);
        try {
            while (socket.read(answer) >= 0) {
                if (!answer.hasRemaining()) {
                    throw new AssertionError("an answer without end");
                }
            }
        } catch (IOException failure) {
            throw new AssertionError("no answer: " + failure, failure);
        }
        return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new AssertionError("closing: " + failure, failure);
        }
    }

    /** Runs {@code publish} from the jar; {@code door} may be null for a process of no host. */
    public static Ended run(Path door, String input, String... words) {
        List<String> command = new ArrayList<>(List.of(ServerProcess.java(), "-jar",
                ServerProcess.jar().toString(), "publish"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        // A file, since a child that ends at once takes nothing from a pipe any more.
        Path file = file(input);
        builder.redirectInput(file.toFile());
        builder.environment().remove(VARIABLE);
        if (door != null) {
            builder.environment().put(VARIABLE, door.toString());
        }
        try {
            Process child = builder.start();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            child.getErrorStream().transferTo(err);
            if (!child.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                child.destroyForcibly();
                throw new AssertionError("publish did not end: " + err);
            }
            Files.delete(file);
            return new Ended(child.exitValue(), err.toString(StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new AssertionError("publish: " + failure, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the gate was interrupted", interrupted);
        }
    }

    private static Path file(String text) {
        try {
            return Files.writeString(Files.createTempFile("m0g-publish", ".txt"), text);
        } catch (IOException failure) {
            throw new AssertionError("what is to be published: " + failure, failure);
        }
    }
}
