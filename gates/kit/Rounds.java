package kit;

import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/**
 * Rounds of a gate that a pause of the machine may spoil, so that another has to decide.
 *
 * <p>What a server must never do a round asserts for itself, and the first that fails ends the
 * gate. A round may only report that it has proven nothing, because a moment it needed had passed;
 * or how long something took, of which the least counts, since others can only make it longer.
 *
 * <p>Threads: the gate's. Limits: {@value #ROUNDS_MAX} rounds; a server that is broken spoils all.
 */
public final class Rounds {
    private static final int ROUNDS_MAX = 5;

    private Rounds() {
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
}
