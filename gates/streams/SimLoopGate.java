package streams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.BesideSpins;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * E208: a simulation whose step takes 200 ms, four times a second, holds up no request while the
 * producer steps it; stepped on the loop it does: of so many samples beside that all but one are
 * quick once in a million tries.
 */
@Gate
@Isolated("it measures how long answers take")
class SimLoopGate {
    private static final int SAMPLES = 32;
    private static final int TRIES = 5;
    private static final long STEP_MS = 200;
    private static final long LIMIT_MS = 100;
    private static final Pattern STEP = Pattern.compile("\\{\"step\":([0-9]+),.*}");

    @Test
    void theProducersStepsHoldUpNoRequest() {
        try (ServerProcess server = ServerProcess.app("sim_loop").start();
                SseClient stream = SseClient.open(server, "/events")) {
            stream.event();
            double secondWorst = BesideSpins.leastSecondWorst(TRIES, LIMIT_MS, STEP_MS,
                    () -> samples(server));
            Figures.add(SimLoopGate.class, "health beside the producer", secondWorst, "ms",
                    LIMIT_MS);
            expectEveryStep(stream);
            assertTrue(secondWorst < LIMIT_MS, "the second-worst answer took " + secondWorst);
        }
    }

    /** The negative arm. */
    @Test
    void stepsOnTheLoopDo() {
        try (ServerProcess server = ServerProcess.app("sim_loop").set("M0_SIMLOOP_ON_LOOP", "1")
                .start();
                SseClient stream = SseClient.open(server, "/events")) {
            stream.event();
            double secondWorst = BesideSpins.secondWorst(samples(server));
            Figures.addAtLeast(SimLoopGate.class, "health beside steps on the loop", secondWorst, "ms",
                    LIMIT_MS);
            expectEveryStep(stream);
            assertTrue(secondWorst >= LIMIT_MS, "the second-worst answer took " + secondWorst);
        }
    }

    /** The samples took seconds, so the stream holds a good number of steps by now. */
    private static void expectEveryStep(SseClient stream) {
        List<Block> states = stream.events(12, Duration.ofSeconds(20));
        long expected = step(states.get(0));
        for (Block state : states) {
            if (step(state) != expected) {
                throw new AssertionError("expected step " + expected + " and not " + state);
            }
            expected++;
        }
    }

    private static long step(Block state) {
        Matcher matcher = STEP.matcher(state.data());
        if (!matcher.matches()) {
            throw new AssertionError("no state: " + state);
        }
        return Long.parseLong(matcher.group(1));
    }

    /** Milliseconds, in order of size. */
    private static List<Double> samples(ServerProcess server) {
        Random gaps = new Random(7);
        List<Double> samples = new ArrayList<>();
        for (int sample = 0; sample < SAMPLES; sample++) {
            ServerProcess.pause(50 + gaps.nextInt(250));
            try (RawClient client = RawClient.connect(server)) {
                long sinceNs = System.nanoTime();
                client.get("/health").expect(200);
                samples.add((System.nanoTime() - sinceNs) / 1e6);
            }
        }
        samples.sort(null);
        return samples;
    }
}
