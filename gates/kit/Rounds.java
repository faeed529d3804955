package kit;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Plays a round of a gate again where the machine, and not the server, has spoilt it.
 *
 * <p>A thread of a busy machine may stand still for a second or two at any point. Where a gate
 * needs its client, or a signal, to come in time, a round in which it came late shows nothing; it
 * is void, and another is played. What the server did in a round that was in time counts each time.
 *
 * <p>Threads: the gate's. Limits: a number of rounds, {@value #ROUNDS_MAX} where none is given,
 * after which the last one's failure stands.
 */
public final class Rounds {
    private static final int ROUNDS_MAX = 5;

    /** A round that shows nothing. */
    private static final class VoidRound extends RuntimeException {
        private static final long serialVersionUID = 1;

        VoidRound(String why) {
            super(why);
        }
    }

    private Rounds() {
    }

    /** Plays until a round is not {@linkplain #voidIf void}; its failure is the gate's. */
    public static void play(int most, Runnable round) {
        for (int count = 1; ; count++) {
            try {
                round.run();
                return;
            } catch (VoidRound nothing) {
                if (count == most) {
                    throw new AssertionError("vacuous in each of " + most + " rounds: "
                            + nothing.getMessage(), nothing);
                }
            }
        }
    }

    /** Within {@link #play}: leaves a round that shows nothing. */
    public static void voidIf(boolean late, String why) {
        if (late) {
            throw new VoidRound(why);
        }
    }

    /**
     * Plays a round whose steps are to follow each other within {@code limitMs}. A failure counts
     * if they have; a round that was late and went well has gone well.
     */
    public static void inPace(int most, long limitMs, Consumer<Pace> round) {
        for (int count = 1; ; count++) {
            Pace pace = new Pace(limitMs);
            try {
                round.accept(pace);
                return;
            } catch (AssertionError failure) {
                pace.step();
                if (!pace.late || count == most) {
                    throw failure;
                }
            }
        }
    }

    /** Runs rounds until one says that it has proven what it was for. */
    public static void untilProven(String vacuous, BooleanSupplier round) {
        for (int count = 0; count < ROUNDS_MAX; count++) {
            if (round.getAsBoolean()) {
                return;
            }
        }
        throw new AssertionError("vacuous: " + vacuous + ", in each of " + ROUNDS_MAX + " rounds");
    }

    /** The least of what rounds measure; the first that is below {@code limit} is the last. */
    public static double least(double limit, DoubleSupplier round) {
        double least = Double.POSITIVE_INFINITY;
        for (int count = 0; count < ROUNDS_MAX && least >= limit; count++) {
            least = Math.min(least, round.getAsDouble());
        }
        return least;
    }

    /** The time between the steps of a round. */
    public static final class Pace {
        private final long limitNs;
        private long lastNs = System.nanoTime();
        private boolean late;

        private Pace(long limitMs) {
            limitNs = limitMs * 1_000_000;
        }

        /** From here on the next step is to come in time. */
        public void begin() {
            lastNs = System.nanoTime();
        }

        /** A step, and the next is to come in time too. */
        public void step() {
            long nowNs = System.nanoTime();
            late |= nowNs - lastNs > limitNs;
            lastNs = nowNs;
        }

        /** What another thread has measured of its steps. */
        public void step(long gapMs) {
            late |= gapMs * 1_000_000 > limitNs;
            step();
        }
    }
}
