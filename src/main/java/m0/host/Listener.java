package m0.host;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A bound, non-blocking listening socket and the address it stands for: one that this process has
 * bound, or one that it was given as descriptor 0, by a supervisor or by socket activation.
 *
 * <p>One that was given is never closed: the JDK would send descriptors 0, 1 and 2 to
 * {@code /dev/null} with it, and all that is logged from then on.
 *
 * <p>Threads: any. Owns: what it has bound, until the loops close the channel as they drain.
 */
final class Listener {
    /**
     * More than any kernel grants: each cuts it to its own limit, {@code net.core.somaxconn} on
     * Linux.
     */
    private static final int BACKLOG = 65_535;

    /** What accept(2) says of a socket that does not listen, by EINVAL and nothing else. */
    private static final String NOT_LISTENING = "Invalid argument";

    private static final Path DESCRIPTOR_0 = Path.of("/proc/self/fd/0");

    private final ServerSocketChannel channel;
    private final boolean inherited;
    private final String url;
    private final InetSocketAddress address;
    /** Who waited when it was seen to listen, until a loop takes them. */
    private SocketChannel first;

    private Listener(ServerSocketChannel channel, boolean inherited, String url,
            InetSocketAddress address) {
        this.channel = channel;
        this.inherited = inherited;
        this.url = url;
        this.address = address;
    }

    /** Binds where the settings say. */
    static Listener bind(ServerConfig config) throws IOException {
        return bind(ListenAddress.read(config.text(Setting.HOST)),
                (int) config.number(Setting.PORT));
    }

    /**
     * Binds. The family is that of the address, so that {@code 0.0.0.0} takes no IPv6: a channel
     * opened without a family would listen on {@code ::} instead. Address reuse stays as the JDK
     * sets it for listeners: it lets a restart bind beside connections of the last run that still
     * wait, and never beside another listener.
     */
    static Listener bind(ListenAddress address, int port) throws IOException {
        ServerSocketChannel channel;
        try {
            channel = ServerSocketChannel.open(address.family());
        } catch (UnsupportedOperationException noSuchFamily) {
            throw new IOException("this machine has no " + address.family().name(), noSuchFamily);
        }
        try {
            channel.bind(new InetSocketAddress(address.address(), port), BACKLOG);
            channel.configureBlocking(false);
            InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
            int bound = local.getPort();
            return new Listener(channel, false, url(address, bound), local);
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    /**
     * The listening socket that this process was started with, or null.
     *
     * <p>A connected socket there, as inetd's children have it, is not ours and is left alone. Of a
     * listening one the JDK makes itself a copy; descriptor 0 is then closed, so that no child of
     * this process can hold the port.
     */
    static Listener inherited() throws IOException {
        InetSocketAddress local = given();
        if (local == null) {
            return null;
        }
        ServerSocketChannel channel = (ServerSocketChannel) System.inheritedChannel();
        channel.configureBlocking(false);
        new FileInputStream(FileDescriptor.in).close();
        return new Listener(channel, true, url(local), local);
    }

    /** The address of that socket, or null; nothing is done to it. */
    static InetSocketAddress given() throws IOException {
        return addressOfDescriptor0() instanceof InetSocketAddress local && local.getPort() != 0
                ? local : null;
    }

    private static SocketAddress addressOfDescriptor0() throws IOException {
        return isSocket() && System.inheritedChannel() instanceof ServerSocketChannel channel
                ? channel.getLocalAddress() : null;
    }

    /**
     * Why this process is not to bind a port of its own, or null: it was given a socket that it does
     * not serve, and whoever came to that one would wait for ever.
     */
    static Check refusal(Environment environment) throws IOException {
        if (addressOfDescriptor0() instanceof UnixDomainSocketAddress) {
            return Check.refuses("port", "descriptor 0 is a listening Unix socket, and this host"
                    + " serves TCP alone", "ListenStream=8080 or another port in the socket's unit");
        }
        return given() != null || !isActivated(environment) ? null
                : Check.refuses("port", "the socket was given as descriptor 3, and this host takes it"
                        + " as descriptor 0", "StandardInput=socket in the service's unit");
    }

    /** As systemd tells whom it starts, sd_listen_fds(3); what it told another may be inherited. */
    private static boolean isActivated(Environment environment) {
        String sockets = environment.value("LISTEN_FDS");
        String process = environment.value("LISTEN_PID");
        return sockets != null && SettingValue.isWithin(sockets, 1, Integer.MAX_VALUE)
                && ProcessId.own().equals(process);
    }

    /** Where Linux says it, so that an ordinary start loads nothing of the JDK's for it. */
    private static boolean isSocket() {
        try {
            return Files.readSymbolicLink(DESCRIPTOR_0).toString().startsWith("socket:");
        } catch (IOException closedOrNotLinux) {
            return !Files.exists(DESCRIPTOR_0.getParent());
        }
    }

    private static String url(InetSocketAddress local) {
        String host = local.getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + local.getPort();
    }

    static String url(ListenAddress address, long port) {
        return "http://" + address.urlHost() + ":" + port;
    }

    ServerSocketChannel channel() {
        return channel;
    }

    /** Whether it is never closed. */
    boolean isInherited() {
        return inherited;
    }

    /**
     * Sees that what was given listens: the JDK takes any socket without a peer for a listening one,
     * and the kernel tells the two apart by an accept alone. Before the loops take from it.
     */
    boolean isListening() {
        if (!inherited) {
            return true;
        }
        try {
            first = channel.accept();
            return true;
        } catch (IOException failure) {
            // Whatever else hinders an accept passes, and a loop that meets it says so and waits.
            return !NOT_LISTENING.equals(failure.getMessage());
        }
    }

    /** Who was accepted on the way, once, or null. */
    SocketChannel takeFirst() {
        SocketChannel taken = first;
        first = null;
        return taken;
    }

    /** Gives up what this process has bound, and who was accepted and not taken. */
    void close() throws IOException {
        if (first != null) {
            first.close();
        }
        if (!inherited) {
            channel.close();
        }
    }

    /**
     * Gives up what this process has bound and others hold as well: whoever comes from now on is
     * refused at once, where they would otherwise wait for the last of those processes to end, and
     * then be cut off.
     */
    void closeForAll() throws IOException, ReflectiveOperationException {
        if (inherited) {
            return;
        }
        try {
            DescriptorPassing.stopListening(channel);
        } finally {
            channel.close();
        }
    }

    /** {@code http://ADDRESS:PORT}, with the bound port. */
    String url() {
        return url;
    }

    int port() {
        return address.getPort();
    }

    /** The address it is bound to. */
    InetSocketAddress address() {
        return address;
    }
}
