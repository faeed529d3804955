package m0.host;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;

/**
 * Where workers connect to their supervisor.
 *
 * <p>Threads: {@link #open} the supervising one, which is then told of each line on a thread of the
 * door. Owns: the socket, whose file goes with the directory it is in.
 */
final class ControlDoor implements AutoCloseable {
    private final ServerSocketChannel server;

    private ControlDoor(ServerSocketChannel server) {
        this.server = server;
    }

    /** Opens it, for this user alone. */
    static ControlDoor open(Path socket, Consumer<ControlLine> connected) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException failure) {
            server.close();
            throw failure;
        }
        ControlDoor door = new ControlDoor(server);
        Thread thread = new Thread(() -> door.accept(connected), "m0-control");
        thread.setDaemon(true);
        thread.start();
        return door;
    }

    private void accept(Consumer<ControlLine> connected) {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                connected.accept(new ControlLine(channel));
            } catch (IOException noDescriptorOrClosed) {
                pause();
            }
        }
    }

    /** For want of descriptors the next attempt would fail as well. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException nobodyInterruptsIt) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
