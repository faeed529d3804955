package kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketTableTest {

    @Test
    void whatIsReadIsToldFromWhatWaits() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                RawClient client = RawClient.connect("127.0.0.1", listener.getLocalPort(), 0)) {
            client.send("abc");
            int port = listener.getLocalPort();
            var awaiting = new Thread(() -> SocketTable.awaitTaken(port, client.localPort()));
            awaiting.start();
            awaiting.join(100);
            assertTrue(awaiting.isAlive(), "read before it was accepted");
            try (Socket accepted = listener.accept()) {
                assertEquals('a', accepted.getInputStream().read());
                awaiting.join(100);
                assertTrue(awaiting.isAlive(), "read with two bytes left");
                assertEquals(2, accepted.getInputStream().readNBytes(2).length);
                awaiting.join();
                assertFalse(awaiting.isAlive());
            }
        }
    }
}
