package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class StallWatchTest {
    private static final long MS = 1_000_000L;
    private static final long START = 7_000 * MS;

    private final Said said = new Said();
    private final FakeLoop zero = new FakeLoop(0, "holdsLoopZero");
    private final FakeLoop one = new FakeLoop(1, "holdsLoopOne");
    private final StallWatch watch = new StallWatch(List.of(zero, one), 1000, said.log);

    @Test
    void saysNothingOfAParkedLoop() {
        watch.step(START + 3_600_000 * MS);
        assertEquals("", said.text());
    }

    @Test
    void saysNothingUpToTheLimit() {
        one.sinceNs = START;
        watch.step(START + 1000 * MS);
        assertEquals("", said.text());
        assertEquals(0, one.stacksTaken);
    }

    @Test
    void namesALoopBeyondTheLimitWithItsStack() {
        one.sinceNs = START;
        watch.step(START + 1000 * MS + 1);
        assertEquals(List.of("host: loop=1 has been inside one pass for 1000 ms and serves nobody"
                + " meanwhile; it stands here (the limit is --loop-stall-ms, M0_LOOP_STALL_MS)",
                "    at app.View.holdsLoopOne(View.java:7)"), said.lines());
        assertEquals(1, said.writes());
    }

    @Test
    void saysItOnceAMinuteForALoop() {
        one.sinceNs = START;
        for (long ms = 1001; ms <= 61_000; ms += 250) {
            watch.step(START + ms * MS);
        }
        assertEquals(1, said.writes());
        watch.step(START + 61_001 * MS);
        assertEquals(2, said.writes());
    }

    @Test
    void anotherPassOfThatLoopStaysQuietToo() {
        one.sinceNs = START;
        watch.step(START + 2000 * MS);
        one.sinceNs = START + 3000 * MS;
        watch.step(START + 5000 * MS);
        assertEquals(1, said.writes());
    }

    @Test
    void loopsAreSaidIndependently() {
        one.sinceNs = START;
        watch.step(START + 2000 * MS);
        zero.sinceNs = START + 1500 * MS;
        watch.step(START + 2600 * MS);
        assertEquals(2, said.writes());
        assertTrue(said.text().contains("loop=0 has been inside one pass for 1100 ms"),
                said.text());
        assertTrue(said.text().contains("holdsLoopZero"), said.text());
    }

    @Test
    void doesNotBlameTheNextPassForOneThatHasEnded() {
        one.sinceNs = START;
        one.endsWhileTheStackIsTaken = true;
        watch.step(START + 2000 * MS);
        assertEquals("", said.text());
        assertEquals(1, one.stacksTaken);
    }

    @Test
    void worksWhereTheClockIsNegative() {
        one.sinceNs = -5000 * MS;
        watch.step(-4000 * MS);
        assertEquals(0, said.writes());
        watch.step(-3999 * MS);
        assertEquals(1, said.writes());
    }

    @Test
    void countsEachPassOverTheLimitOnceHoweverQuietItIs() {
        one.sinceNs = START;
        watch.step(START + 1000 * MS);
        assertEquals(0, one.stalls);
        watch.step(START + 1250 * MS);
        watch.step(START + 1500 * MS);
        assertEquals(1, one.stalls);
        one.sinceNs = START + 2000 * MS;
        watch.step(START + 3001 * MS);
        assertEquals(2, one.stalls);
        assertEquals(0, zero.stalls);
    }

    @Test
    void offIsNotALimit() {
        assertThrows(IllegalArgumentException.class,
                () -> new StallWatch(List.of(zero), 0, said.log));
    }

    private static final class FakeLoop implements LoopPulse {
        private final int index;
        private final String method;
        private long sinceNs;
        private int stacksTaken;
        private int stalls;
        private boolean endsWhileTheStackIsTaken;

        FakeLoop(int index, String method) {
            this.index = index;
            this.method = method;
        }

        @Override
        public int loop() {
            return index;
        }

        @Override
        public long passSinceNs() {
            return sinceNs;
        }

        @Override
        public void countStall() {
            stalls++;
        }

        @Override
        public Thread thread() {
            return new Thread() {
                @Override
                public StackTraceElement[] getStackTrace() {
                    stacksTaken++;
                    if (endsWhileTheStackIsTaken) {
                        sinceNs += MS;
                    }
                    return new StackTraceElement[] {
                        new StackTraceElement("app.View", method, "View.java", 7)};
                }
            };
        }
    }
}
