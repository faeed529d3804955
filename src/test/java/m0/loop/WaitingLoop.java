package m0.loop;

import java.io.IOException;
import java.nio.channels.Selector;

/** A loop that does nothing but wait, for tests of those who wake one. */
public final class WaitingLoop implements AutoCloseable {
    private final Waker waker = new Waker();
    private final Selector selector;

    public WaitingLoop() throws IOException {
        selector = Selector.open();
        waker.attach(selector);
    }

    public Waker waker() {
        return waker;
    }

    /** From now on it waits, until somebody wakes it. */
    public void waitFromNow() {
        waker.raise();
    }

    /** Whether it waits, and nobody has woken it. */
    public boolean isWaiting() {
        return waker.isRaised();
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
