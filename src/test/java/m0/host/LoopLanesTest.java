package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import m0.loop.Clock;
import m0.loop.StopWord;
import m0.pool.Job;
import m0.pool.Lane;
import m0.pool.Shortfall;
import m0.telemetry.HostLog;
import m0.telemetry.LineWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** E26, M22: lanes that take as much of a fake clock's time as they are told to. */
@Timeout(60)
class LoopLanesTest {
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

    /** A lane whose waits take {@code takesNs}, or their bound where that is less. */
    private final class Timed implements Lane {
        private final String name;
        private final long takesNs;
        private final Shortfall missing;
        private final List<Integer> stragglers;
        private boolean interrupts;

        Timed(String name, long takesNs, Shortfall missing, Integer... stragglers) {
            this.name = name;
            this.takesNs = takesNs;
            this.missing = missing;
            this.stragglers = List.of(stragglers);
        }

        private void wait(String what, long boundNs) {
            seen.add(name + " " + what + " " + boundNs / MS);
            nowNs += Math.min(takesNs, boundNs);
        }

        @Override
        public boolean trySubmit(Job job) {
            throw new AssertionError("nobody submits here");
        }

        @Override
        public int waiting() {
            return 0;
        }

        @Override
        public long lookAgainNs() {
            return NEVER;
        }

        @Override
        public void start() {
            seen.add(name + " start");
        }

        @Override
        public Shortfall awaitReady(long boundNs) {
            wait("ready", boundNs);
            return missing;
        }

        @Override
        public void giveUp() {
            seen.add(name + " give up");
        }

        @Override
        public void end() {
            seen.add(name + " end");
        }

        @Override
        public List<Integer> join(long boundNs) throws InterruptedException {
            if (interrupts) {
                interrupts = false;
                throw new InterruptedException();
            }
            wait("join", boundNs);
            return stragglers;
        }
    }

    @Test
    void allAreStartedAndThenWaitedForInOneBound() throws Exception {
        LoopLanes lanes =
                lanes(new Timed("a", 300 * MS, null), new Timed("b", 300 * MS, null));
        lanes.start();
        assertNull(lanes.awaitReady(500 * MS));
        assertEquals(List.of("a start", "b start", "a ready 500", "b ready 200"), seen);
    }

    @Test
    void whatIsMissingIsToldAtOnce() throws Exception {
        Shortfall missing = new Shortfall(3, new IllegalStateException("no licence"));
        LoopLanes lanes = lanes(new Timed("a", 0, missing), new Timed("b", 0, null));
        assertSame(missing, lanes.awaitReady(SECOND));
        assertEquals(List.of("a ready 1000"), seen);
    }

    @Test
    void aBuildingThatIsGivenUpIsGivenUpByAll() {
        lanes(new Timed("a", 0, null), new Timed("b", 0, null)).giveUp();
        assertEquals(List.of("a give up", "b give up"), seen);
    }

    /** What the drain took counts against the join, and what one lane took against the next. */
    @Test
    void aJoinHasWhatIsLeftOfTheBoundSinceTheStamp() {
        stop.stampDrain(nowNs);
        nowNs += 3200 * MS;
        assertTrue(lanes(new Timed("a", 700 * MS, null), new Timed("b", 0, null)).end(5 * SECOND));
        assertEquals(List.of("a end", "b end", "a join 1800", "b join 1100"), seen);
    }

    @Test
    void aJoinWithoutAStampHasTheWholeBound() {
        nowNs += 900 * MS;
        assertTrue(lanes(new Timed("a", 0, null)).end(SECOND));
        assertEquals(List.of("a end", "a join 1000"), seen);
    }

    @Test
    void allLanesTogetherHaveHalfASecondAtLeast() {
        stop.stampDrain(nowNs);
        nowNs += 900 * MS;
        assertTrue(lanes(new Timed("a", 300 * MS, null), new Timed("b", 300 * MS, null),
                new Timed("c", 0, null)).end(SECOND));
        assertEquals(List.of("a end", "b end", "c end", "a join 500", "b join 200", "c join 0"),
                seen);
    }

    @Test
    void stragglersAreNamedWithTheTimeSinceTheStamp() {
        stop.stampDrain(nowNs);
        nowNs += 5 * SECOND;
        assertFalse(lanes(new Timed("a", SECOND, null, 1, 3)).end(5 * SECOND));
        String hint = " of loop 7 after 5500 ms (raise --drain-timeout-ms, M0_DRAIN_TIMEOUT_MS, or"
                + " let it answer sooner)";
        assertEquals(List.of("host: abandoned handler thread 1" + hint,
                "host: abandoned handler thread 3" + hint), linesSaid());
    }

    @Test
    void ofSeveralLanesAStragglersIsNamed() {
        assertFalse(lanes(new Timed("a", 0, null), new Timed("b", 0, null, 2)).end(SECOND));
        assertTrue(linesSaid().get(0).startsWith(
                "host: abandoned handler thread 2 of loop 7 lane 1 after "), linesSaid().get(0));
    }

    @Test
    void theLaneThatIsShortIsKnown() throws Exception {
        Shortfall missing = new Shortfall(0, new IllegalStateException("no licence"));
        LoopLanes lanes = lanes(new Timed("a", 0, null), new Timed("b", 0, missing));
        assertSame(missing, lanes.awaitReady(SECOND));
        assertEquals(1, lanes.missingLane());
    }

    @Test
    void stragglersWithoutADrainAreNamedWithTheTimeOfTheJoin() {
        nowNs += 60 * SECOND;
        assertFalse(lanes(new Timed("a", 2 * SECOND, null, 0)).end(SECOND));
        assertTrue(linesSaid().get(0).startsWith(
                "host: abandoned handler thread 0 of loop 7 after 1000 ms "), linesSaid().get(0));
    }

    /** A handler on the loop has left its thread interrupted. */
    @Test
    void anInterruptDoesNotCutAJoin() {
        Timed lane = new Timed("a", 0, null);
        lane.interrupts = true;
        assertTrue(lanes(lane).end(SECOND));
        assertEquals(List.of("a end", "a join 1000"), seen);
    }

    @Test
    void aLoopWithoutLanesWaitsForNothing() throws Exception {
        LoopLanes none = lanes();
        none.start();
        assertNull(none.awaitReady(0));
        assertTrue(none.end(SECOND));
        assertEquals(List.of(), linesSaid());
    }

    private LoopLanes lanes(Lane... lanes) {
        return new LoopLanes(7, List.of(lanes), stop, clock, log);
    }

    private List<String> linesSaid() {
        log.flush(20_000);
        return said.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
