package kit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * How long a route takes while clients of the same server keep its threads in spins of
 * {@value #SPIN_MS} ms: what shows where it is answered.
 *
 * <p>A route that waits for a spin waits for most of one; one that does not is quick but for what the
 * machine does, so the second-worst sample is judged and the worst is not. Each sample comes on a new
 * connection at a random moment.
 *
 * <p>Threads: the gate's. Limits: {@value #LIMIT_MS} ms. A gate that uses this is isolated: spins of
 * others would be part of what it measures.
 */
public final class BesideSpins {
    private static final int SAMPLES = 24;
    /** Each waits for a spin or two. */
    private static final int NEGATIVE_SAMPLES = 8;
    private static final int GAP_MIN_MS = 50;
    private static final int GAP_MAX_MS = 300;
    private static final int SPIN_MS = 400;
    private static final double LIMIT_MS = 100;
    private static final int TRIES = 4;

    private final Class<?> gate;
    private final Supplier<ServerProcess.Plan> plan;
    private final String slow;
    private final int spinners;
    private final double heldLeast;

    /**
     * @param gate who writes the figures
     * @param plan a new server, for each try
     * @param slow its route that spins as many milliseconds as are put behind it
     * @param spinners how many clients ask for that
     * @param heldLeast how many threads of the server these must keep in spins: less is no load
     */
    public BesideSpins(Class<?> gate, Supplier<ServerProcess.Plan> plan, String slow, int spinners,
            double heldLeast) {
        this.gate = gate;
        this.plan = plan;
        this.slow = slow;
        this.spinners = spinners;
        this.heldLeast = heldLeast;
    }

    /** What is asked each time must not wait for a spin. */
    public void expectQuick(String what, Consumer<RawClient> ask) {
        double best = leastSecondWorst(TRIES, LIMIT_MS, SPIN_MS, () -> samples(ask, SAMPLES));
        Figures.add(gate, what + ", second-worst of " + SAMPLES, best, "ms", LIMIT_MS);
        assertTrue(best < LIMIT_MS, what + ": the second-worst of " + SAMPLES + " took " + best
                + " ms");
    }

    /** The negative arm: what is asked each time waits for a spin. */
    public void expectHeld(String what, Consumer<RawClient> ask) {
        double worst = secondWorst(samples(ask, NEGATIVE_SAMPLES));
        Figures.addAtLeast(gate, what + ", second-worst of " + NEGATIVE_SAMPLES, worst, "ms",
                LIMIT_MS);
        assertTrue(worst >= LIMIT_MS, what + ": the second-worst of " + NEGATIVE_SAMPLES + " took "
                + worst + " ms beside a spin");
    }

    /**
     * The least second-worst of some tries, of which the first that is below the limit is the last:
     * one sample in a thousand stalls for reasons of the machine, and threads spin here.
     *
     * <p>What waits for spins does so again and again, and no second try can excuse that: a try of
     * which half reaches the limit, or one sample in six took nearly as long as a spin, is the last.
     *
     * @param samples a try: milliseconds, in order of size
     */
    public static double leastSecondWorst(int tries, double limitMs, double spinMs,
            Supplier<List<Double>> samples) {
        double least = Double.MAX_VALUE;
        boolean misplaced = false;
        for (int count = 0; count < tries && least >= limitMs && !misplaced; count++) {
            List<Double> sorted = samples.get();
            least = Math.min(least, secondWorst(sorted));
            misplaced = sorted.get(sorted.size() / 2) >= limitMs
                    || sorted.get(sorted.size() - sorted.size() / 6) >= spinMs * 3 / 4;
        }
        return least;
    }

    public static double secondWorst(List<Double> sorted) {
        return sorted.get(sorted.size() - 2);
    }

    /** Milliseconds, in order of size, beside as many spins as there are to be. */
    private List<Double> samples(Consumer<RawClient> ask, int count) {
        List<Double> samples = new ArrayList<>();
        double held = samples(ask, count, samples);
        for (int tries = 1; tries < TRIES && held <= heldLeast; tries++) {
            samples.clear();
            held = samples(ask, count, samples);
        }
        assertTrue(held > heldLeast, "vacuous: " + held + " threads spun");
        samples.sort(null);
        return samples;
    }

    /** Fills the samples and returns how many threads spun beside them. */
    private double samples(Consumer<RawClient> ask, int count, List<Double> samples) {
        Random random = new Random(400);
        try (ServerProcess server = plan.get().start();
                Loaders loaders = new Loaders(server, spinners, slow + SPIN_MS)) {
            ServerProcess.await("every loader to be answered", RawClient.WAIT,
                    () -> loaders.answers() >= spinners);
            long sinceNs = System.nanoTime();
            int answersBefore = loaders.answers();
            for (int index = 0; index < count; index++) {
                ServerProcess.pause(GAP_MIN_MS + random.nextInt(GAP_MAX_MS - GAP_MIN_MS + 1));
                long startNs = System.nanoTime();
                try (RawClient client = RawClient.connect(server)) {
                    ask.accept(client);
                }
                samples.add((System.nanoTime() - startNs) / 1_000_000.0);
            }
            double tookMs = (System.nanoTime() - sinceNs) / 1_000_000.0;
            return (loaders.answers() - answersBefore) * (double) SPIN_MS / tookMs;
        }
    }
}
