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

@Timeout(30)
class WakerTest {
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

    /** A waiter that looks for work between the flag and the wait misses none. */
    @Test
    void losesNoWakeUp() throws Exception {
        int rounds = 50_000;
        AtomicInteger work = new AtomicInteger();
        Thread sender = new Thread(() -> {
            for (int round = 1; round <= rounds; round++) {
                work.lazySet(round);
                waker.wake();
                while (work.get() != 0) {
                    Thread.onSpinWait();
                }
            }
        });
        sender.start();
        for (int done = 0; done < rounds;) {
            waker.raise();
            if (work.get() == 0) {
                selector.select();
            }
            waker.lower();
            if (work.getAndSet(0) != 0) {
                done++;
            }
        }
        sender.join();
        assertEquals(0, work.get());
    }
}
