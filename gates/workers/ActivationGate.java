package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kit.Descriptors;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * E101: a listening socket that is descriptor 0 at the start is served as it is. Here the gate binds
 * it, and the shell that starts the server becomes it, as systemd does.
 */
@Gate
class ActivationGate {
    private static final List<Map<String, String>> MODES = List.of(Map.of(),
            Map.of("M0_THREADS", "2"), Map.of("M0_WORKERS", "2"));

    @Test
    void listeningSocketIsServedAsItIsByOneLoopByThreadsAndByWorkers() throws IOException {
        for (Map<String, String> mode : MODES) {
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                    ServerSocketChannel listening = bound();
                    ServerProcess server = plan(mode, taken.getLocalPort())
                            .stdin(Descriptors.of(listening)).start()) {
                int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
                assertEquals(port, server.port(), "the port of " + server.listeningLine());
                int loops = mode.isEmpty() ? 1 : 2;
                Fleet.closeAll(Seat.oneOnEach(server, loops));
                server.term();
                assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
                server.awaitNobodyLeft(Fleet.BOUND);
                if (loops == 2) {
                    assertTrue(server.stderr().contains("=0 passed=")
                            || server.stderr().contains("=0 stood_back="), "what is said behind the"
                            + " drain's end: " + server.stderr());
                }
            }
        }
    }

    @Test
    void theDoctorSaysTheSocketInThePlaceOfPortAndAddress() throws IOException {
        try (ServerSocketChannel listening = bound();
                ServerProcess doctor = plan(Map.of(), 0).args("--doctor")
                        .stdin(Descriptors.of(listening)).launch()) {
            int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
            assertEquals(0, doctor.awaitExit(Fleet.BOUND), doctor.stderr());
            for (String part : List.of("\"detail\":\"" + port + ", inherited as descriptor 0; M0_PORT",
                    "\"detail\":\"127.0.0.1, inherited as descriptor 0; M0_HOST")) {
                assertTrue(doctor.stdout().contains(part), part + " is not in " + doctor.stdout());
            }
            try (SocketChannel client = SocketChannel.open(listening.getLocalAddress());
                    SocketChannel accepted = listening.accept()) {
                assertTrue(client.isConnected() && accepted.isConnected(), "it listens on");
            }
        }
    }

    /** It is not ours to close: whoever holds it goes on listening, and what waits there waits on. */
    @Test
    void listeningSocketOutlivesTheServer() throws IOException {
        try (ServerSocketChannel listening = bound()) {
            int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
            try (ServerProcess server = plan(Map.of(), 0).stdin(Descriptors.of(listening))
                    .start()) {
                server.term();
                assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
            }
            try (RawClient waiting = RawClient.connect("127.0.0.1", port, 0);
                    ServerProcess next = plan(Map.of(), 0).stdin(Descriptors.of(listening))
                            .start()) {
                waiting.get("/health").expect(200);
                assertEquals(port, next.port());
            }
        }
    }

    /** As inetd starts who is to serve one connection: the host serves its own port, and leaves it. */
    @Test
    void connectedSocketIsLeftAlone() throws IOException {
        try (ServerSocketChannel listening = bound();
                SocketChannel client = SocketChannel.open(listening.getLocalAddress());
                SocketChannel connected = listening.accept();
                ServerProcess server = plan(Map.of(), 0).stdin(Descriptors.of(connected))
                        .start()) {
            int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
            assertTrue(server.port() != port, server.listeningLine());
            try (RawClient other = RawClient.connect(server)) {
                other.get("/health").expect(200);
            }
            client.write(ByteBuffer.wrap(RawClient.bytes("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")));
            client.configureBlocking(false);
            ServerProcess.pause(500);
            assertEquals(0, client.read(ByteBuffer.allocate(1)), "what its client reads");
            server.term();
            assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
        }
    }

    /** It would serve a port of its own, and whoever came to that socket would wait for ever. */
    @Test
    void listeningUnixSocketIsRefused() throws IOException {
        Path directory = Files.createTempDirectory("m0u");
        Path socket = directory.resolve("socket");
        try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(UnixDomainSocketAddress.of(socket));
            for (Map<String, String> mode : MODES) {
                expectRefusal(plan(mode, 0).stdin(Descriptors.of(listening)), "host: descriptor 0 is"
                        + " a listening Unix socket, and this host serves TCP alone"
                        + " (ListenStream=8080 or another port in the socket's unit)\n");
            }
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(directory);
        }
    }

    /** As systemd gives it to whoever is not started with StandardInput=socket. */
    @Test
    void socketOnDescriptorThreeIsRefused() {
        String refusal = "host: the socket was given as descriptor 3, and this host takes it as"
                + " descriptor 0 (StandardInput=socket in the service's unit)\n";
        for (Map<String, String> mode : MODES) {
            expectRefusal(plan(mode, 0).set("LISTEN_FDS", "1").shell("export LISTEN_PID=$$"),
                    refusal);
        }
    }

    /** Bound alone, or of a client that has reset it: the JDK takes it for one that listens. */
    @Test
    void socketThatDoesNotListenIsRefused() throws IOException {
        for (Map<String, String> mode : MODES) {
            try (SocketChannel idle = SocketChannel.open()
                    .bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0))) {
                // The host knows it by the kernel's words, which a locale may put otherwise.
                expectRefusal(plan(mode, 0).set("LC_ALL", "C").stdin(Descriptors.of(idle)),
                        "host: the socket that is descriptor 0 neither listens nor is connected"
                                + " (give it one that listens, or /dev/null to bind M0_PORT,"
                                + " --port)\n");
            }
        }
    }

    /** The first of them is accepted before any loop begins, and nobody may be lost by that. */
    @Test
    void whoWaitedBeforeTheStartIsServedInEveryMode() throws IOException {
        for (Map<String, String> mode : MODES) {
            try (ServerSocketChannel listening = bound();
                    RawClient first = waiting(listening);
                    RawClient second = waiting(listening);
                    RawClient third = waiting(listening);
                    ServerProcess server = plan(mode, 0).set("M0_HEADER_TIMEOUT_MS", "60000")
                            .stdin(Descriptors.of(listening)).start()) {
                for (RawClient client : List.of(first, second, third)) {
                    client.get("/health").expect(200);
                    client.get("/health").expect(200);
                }
                server.term();
                assertEquals(0, server.awaitExit(Fleet.BOUND), server.stderr());
            }
        }
    }

    private static RawClient waiting(ServerSocketChannel listening) throws IOException {
        int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
        return RawClient.connect("127.0.0.1", port, 0);
    }

    private static void expectRefusal(ServerProcess.Plan plan, String line) {
        try (ServerProcess server = plan.launch()) {
            ServerProcess.await("a refusal", Fleet.BOUND,
                    () -> !server.isAlive() || !server.listeningLine().isEmpty());
            assertEquals("", server.listeningLine(), "it listens elsewhere");
            assertEquals(78, server.awaitExit(Fleet.BOUND), server.stderr());
            assertEquals(line, server.stderr());
            server.awaitNobodyLeft(Fleet.BOUND);
        }
    }

    /** A process inherits what its parent was told; and systemd tells who has descriptor 0 as well. */
    @Test
    void whatIsSaidOfDescriptorThreeIsPassedOverWhereItDoesNotMatter() throws IOException {
        for (String process : new String[] {"1", ""}) {
            try (ServerProcess server = plan(Map.of(), 0).set("LISTEN_FDS", "1")
                    .set("LISTEN_PID", process).start();
                    RawClient client = RawClient.connect(server)) {
                client.get("/health").expect(200);
            }
        }
        for (Map<String, String> mode : MODES) {
            try (ServerSocketChannel listening = bound();
                    ServerProcess server = plan(mode, 0).set("LISTEN_FDS", "1")
                            .shell("export LISTEN_PID=$$").stdin(Descriptors.of(listening)).start()) {
                int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
                assertEquals(port, server.port(), server.listeningLine());
            }
        }
    }

    private static ServerSocketChannel bound() throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        return channel.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 128);
    }

    private static ServerProcess.Plan plan(Map<String, String> mode, int port) {
        ServerProcess.Plan plan =
                ServerProcess.app("host_check").set("M0_PORT", String.valueOf(port));
        mode.forEach(plan::set);
        return plan;
    }
}
