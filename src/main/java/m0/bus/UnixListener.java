package m0.bus;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import m0.loop.Loop;
import m0.loop.PassWork;

/**
 * A Unix socket of this user's alone, where a loop takes in who connects.
 *
 * <p>Threads: {@link #bind} and {@link #close} any, the rest the loop's. Owns: the socket; its file
 * is the caller's to take away. Errors: where the operating system has no descriptor for who comes,
 * or taking somebody in throws, accepting rests for {@value #REST_MS} ms.
 */
final class UnixListener {
    static final int REST_MS = 100;

    private static final long REST_NS = REST_MS * 1_000_000L;

    /** Takes in who has connected. */
    interface Reception {
        void admit(SocketChannel channel) throws IOException;
    }

    private final ServerSocketChannel server;
    private Reception reception;
    private SelectionKey key;
    private boolean wanted = true;
    /** Seen outside the timers, which alone know what time it is. */
    private boolean failed;
    private boolean resting;
    private long restUntilNs;

    private UnixListener(ServerSocketChannel server) {
        this.server = server;
    }

    /**
     * Binds to {@code file}, which must not be there; who connects waits until a loop watches.
     *
     * @throws IOException if it cannot; then the socket is closed, but its file may be there
     */
    static UnixListener bind(Path file) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(file));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            server.configureBlocking(false);
            return new UnixListener(server);
        } catch (IOException failure) {
            server.close();
            throw failure;
        }
    }

    /** That loop takes in who connects, from now on. */
    void watch(Loop loop, Reception by) throws IOException {
        reception = by;
        key = loop.register(server, SelectionKey.OP_ACCEPT, this::onConnect);
    }

    private void onConnect(boolean readable, boolean writable) {
        try {
            SocketChannel channel = server.accept();
            if (channel != null) {
                reception.admit(channel);
            }
        } catch (IOException refused) {
            // The key stays ready, so its interest must rest.
            failed = true;
            settleInterest();
        }
    }

    /** Whether who connects is taken in; where not, they wait. */
    void accepting(boolean more) {
        wanted = more;
        settleInterest();
    }

    private void settleInterest() {
        if (server.isOpen()) {
            key.interestOps(wanted && !failed && !resting ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    /**
     * Ends a rest whose time has come; once a pass.
     *
     * @return nanoseconds from {@code nowNs} to the end of a rest, or {@link PassWork#NEVER}
     */
    long runTimers(long nowNs) {
        if (failed) {
            failed = false;
            resting = true;
            restUntilNs = nowNs + REST_NS;
        }
        if (resting && restUntilNs - nowNs <= 0) {
            resting = false;
            settleInterest();
        }
        return resting ? restUntilNs - nowNs : PassWork.NEVER;
    }

    void close() throws IOException {
        server.close();
    }
}
