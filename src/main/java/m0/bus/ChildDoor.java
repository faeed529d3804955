package m0.bus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import m0.app.Publisher;
import m0.loop.Clock;
import m0.loop.Door;
import m0.loop.Loop;
import m0.loop.PassWork;

/**
 * The door through which child processes publish: a Unix socket in a directory that only this user
 * can enter, watched by one loop, which publishes for them.
 *
 * <p>A child connects, sends frames ({@link ChildFrames}), shuts its writing side and reads one line
 * that says what became of them.
 *
 * <p>Threads: {@link #make} and {@link #removeFiles} any, the rest the loop's. Owns: socket and
 * directory, which are gone when the drain begins or the process ends in order.
 *
 * <p>Limits: {@value #CHILDREN_MAX} children, the others wait to be accepted; reads of
 * {@value #READ_BYTES} bytes, by turns, and none while the loop's own ring holds what the last one
 * brought: so a child that sends without a pause neither holds the loop nor fills that ring;
 * {@value #FRAME_MS_MAX} ms for a frame that has begun. Errors: a child that sends what is no frame, or too slowly, is told why, closed, and told
 * to the observer; the others do not notice.
 */
public final class ChildDoor implements Door {
    static final int CHILDREN_MAX = 64;
    static final int READ_BYTES = 16 * 1024;
    static final int FRAME_MS_MAX = 10_000;

    private static final String SOCKET = "publish";

    private final Path directory;
    private final UnixListener listener;
    private final Publisher publisher;
    private final FrameSource ring;
    private final Clock clock;
    private final ChildObserver observer;
    private final List<ChildConnection> children = new ArrayList<>();
    /** Children that have sent something, each once, in the order in which they are read. */
    private final ArrayDeque<ChildConnection> readable = new ArrayDeque<>();
    /** Made when the first child comes. */
    private ByteBuffer buffer;
    private Loop loop;

    private ChildDoor(Path directory, UnixListener listener, Publisher publisher, FrameSource ring,
            Clock clock, ChildObserver observer) {
        this.directory = directory;
        this.listener = listener;
        this.publisher = publisher;
        this.ring = ring;
        this.clock = clock;
        this.observer = observer;
    }

    /**
     * Makes directory and socket below {@code parent}; who connects waits until a loop opens it.
     *
     * @param ring of the loop that will
     * @throws IOException if it cannot; then nothing is left behind
     */
    public static ChildDoor make(Path parent, Publisher publisher, FrameSource ring, Clock clock,
            ChildObserver observer) throws IOException {
        Path directory = Files.createTempDirectory(parent, "m0-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            return new ChildDoor(directory, UnixListener.bind(directory.resolve(SOCKET)), publisher,
                    ring, clock, observer);
        } catch (IOException failure) {
            delete(directory);
            throw failure;
        }
    }

    /** Where children connect. */
    public Path socket() {
        return directory.resolve(SOCKET);
    }

    @Override
    public void open(Loop watching) throws IOException {
        loop = watching;
        listener.watch(loop, this::admit);
    }

    private void admit(SocketChannel channel) throws IOException {
        if (buffer == null) {
            buffer = ByteBuffer.allocateDirect(READ_BYTES);
        }
        ChildConnection child = new ChildConnection(this, channel, new ChildFrames(publisher));
        try {
            channel.configureBlocking(false);
            loop.register(channel, SelectionKey.OP_READ, child);
        } catch (IOException gone) {
            channel.close();
            return;
        }
        children.add(child);
        listener.accepting(children.size() < CHILDREN_MAX);
    }

    /** A child has sent something. */
    void queue(ChildConnection child) {
        readable.addLast(child);
    }

    @Override
    public long runTimers(long nowNs) {
        while (!readable.isEmpty() && ring.isEmpty()) {
            readable.pollFirst().read();
        }
        long waitNs = Math.min(listener.runTimers(nowNs),
                readable.isEmpty() ? PassWork.NEVER : 0);
        for (int index = children.size() - 1; index >= 0; index--) {
            waitNs = Math.min(waitNs, children.get(index).runTimer(nowNs));
        }
        return waitNs;
    }

    /** The bytes that one read may bring, for whoever reads now. */
    ByteBuffer emptyBuffer() {
        return buffer.clear();
    }

    long nowNs() {
        return clock.nanoTime();
    }

    ChildObserver observer() {
        return observer;
    }

    /** A child has closed its channel. */
    void release(ChildConnection child) {
        children.remove(child);
        readable.remove(child);
        listener.accepting(children.size() < CHILDREN_MAX);
    }

    /** Ends with the drain's beginning: what children still send is not published. */
    @Override
    public void close() {
        closeUnopened();
        while (!children.isEmpty()) {
            children.get(children.size() - 1).stop();
        }
    }

    /** The same for a door that no loop has opened, or will. */
    public void closeUnopened() {
        removeFiles();
        try {
            listener.close();
        } catch (IOException failure) {
            observer.onChildCutOff("the door could not be closed: " + failure.getMessage());
        }
    }

    /** Takes socket and directory away, so that nobody finds them. Any thread, any number of times. */
    public void removeFiles() {
        delete(directory);
    }

    private static void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(SOCKET));
            Files.deleteIfExists(directory);
        } catch (IOException leftBehind) {
            // Somebody put another file there: it is not ours to take away, and nothing waits for it.
            return;
        }
    }
}
