package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import m0.app.Producer;
import m0.loop.Clock;
import m0.loop.StopWord;
import m0.telemetry.HostLog;
import m0.telemetry.LineWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** E23: the producer's thread, stepped on the test's own with a clock that pauses move. */
@Timeout(60)
class ProducerThreadTest {
    private static final long MS = 1_000_000L;
    private static final long SECOND = 1000 * MS;

    private final StopWord stop = new StopWord();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final HostLog log = new HostLog(new LineWriter(new PrintStream(said, true)),
            Clock.SYSTEM);
    private final List<String> seen = new ArrayList<>();
    private long nowNs = 1;

    private final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public long epochMillis() {
            return nowNs / MS;
        }
    };

    /** Steps that take {@code stepMs} each, and the third of which asks for the drain. */
    private final class Steps implements Producer {
        private final long stepMs;
        private final long periodMs;
        private int count;

        Steps(long stepMs, long periodMs) {
            this.stepMs = stepMs;
            this.periodMs = periodMs;
        }

        @Override
        public long step() {
            seen.add("step at " + nowNs / MS);
            nowNs += stepMs * MS;
            if (++count == 3) {
                stop.stampDrain(nowNs);
            }
            return periodMs * MS;
        }

        @Override
        public void close() {
            seen.add("close at " + nowNs / MS);
        }
    }

    @Test
    void stepsAtAFixedRateAndClosesAfterTheLast() {
        new ProducerThread(new Steps(30, 100), stop, clock, this::pass, log).run();
        assertEquals(List.of("step at 0", "step at 100", "step at 200", "close at 230"), seen);
    }

    @Test
    void anOverrunIsNotCaughtUp() {
        new ProducerThread(new Steps(250, 100), stop, clock, this::pass, log).run();
        assertEquals(List.of("step at 0", "step at 300", "step at 600", "close at 850"), seen);
    }

    @Test
    void aWaitIsNoLongerThanASlice() {
        List<Long> pauses = new ArrayList<>();
        new ProducerThread(new Steps(0, 120), stop, clock, ns -> {
            pauses.add(ns / MS);
            pass(ns);
        }, log).run();
        assertEquals(List.of(50L, 50L, 20L, 50L, 50L, 20L), pauses);
    }

    /** The stop comes in a wait of a minute, and is seen at the end of its slice. */
    @Test
    void aDrainIsSeenInAWait() {
        new ProducerThread(new Steps(0, 60_000), stop, clock, ns -> {
            pass(ns);
            if (nowNs > 10 * SECOND) {
                stop.stampDrain(nowNs);
            }
        }, log).run();
        assertEquals(List.of("step at 0", "close at 10000"), seen);
    }

    /** Serving on for the drain delay is serving. */
    @Test
    void aStopThatIsOnlyAskedForDoesNotEndIt() {
        stop.ask();
        new ProducerThread(new Steps(0, 100), stop, clock, this::pass, log).run();
        assertEquals(4, seen.size());
    }

    @Test
    void aStepThatThrowsEndsTheProducerAloneAndIsLoggedOnce() throws Exception {
        ProducerThread thread = new ProducerThread(new Producer() {
            @Override
            public long step() throws IOException {
                seen.add("step");
                throw new IOException("the device is gone");
            }

            @Override
            public void close() {
                seen.add("close");
            }
        }, stop, clock, this::pass, log);
        thread.run();
        assertEquals(List.of("step", "close"), seen);
        assertFalse(stop.isDrainAsked());
        assertTrue(thread.join(SECOND));
        assertEquals(1, linesWith("host: producer ended: the device is gone"));
    }

    @Test
    void aCloseThatThrowsIsLogged() throws Exception {
        stop.stampDrain(nowNs);
        ProducerThread thread = new ProducerThread(new Producer() {
            @Override
            public long step() {
                throw new AssertionError("the drain was asked for before");
            }

            @Override
            public void close() {
                throw new IllegalStateException("cannot close");
            }
        }, stop, clock, this::pass, log);
        thread.run();
        assertTrue(thread.join(SECOND));
        assertEquals(1, linesWith("host: the producer's close threw: cannot close"));
    }

    @Test
    void oneThatWasNeverStartedIsClosedByTheJoin() throws Exception {
        ProducerThread thread =
                new ProducerThread(new Steps(0, 1), stop, clock, this::pass, log);
        assertTrue(thread.join(SECOND));
        thread.dismiss();
        thread.run();
        assertEquals(List.of("close at 0"), seen);
    }

    /** A bound of a minute has passed since the stamp: a join that waits from now would time out. */
    @Test
    void aStepThatDoesNotEndIsAbandonedByNameAndNotClosed() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        ProducerThread thread = new ProducerThread(new Producer() {
            @Override
            public long step() throws InterruptedException {
                begun.countDown();
                release.await();
                returned.countDown();
                return 0;
            }

            @Override
            public void close() {
                seen.add("close");
            }
        }, stop, clock, this::pass, log);
        Thread running = new Thread(thread);
        running.start();
        begun.await();
        stop.stampDrain(nowNs);
        nowNs += 300 * SECOND;
        assertFalse(thread.join(300 * SECOND));
        assertEquals(1, linesWith("host: abandoned producer step after 300000 ms"));
        release.countDown();
        returned.await();
        running.join();
        assertEquals(List.of(), seen, "what was abandoned may still be in use");
    }

    @Test
    void aBoundIsLeftAsMuchAsHasNotPassedSinceTheStamp() {
        assertEquals(SECOND, stop.leftOf(SECOND, nowNs + 900 * MS), "nobody has stamped it");
        stop.stampDrain(nowNs);
        assertEquals(100 * MS, stop.leftOf(SECOND, nowNs + 900 * MS));
        assertEquals(0, stop.leftOf(SECOND, nowNs + 1100 * MS));
        stop.stampDrain(nowNs + 500 * MS);
        assertEquals(100 * MS, stop.leftOf(SECOND, nowNs + 900 * MS), "the first stamp stays");
    }

    private void pass(long ns) {
        nowNs += ns;
    }

    private long linesWith(String words) {
        log.flush(20_000);
        return said.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(words))
                .count();
    }
}
