package m0.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** Whether somebody listens, seen from outside. */
final class Listening {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private Listening() {
    }

    /**
     * Returns once nobody does. A start that is refused waits a second for its loops and no longer,
     * and one whose thread the machine holds until then has the listener's key still.
     */
    static void awaitEnd(int port) throws IOException, InterruptedException {
        long sinceNs = System.nanoTime();
        while (isOn(port)) {
            assertTrue(System.nanoTime() - sinceNs < PATIENCE_NS, "somebody listens on " + port);
            Thread.sleep(10);
        }
    }

    private static boolean isOn(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
            return socket.isConnected();
        } catch (ConnectException nobody) {
            return false;
        }
    }
}
