package floor;

import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/**
 * A program that waits for SIGTERM and ends: what the end of a JVM takes by itself.
 *
 * <p>Its line has the form by which a server says that it is there, and a port that nobody asks for.
 */
public final class BareEnd {
    private BareEnd() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Signal.handle(new Signal("TERM"), signal -> asked.countDown());
        System.err.println("bare: listening on http://127.0.0.1:1");
        asked.await();
        System.exit(0);
    }
}
