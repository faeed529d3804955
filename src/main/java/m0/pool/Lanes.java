package m0.pool;

import java.util.List;
import m0.http.Request;

/**
 * The lanes of one loop, and who goes where.
 *
 * @param placement chooses the lane of a request
 * @param lanes by index
 * @param completions where the jobs of all of them come back
 */
public record Lanes(Placement placement, List<Lane> lanes, Completions completions) {
    /** A class and no lambda, whose machinery would be loaded before the first answer. */
    private static final Placement ON_LOOP = new Placement() {
        @Override
        public int lane(Request request) {
            return LOOP;
        }
    };

    /** Everything on the loop. */
    public static Lanes none(Completions completions) {
        return new Lanes(ON_LOOP, List.of(), completions);
    }
}
