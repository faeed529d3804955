package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import kit.SseClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** E23: the producer's rate, what its failure costs, and how it ends with the server. */
@Gate
@Isolated("it measures rates and how long stops take")
class ProducerGate {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long DRAIN_MS = 5000;
    private static final long REQUEST_MS = 4000;
    /** Between one bound for a request and a step, and one for each. */
    private static final long BOTH_MS_MAX = (DRAIN_MS + REQUEST_MS + DRAIN_MS) / 2;
    /** For a stop that waits for nothing: far from what it takes, and from what it may take. */
    private static final long AT_ONCE_MS = 15_000;
    /** A stop may not be seen early. */
    private static final long EARLY_MS = 100;
    private static final long SPAN_MS = 4000;

    @Test
    void aPeriodOfAMinuteLeavesAtOnce() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_PERIOD_MS", "60000")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").set("M0_DRAIN_TIMEOUT_MS", "20000").start()) {
            Hooks.await(server, "peerFrame", 1, BOUND);
            long sinceNs = System.nanoTime();
            server.term();
            assertEquals(0, server.awaitExit(BOUND));
            long ms = msSince(sinceNs);
            Figures.add(ProducerGate.class, "a stop beside a period of a minute", ms, "ms",
                    AT_ONCE_MS);
            assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
            assertEquals(1, server.stderrLinesWith("host_check: producer closed after 1 steps"),
                    server.stderr());
            assertTrue(ms < AT_ONCE_MS, "gone after " + ms + " ms");
        }
    }

    @Test
    void aStepOfAMinuteIsAbandonedByNameWhenTheBoundHasPassed() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_STEP_MS", "60000")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start()) {
            // It publishes within its step.
            Hooks.await(server, "peerFrame", 1, BOUND);
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

    /**
     * What the drain took counts against the producer's time: the bounds do not add up. A pause of
     * the machine only adds to what it takes, so the least of some rounds is judged.
     */
    @Test
    void theBoundIsOneForADrainAndAStep() {
        double ms = Rounds.least(BOTH_MS_MAX, ProducerGate::stopBesideARequestAndAStep);
        Figures.add(ProducerGate.class, "a request of 4 s and a step of a minute", ms, "ms",
                BOTH_MS_MAX);
        assertTrue(ms <= BOTH_MS_MAX, "gone after " + ms + " ms");
    }

    private static double stopBesideARequestAndAStep() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_STEP_MS", "60000").start();
                RawClient client = RawClient.connect(server)) {
            Hooks.await(server, "peerFrame", 1, BOUND);
            client.send("GET /slow?ms=" + REQUEST_MS + " HTTP/1.1\r\nHost: a\r\n\r\n");
            client.awaitTaken();
            long sinceNs = System.nanoTime();
            server.term();
            // It tells of the close, so it was answered behind the signal.
            client.read().expect(200).expectBody("slow " + REQUEST_MS + "\n").expectClose();
            assertEquals(0, server.awaitExit(BOUND));
            long ms = msSince(sinceNs);
            assertEquals(1, server.stderrLinesWith("host: abandoned producer step after "),
                    server.stderr());
            assertTrue(ms >= DRAIN_MS - EARLY_MS, "gone after " + ms + " ms");
            return ms;
        }
    }

    /**
     * Steps of 250 ms at a period of 200: each is followed by the next slot, 400 ms behind it,
     * where one that catches up follows at once.
     */
    @Test
    void anOverrunIsNotCaughtUp() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_PERIOD_MS", "200")
                .set("M0_HOSTCHECK_STEP_MS", "250").start();
                RawClient client = RawClient.connect(server)) {
            Beats.in(client, SPAN_MS).expectNoMoreThanEach(400);
        }
    }

    /**
     * Steps of 60 ms at a period of 100 do not lower the rate, which runs from each one's start: by
     * their ends there would be one each 160 ms. And two loops do not raise it, since there is one
     * producer. Pauses lower it, so the most of some rounds is judged there.
     */
    @Test
    void theRateIsTheStartsAndOneProducersAtTwoLoops() {
        try (ServerProcess server = hostCheck().set("M0_THREADS", "2")
                .set("M0_HOSTCHECK_PERIOD_MS", "100").set("M0_HOSTCHECK_STEP_MS", "60").start();
                RawClient client = RawClient.connect(server)) {
            double ms = Rounds.least(130, () -> {
                Beats beats = Beats.in(client, SPAN_MS);
                beats.expectNoMoreThanEach(100);
                return (double) beats.innerMs / beats.count;
            });
            Figures.add(ProducerGate.class, "a beat of a period of 100 ms", ms, "ms", 130);
            assertTrue(ms <= 130, "a beat came each " + ms + " ms");
        }
    }

    /**
     * Beats that were published between two frames of the gate's own: each took the next number of
     * the bus, so their count lacks nothing that was read late.
     *
     * @param innerMs from behind the first of these frames to before the second
     * @param outerMs from before the first to behind the second
     */
    private record Beats(long count, long innerMs, long outerMs) {
        static Beats in(RawClient client, long spanMs) {
            long outerNs = System.nanoTime();
            long first = Published.all(client, "channel=beats");
            long innerNs = System.nanoTime();
            ServerProcess.pause(spanMs);
            long innerMs = msSince(innerNs);
            long last = Published.all(client, "channel=beats");
            return new Beats(last - first - 1, innerMs, msSince(outerNs));
        }

        /** None comes early, save that one which was late is closer to the next. */
        void expectNoMoreThanEach(long periodMs) {
            long most = outerMs / periodMs + 2;
            Figures.add(ProducerGate.class, "beats each " + periodMs + " ms in " + outerMs + " ms",
                    count, "beats", most);
            assertTrue(count >= 2, "vacuous: " + count + " beats in " + outerMs + " ms");
            assertTrue(count <= most, count + " beats in " + outerMs + " ms are more than one each "
                    + periodMs);
        }
    }

    @Test
    void aStepThatThrowsEndsTheProducerAlone() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_STEP_RAISES_AT", "10")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start();
                SseClient stream = SseClient.resume(server, "/events", 0);
                RawClient client = RawClient.connect(server)) {
            server.awaitStderr("host: producer ended: step 10 was asked to throw", BOUND);
            server.awaitStderr("host_check: producer closed after 10 steps", BOUND);
            // However late it was opened, it has them all by the journal.
            Ids.expectContiguous(stream.events(9, BOUND), 1);
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
