package kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A line between a client and a server that a gate can cut and mend.
 *
 * <p>It passes bytes on as they come. Once it is cut, every connection through it is reset, and
 * whoever connects is reset at once, until it is mended.
 *
 * <p>Threads: the gate's, any; it has one that accepts and two for each connection.
 */
public final class Relay implements AutoCloseable {

    private static final int BUFFER_BYTES = 16 * 1024;

    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger carried = new AtomicInteger();
    private volatile int targetPort;
    private volatile boolean cut;

    private Relay(ServerSocket listener, int targetPort) {
        this.listener = listener;
        this.targetPort = targetPort;
    }

    /** A relay to {@code targetPort} of 127.0.0.1, which need not be listening yet. */
    public static Relay to(int targetPort) {
        try {
            ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
            Relay relay = new Relay(listener, targetPort);
            daemon("relay-accept", relay::accept);
            return relay;
        } catch (IOException failure) {
            throw new AssertionError("a relay could not listen: " + failure, failure);
        }
    }

    /** The port that clients connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** How many connections it has carried to the server. */
    public int carried() {
        return carried.get();
    }

    /** Resets every connection, and whoever connects from now on. */
    public void cut() {
        cut = true;
        sockets.forEach(Relay::reset);
    }

    /** Whoever connects from now on is led to that port: a server's successor has another. */
    public void turnTo(int port) {
        targetPort = port;
    }

    /** Carries connections again. */
    public void mend() {
        cut = false;
    }

    @Override
    public void close() {
        cut();
        try {
            listener.close();
        } catch (IOException failure) {
            throw new AssertionError("closing a relay: " + failure, failure);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                carry(listener.accept());
            } catch (IOException closed) {
                // The listener's end is the loop's; a target that refuses is its client's.
                continue;
            }
        }
    }

    private void carry(Socket client) {
        sockets.add(client);
        if (cut) {
            reset(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getByName("127.0.0.1"), targetPort);
            sockets.add(server);
            // A cut that came meanwhile has not seen the second socket.
            if (cut) {
                reset(client);
                reset(server);
                return;
            }
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            carried.incrementAndGet();
            daemon("relay-up", () -> pass(client, server));
            daemon("relay-down", () -> pass(server, client));
        } catch (IOException refused) {
            reset(client);
        }
    }

    /** Passes on until {@code from} ends, then shuts the other side; a failure resets both. */
    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
            to.shutdownOutput();
        } catch (IOException broken) {
            reset(from);
            reset(to);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException alreadyClosed) {
            return;
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
