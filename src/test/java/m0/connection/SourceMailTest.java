package m0.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import m0.loop.WaitingLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class SourceMailTest {
    private final WaitingLoop loop = new WaitingLoop();
    private final SourceMail mail = new SourceMail(loop.waker());

    SourceMailTest() throws IOException { }

    @AfterEach
    void close() throws IOException {
        loop.close();
    }

    @Test
    void aSourceThatSpeaksWakesItsLoop() {
        loop.waitFromNow();
        assertTrue(loop.isWaiting());
        SourceWake wake = new SourceWake(mail, null);
        wake.run();
        assertFalse(loop.isWaiting(), "the loop waits beside a source that has something");
        assertFalse(mail.isEmpty());
        assertSame(wake, mail.poll());
        assertTrue(mail.isEmpty());
        assertNull(mail.poll());
    }

    /** A source may be told of by its writer and by whoever ends it. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void twoThatSpeakAtOnceForOneSourceLeaveOneEntry() throws Exception {
        for (int round = 0; round < 200; round++) {
            SourceWake wake = new SourceWake(mail, null);
            CyclicBarrier both = new CyclicBarrier(2);
            Thread other = new Thread(() -> speak(wake, both));
            other.start();
            speak(wake, both);
            other.join();
            assertSame(wake, mail.poll());
            assertNull(mail.poll(), "an entry of the second");
        }
    }

    private static void speak(SourceWake wake, CyclicBarrier both) {
        try {
            both.await();
        } catch (InterruptedException | BrokenBarrierException failure) {
            throw new IllegalStateException(failure);
        }
        wake.run();
    }

    @Test
    void whatIsPutWhileOthersAreTakenComesBehindThem() {
        SourceWake first = new SourceWake(mail, null);
        SourceWake second = new SourceWake(mail, null);
        SourceWake third = new SourceWake(mail, null);
        mail.put(first);
        mail.put(second);
        assertSame(first, mail.poll());
        mail.put(third);
        mail.put(first);
        assertSame(second, mail.poll(), "what was put before comes first");
        assertSame(third, mail.poll());
        assertSame(first, mail.poll());
        assertNull(mail.poll());
    }
}
