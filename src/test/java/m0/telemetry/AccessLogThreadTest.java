package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import m0.connection.ExchangeRecords;
import m0.loop.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AccessLogThreadTest {
    private static final String LATE = "host: access log was not written within 1000 ms and its"
            + " last records are lost (read stdout faster)\n";

    private final Said said = new Said();

    /**
     * Many short lives, so that close finds the writer at work, pausing and not yet started. One
     * that stands still for as long as close waits is late, and writes them all none the less.
     */
    @Test
    void closeWritesWhatTheRingHolds() throws InterruptedException {
        int late = 0;
        for (int round = 0; round < 50; round++) {
            var out = new ByteArrayOutputStream();
            var log = new AccessLog(said.log, Clock.SYSTEM, out, 1);
            AccessLogThread thread = AccessLogThread.start(log, Clock.SYSTEM);
            int records = 1 + round * round;
            for (int index = 0; index < records; index++) {
                log.onExchange(ExchangeRecords.answered("GET", "/" + index));
            }
            thread.close();
            late += said.text().length() > late * LATE.length() ? 1 : 0;
            thread.join(20_000);
            assertFalse(thread.isAlive());
            assertEquals(records, out.toString(StandardCharsets.UTF_8).lines().count(),
                    "lines of records that the ring held");
        }
        assertEquals(LATE.repeat(late), said.text());
        assertTrue(late < 10, "close waited in vain " + late + " times");
    }

    /** Each record finds the writer waiting, or about to; none may stay behind unseen. */
    @Test
    void everyRecordWakesAWaitingWriter() throws InterruptedException {
        var written = new Semaphore(0);
        var log = new AccessLog(said.log, Clock.SYSTEM, new OutputStream() {
            @Override
            public void write(int octet) {
                throw new AssertionError("written byte by byte");
            }

            @Override
            public void write(byte[] array, int offset, int length) {
                written.release();
            }
        }, 1);
        AccessLogThread thread = AccessLogThread.start(log, Clock.SYSTEM);
        for (int index = 0; index < 500; index++) {
            log.onExchange(ExchangeRecords.answered("GET", "/"));
            assertTrue(written.tryAcquire(20, TimeUnit.SECONDS), "record " + index);
            if (index % 2 == 0) {
                awaitWaiting(log);
            }
        }
        thread.close();
        thread.join(20_000);
        assertFalse(thread.isAlive());
    }

    @Test
    void aBlockedReaderHoldsNoLoopAndIsNamedAtTheEnd() throws InterruptedException {
        var blocked = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var log = new AccessLog(said.log, Clock.SYSTEM, new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                blocked.countDown();
                try {
                    release.await();
                } catch (InterruptedException interrupted) {
                    throw new IOException(interrupted);
                }
            }
        }, 1);
        AccessLogThread thread = AccessLogThread.start(log, Clock.SYSTEM);
        log.onExchange(ExchangeRecords.answered("GET", "/"));
        blocked.await();
        while (log.dropped() == 0) {
            log.onExchange(ExchangeRecords.answered("GET", "/"));
        }
        thread.close();
        assertTrue(thread.isAlive());
        assertEquals(LATE, said.text());
        release.countDown();
        thread.join();
        assertTrue(said.text().contains("host: access log dropped 1 record\n"), said.text());
    }

    private static void awaitWaiting(AccessLog log) throws InterruptedException {
        while (log.waiting().get() == null) {
            Thread.sleep(1);
        }
    }
}
