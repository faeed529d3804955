package m0.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/**
 * A bound, non-blocking listening socket and the address it stands for.
 *
 * <p>Threads: any. Owns: nothing once it is made; the loop closes the channel as it drains.
 */
final class Listener {
    /**
     * More than any kernel grants: each cuts it to its own limit, {@code net.core.somaxconn} on
     * Linux.
     */
    private static final int BACKLOG = 65_535;

    private final ServerSocketChannel channel;
    private final String url;

    private final InetSocketAddress address;

    private Listener(ServerSocketChannel channel, String url, InetSocketAddress address) {
        this.channel = channel;
        this.url = url;
        this.address = address;
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
            return new Listener(channel, url(address, bound), local);
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    static String url(ListenAddress address, long port) {
        return "http://" + address.urlHost() + ":" + port;
    }

    ServerSocketChannel channel() {
        return channel;
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
