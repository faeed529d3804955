package kit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Opens connections until every loop has one of them.
 *
 * <p>A loop that stands still for a moment is passed over when connections are spread, so those
 * that come in that moment go to its sibling, however many they are. Hence more are opened than were
 * asked for where that is needed, each after a longer pause.
 *
 * <p>Threads: the gate's. Limits: {@value #MORE_MAX} more than were asked for, which take eight
 * seconds.
 */
public final class Spread {
    private static final int MORE_MAX = 64;
    private static final int PAUSE_STEP_MS = 4;

    private Spread() {
    }

    /**
     * Opens at least so many.
     *
     * @param opened what is to be closed, also where this fails
     * @param loopOf the loop that holds one
     */
    public static <T> void over(int loops, int least, List<T> opened, Supplier<T> open,
            ToIntFunction<? super T> loopOf) {
        Set<Integer> found = new HashSet<>();
        while (opened.size() < least || found.size() < loops) {
            int more = opened.size() - least;
            if (more == MORE_MAX) {
                throw new AssertionError("vacuous: " + opened.size()
                        + " connections are on the loops " + found + " alone");
            }
            ServerProcess.pause(Math.max(0, more) * PAUSE_STEP_MS);
            T one = open.get();
            opened.add(one);
            found.add(loopOf.applyAsInt(one));
        }
    }
}
