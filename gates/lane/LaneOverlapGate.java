package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * E23, E26: the bounds of a stop overlap. What a drain takes counts against the lane's join and the
 * producer's, and none begins where another ends.
 */
@Gate
@Isolated("it measures how long stops take")
class LaneOverlapGate {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final long DRAIN_MS = 5000;
    private static final long OVERLAP_MS_MAX = 7500;
    /** A signal may be seen late, the end of a bound may not be early. */
    private static final long EARLY_MS = 100;

    /**
     * A drain of 4 s, and a step of a minute beside it that is told at its beginning: one behind
     * the other they were 9 s.
     */
    @Test
    void aJobOfFourSecondsBesideAStepOfAMinuteAreOneBound() {
        Rounds.untilProven("the job was not in flight",
                LaneOverlapGate::isInFlightThroughAnOverlap);
    }

    /** Whether the job was in flight for most of its time; the bound is held in any case. */
    private static boolean isInFlightThroughAnOverlap() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_BLOCKING_THREADS", "2")
                .set("M0_HOSTCHECK_STEP_MS", "60000").start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            client.send("GET /slow?ms=4000 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitBegun(other);
            long sinceNs = System.nanoTime();
            server.term();
            client.read().expect(200).expectBody("slow 4000\n").expectClose();
            long answeredMs = msSince(sinceNs);
            assertEquals(0, server.awaitExit(BOUND));
            long ms = msSince(sinceNs);
            Figures.add(LaneOverlapGate.class, "a job of 4 s and a step of a minute", ms, "ms",
                    OVERLAP_MS_MAX);
            assertEquals(1, server.stderrLinesWith("host: abandoned producer step after "),
                    server.stderr());
            assertEquals(0, server.stderrLinesWith("abandoned handler thread"), server.stderr());
            assertTrue(ms >= DRAIN_MS - EARLY_MS && ms <= OVERLAP_MS_MAX,
                    "gone after " + ms + " ms");
            return answeredMs > 3000;
        }
    }

    private static void awaitBegun(RawClient other) {
        ServerProcess.await("the job to begin", RawClient.WAIT,
                () -> Said.number(other, "/begun", "begun") == 1);
    }

    /** Both are still at work when the bound has passed: half a second for the lane, and no more. */
    @Test
    void aJobAndAStepThatDoNotEndAreOneBoundAndHalfASecond() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_BLOCKING_THREADS", "1")
                .set("M0_DRAIN_TIMEOUT_MS", "4000").set("M0_HOSTCHECK_STEP_MS", "60000").start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            client.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitBegun(other);
            long sinceNs = System.nanoTime();
            server.term();
            assertEquals(0, server.awaitExit(BOUND), server.stderr());
            long ms = msSince(sinceNs);
            Figures.add(LaneOverlapGate.class, "a job and a step of a minute, bound 4 s", ms, "ms",
                    7000);
            assertEquals(1, server.stderrLinesWith("host: abandoned handler thread 0 of loop 0"),
                    server.stderr());
            assertEquals(1, server.stderrLinesWith("host: abandoned producer step after "),
                    server.stderr());
            // One behind the other they were 8 s and more.
            assertTrue(ms >= 4500 - EARLY_MS && ms <= 7000, "gone after " + ms + " ms");
        }
    }

    /** Where a loop ends by an Error the producer is told as well, and waited for in the bound. */
    @Test
    void aLoopThatEndsByAnErrorWaitsForTheProducersStep() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_HOSTCHECK_STEP_MS", "1000").set("M0_HOSTCHECK_LOOP_ERROR", "1")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/health").expect(200);
            client.send("GET /error HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals(1, server.awaitExit(BOUND));
            assertEquals(1, server.stderrLinesWith("and the process with it"), server.stderr());
            assertEquals(1, server.stderrLinesWith("host_check: producer closed after "),
                    server.stderr());
        }
    }

    private static long msSince(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1_000_000L;
    }
}
