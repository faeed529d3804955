package kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RelayTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void carriesBytesBothWaysAndEachEndByItself() throws IOException {
        try (ServerSocket target = new ServerSocket(0, 5, HERE);
                Relay relay = Relay.to(target.getLocalPort());
                Socket client = new Socket(HERE, relay.port());
                Socket server = target.accept()) {
            client.getOutputStream().write('a');
            assertEquals('a', server.getInputStream().read());
            client.shutdownOutput();
            assertEquals(-1, server.getInputStream().read());
            server.getOutputStream().write('b');
            assertEquals('b', client.getInputStream().read());
            assertEquals(1, relay.carried());
        }
    }

    @Test
    void cutResetsWhoIsConnectedAndWhoConnectsUntilItIsMended() throws IOException {
        try (ServerSocket target = new ServerSocket(0, 5, HERE);
                Relay relay = Relay.to(target.getLocalPort());
                Socket client = new Socket(HERE, relay.port());
                Socket server = target.accept()) {
            relay.cut();
            assertThrows(IOException.class, () -> client.getInputStream().read());
            assertThrows(IOException.class, () -> server.getInputStream().read());
            try (Socket late = new Socket(HERE, relay.port())) {
                assertThrows(IOException.class, () -> late.getInputStream().read());
            }
            relay.mend();
            try (Socket again = new Socket(HERE, relay.port()); Socket taken = target.accept()) {
                again.getOutputStream().write('c');
                assertEquals('c', taken.getInputStream().read());
            }
        }
    }

    @Test
    void leadsWhoConnectsBehindATurnToAnotherPort() throws IOException {
        try (ServerSocket first = new ServerSocket(0, 5, HERE);
                ServerSocket second = new ServerSocket(0, 5, HERE);
                Relay relay = Relay.to(first.getLocalPort());
                Socket before = new Socket(HERE, relay.port());
                Socket taken = first.accept()) {
            relay.turnTo(second.getLocalPort());
            try (Socket behind = new Socket(HERE, relay.port()); Socket other = second.accept()) {
                behind.getOutputStream().write('b');
                assertEquals('b', other.getInputStream().read());
                before.getOutputStream().write('a');
                assertEquals('a', taken.getInputStream().read());
            }
        }
    }
}
