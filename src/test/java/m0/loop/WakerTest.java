package m0.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WakerTest {
    private static final int ROUNDS = 50_000;
    private static final long ROUNDS_NS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final int LAST = -1;

    private final Waker waker = new Waker();
    private Selector selector;

    @BeforeEach
    void open() throws IOException {
        selector = Selector.open();
        waker.attach(selector);
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
    }

    @Test
    void wakesWhoIsAboutToWait() throws IOException {
        waker.raise();
        waker.wake();
        assertFalse(waker.isRaised(), "who found the flag up lowers it");
        selector.select();
    }

    @Test
    void leavesWhoDoesNotWaitAlone() throws IOException {
        waker.wake();
        assertEquals(0, selector.select(1), "nothing woke it");
        waker.raise();
        waker.lower();
        waker.wake();
        long startNs = System.nanoTime();
        selector.select(50);
        assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(40));
    }

    @Test
    void needsNoLoopYet() {
        new Waker().wake();
    }

    /**
     * A waiter that looks for work between the flag and the wait misses none: it would wait for
     * ever. On a machine where others have the cores fewer rounds fit into the time.
     */
    @Test
    void losesNoWakeUp() throws Exception {
        AtomicInteger work = new AtomicInteger();
        Thread sender = new Thread(() -> {
            long sinceNs = System.nanoTime();
            for (int round = 1; round <= ROUNDS; round++) {
                boolean isLast = round == ROUNDS || System.nanoTime() - sinceNs > ROUNDS_NS_MAX;
                work.lazySet(isLast ? LAST : round);
                waker.wake();
                while (work.get() != 0) {
                    Thread.onSpinWait();
                }
                if (isLast) {
                    return;
                }
            }
        });
        sender.start();
        int taken = 0;
        while (taken != LAST) {
            waker.raise();
            if (work.get() == 0) {
                selector.select();
            }
            waker.lower();
            taken = work.getAndSet(0);
        }
        sender.join();
        assertEquals(0, work.get());
    }
}
