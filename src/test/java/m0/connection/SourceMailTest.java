package m0.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import m0.loop.WaitingLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
