package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** A31–A36, D6, F25: where the host listens, and what it says about it. */
@Gate
class ListenGate {
    private static final String V4 = "127.0.0.1";
    private static final String V6 = "::1";
    private static final int FIRST_PORT = 21_000;
    private static final int PORTS = 10_000;

    @Test
    void listeningLineNamesTheBoundPort() {
        try (ServerProcess server = ServerProcess.app("hello").start()) {
            assertTrue(Pattern.matches("host: listening on http://127\\.0\\.0\\.1:[1-9][0-9]* "
                    + "app=hello mode=single loops=1 pool=0 pid=" + server.pid(),
                    server.listeningLine()), server.listeningLine());
            assertEquals(1, server.stderr().lines().count(), server.stderr());
            assertServes(V4, server);
        }
    }

    /** Below those that the kernel gives to whoever names none; another program may have one. */
    @Test
    void listensOnAGivenPort() {
        int[] port = {FIRST_PORT + (int) (ProcessHandle.current().pid() % PORTS)};
        Rounds.play(5, () -> {
            port[0]++;
            Rounds.voidIf(RawClient.canConnect(V4, port[0]), "port " + port[0] + " is taken");
            try (ServerProcess server = ServerProcess.app("hello").unset("M0_PORT")
                    .args("--port", String.valueOf(port[0])).start()) {
                assertEquals(port[0], server.port());
            }
        });
    }

    @Test
    void anyIpv4AddressIsIpv4Alone() {
        Rounds.play(3, () -> {
            try (ServerProcess server = listening("0.0.0.0")) {
                assertEquals("0.0.0.0", server.address());
                assertServes(V4, server);
                expectNobodyAt(V6, server, "0.0.0.0 took IPv6");
            }
        });
    }

    @Test
    void oneIpv4AddressIsThatOneAlone() {
        Rounds.play(3, () -> {
            try (ServerProcess server = listening("127.0.0.2")) {
                assertServes("127.0.0.2", server);
                expectNobodyAt(V4, server, "127.0.0.2 took 127.0.0.1");
            }
        });
    }

    @Test
    void oneIpv6AddressIsThatOneAlone() {
        Rounds.play(3, () -> {
            try (ServerProcess server = listening("[::1]")) {
                assertEquals("[::1]", server.address());
                assertServes(V6, server);
                expectNobodyAt(V4, server, "[::1] took IPv4");
            }
        });
    }

    @Test
    void anyIpv6AddressIsBothFamilies() {
        try (ServerProcess server = listening("::")) {
            assertEquals("[::]", server.address());
            assertServes(V4, server);
            assertServes(V6, server);
        }
    }

    @Test
    void localhostIsTheLoopbackAlone() {
        Rounds.play(3, () -> {
            try (ServerProcess server = listening("localhost")) {
                assertEquals(V4, server.address());
                assertServes(V4, server);
                expectNobodyAt("127.0.0.2", server, "it took 127.0.0.2");
            }
        });
    }

    @Test
    void secondServerOnThePortFailsNamingTheAddress() {
        try (ServerProcess first = ServerProcess.app("hello").start()) {
            String port = String.valueOf(first.port());
            try (ServerProcess second = ServerProcess.app("hello").set("M0_PORT", port)
                    .launch()) {
                assertEquals(1, second.awaitExit(RawClient.WAIT));
                assertEquals("", second.listeningLine());
                assertEquals(1, second.stderr().lines().count(), second.stderr());
                assertTrue(second.stderr().startsWith("host: cannot listen on http://127.0.0.1:"
                        + port + ": "), second.stderr());
                assertServes(V4, first);
            }
        }
    }

    @Test
    void addressThatIsNotHereFailsNamingIt() {
        try (ServerProcess server = ServerProcess.app("hello").set("M0_HOST", "192.0.2.1")
                .launch()) {
            assertEquals(1, server.awaitExit(RawClient.WAIT));
            assertTrue(server.stderr().startsWith("host: cannot listen on http://192.0.2.1:0: "),
                    server.stderr());
        }
    }

    private static ServerProcess listening(String address) {
        return ServerProcess.app("hello").set("M0_HOST", address).start();
    }

    /** A server of another gate may have the port of an address that is not this one's. */
    private static void expectNobodyAt(String address, ServerProcess server, String taken) {
        Rounds.voidIf(RawClient.canConnect(address, server.port()), taken);
    }

    private static void assertServes(String address, ServerProcess server) {
        try (RawClient client = RawClient.connect(address, server.port(), 0)) {
            client.get("/health").expect(200);
        }
    }
}
