package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** E23: the producer's rate, what its failure costs, and how it ends with the server. */
@Gate
@Isolated("it measures rates and how long stops take")
class ProducerGate {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long DRAIN_MS = 5000;
    /** Between one bound for a request of four seconds and a step, and one for each. */
    private static final long BOTH_MS_MAX = (DRAIN_MS + 4000 + DRAIN_MS) / 2;
    /** An event may be read late; a stop may not be seen early. */
    private static final long EARLY_MS = 100;
    /** The first events come when the classes that carry them are loaded. */
    private static final int WARM_UP = 5;

    @Test
    void aPeriodOfAMinuteLeavesAtOnce() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_PERIOD_MS", "60000")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start()) {
            ServerProcess.pause(300);
            long sinceNs = System.nanoTime();
            server.term();
            assertEquals(0, server.awaitExit(BOUND));
            long ms = msSince(sinceNs);
            Figures.add(ProducerGate.class, "a stop beside a period of a minute", ms, "ms",
                    DRAIN_MS);
            assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
            assertEquals(1, server.stderrLinesWith("host_check: producer closed after 1 steps"),
                    server.stderr());
            assertTrue(ms < DRAIN_MS - 500, "gone after " + ms + " ms");
        }
    }

    @Test
    void aStepOfAMinuteIsAbandonedByNameWhenTheBoundHasPassed() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_STEP_MS", "60000")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start()) {
            ServerProcess.pause(300);
            long sinceNs = System.nanoTime();
            server.term();
            assertEquals(0, server.awaitExit(BOUND));
            long ms = msSince(sinceNs);
            Figures.add(ProducerGate.class, "a stop beside a step of a minute", ms, "ms",
                    Slack.notAfterMs(DRAIN_MS));
            assertEquals(1, server.stderrLinesWith("host: abandoned producer step after "),
                    server.stderr());
            assertEquals(0, server.stderrLinesWith("host_check: producer closed"),
                    "what is in use was closed: " + server.stderr());
            assertTrue(ms >= DRAIN_MS - EARLY_MS && ms <= Slack.notAfterMs(DRAIN_MS),
                    "gone after " + ms + " ms");
        }
    }

    /** What the drain took counts against the producer's time: the bounds do not add up. */
    @Test
    void theBoundIsOneForADrainAndAStep() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_STEP_MS", "60000").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=4000 HTTP/1.1\r\nHost: a\r\n\r\n");
            ServerProcess.pause(200);
            long sinceNs = System.nanoTime();
            server.term();
            client.read().expect(200).expectBody("slow 4000\n").expectClose();
            long answeredMs = msSince(sinceNs);
            assertEquals(0, server.awaitExit(BOUND));
            long ms = msSince(sinceNs);
            Figures.add(ProducerGate.class, "a request of 4 s and a step of a minute", ms, "ms",
                    BOTH_MS_MAX);
            assertTrue(answeredMs > 3000, "vacuous: the request was not in flight");
            assertEquals(1, server.stderrLinesWith("host: abandoned producer step after "),
                    server.stderr());
            assertTrue(ms >= DRAIN_MS - EARLY_MS && ms <= BOTH_MS_MAX, "gone after " + ms + " ms");
        }
    }

    /**
     * Steps of 250 ms at a period of 100: each is followed by the next slot, 300 ms behind it, where
     * one that catches up follows at once. The median of the gaps: one that is read late makes the
     * next look short.
     */
    @Test
    void anOverrunIsNotCaughtUp() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_PERIOD_MS", "100")
                .set("M0_HOSTCHECK_STEP_MS", "250").start();
                SseClient stream = SseClient.open(server, "/events")) {
            stream.events(WARM_UP, BOUND);
            List<Block> beats = stream.events(12, BOUND);
            long[] gapsMs = new long[11];
            for (int gap = 0; gap < gapsMs.length; gap++) {
                gapsMs[gap] = (beats.get(gap + 1).atNs() - beats.get(gap).atNs()) / 1_000_000L;
            }
            Arrays.sort(gapsMs);
            Figures.addAtLeast(ProducerGate.class, "median of slots of 300 ms", gapsMs[5], "ms",
                    275);
            assertTrue(gapsMs[5] >= 275, "it caught up: " + Arrays.toString(gapsMs)
                    + " ms between beats");
        }
    }

    /**
     * Steps of 60 ms at a period of 100 do not lower the rate, which runs from each one's start: by
     * their ends thirty would take 4.8 s. And two loops do not raise it, since there is one producer:
     * with two thirty would take 1.5 s.
     */
    @Test
    void theRateIsTheStartsAndOneProducersAtTwoLoops() {
        try (ServerProcess server = hostCheck().set("M0_THREADS", "2")
                .set("M0_HOSTCHECK_PERIOD_MS", "100").set("M0_HOSTCHECK_STEP_MS", "60").start();
                SseClient stream = SseClient.open(server, "/events")) {
            stream.events(WARM_UP, BOUND);
            List<Block> beats = stream.events(31, BOUND);
            long ms = (beats.get(30).atNs() - beats.get(0).atNs()) / 1_000_000L;
            Figures.add(ProducerGate.class, "thirty periods of 100 ms", ms, "ms", 3900);
            assertTrue(ms >= 2250 && ms <= 3900, "thirty periods took " + ms + " ms");
        }
    }

    @Test
    void aStepThatThrowsEndsTheProducerAlone() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_STEP_RAISES_AT", "10")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start();
                SseClient stream = SseClient.open(server, "/events");
                RawClient client = RawClient.connect(server)) {
            server.awaitStderr("host: producer ended: step 10 was asked to throw", BOUND);
            server.awaitStderr("host_check: producer closed after 10 steps", BOUND);
            Block last = stream.event();
            while (last.id() < 9) {
                last = stream.event();
            }
            stream.expectSilence(500);
            client.get("/health").expect(200);
            assertEquals(1, server.stderrLinesWith("producer ended"), server.stderr());
            server.term();
            assertEquals(0, server.awaitExit(BOUND));
        }
    }

    @Test
    void aProducerThatCannotBeMadeIsARefusalWithItsMessage() {
        for (String loops : List.of("1", "2")) {
            try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", loops)
                    .set("M0_HOSTCHECK_PRODUCER_RAISES", "1").launch()) {
                assertEquals(78, server.awaitExit(BOUND));
                assertEquals(1, server.stderrLinesWith("host: the application's producer threw:"
                        + " M0_HOSTCHECK_PRODUCER_RAISES asked producer to throw"),
                        server.stderr());
                assertFalse(server.stderr().contains("listening"), server.stderr());
                assertEquals("", server.stdout());
            }
        }
    }

    private static ServerProcess.Plan hostCheck() {
        return ServerProcess.app("host_check");
    }

    private static long msSince(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1_000_000L;
    }
}
