package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import m0.loop.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StallWatchThreadTest {
    @Test
    void looksByItselfAndEndsWhenClosed() throws InterruptedException {
        var said = new Said();
        var stalls = new AtomicInteger();
        Thread held = Thread.currentThread();
        long sinceNs = System.nanoTime() - 10_000_000_000L;
        var watch = new StallWatch(List.of(new LoopPulse() {
            @Override
            public int loop() {
                return 0;
            }

            @Override
            public long passSinceNs() {
                return sinceNs;
            }

            @Override
            public Thread thread() {
                return held;
            }

            @Override
            public void countStall() {
                stalls.incrementAndGet();
            }
        }), 1, said.log);
        StallWatchThread thread = StallWatchThread.start(watch, Clock.SYSTEM);
        while (said.writes() == 0) {
            Thread.sleep(1);
        }
        thread.close();
        thread.join();
        assertTrue(said.text().contains("loop=0 has been inside one pass"), said.text());
        assertTrue(said.text().contains("looksByItselfAndEndsWhenClosed"), said.text());
        assertTrue(thread.isDaemon());
        assertEquals(1, stalls.get());
    }
}
