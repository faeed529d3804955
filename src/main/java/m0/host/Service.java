package m0.host;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import m0.app.App;
import m0.app.HostContext;
import m0.http.Request;
import m0.pool.JobHandlers;
import m0.pool.Placement;
import m0.pool.PoolLane;

/**
 * What a server serves: an application that has the first word on each loop, and the lanes behind
 * each loop with who goes where.
 *
 * <p>One application alone has one lane, its own. A host of several has a lane for each, so that
 * what blocks in one of them holds up none of the others.
 *
 * <p>Threads: any; it is immutable.
 *
 * @param app its handlers are the loops'; its limits are the server's
 * @param placement chooses the lane of what no loop's handler has answered; asked where there are
 *     lanes
 * @param lanes those behind each loop, by index
 */
public record Service(App app, Placement placement, List<LanePlan> lanes) {
    /** Makes the handlers of one lane behind one loop. */
    public interface LaneHandlers {
        /**
         * @param contexts the context of a pool thread, by its index
         * @param failures where what their application does wrong is told
         */
        JobHandlers of(IntFunction<HostContext> contexts, FailureLog failures);
    }

    /** Tells an operator of failures, a bounded number each second. Threads: any. */
    public interface FailureLog {
        /** @param where it failed: method and path, say */
        void tell(String where, Throwable failure);
    }

    /**
     * One lane behind each loop.
     *
     * @param executor runs its jobs; null for as many pool threads as the settings say
     */
    public record LanePlan(LaneHandlers handlers, Executor executor) { }

    /** A class and no lambda, whose machinery would be loaded before the first answer. */
    private static final Placement FIRST = new Placement() {
        @Override
        public int lane(Request request) {
            return 0;
        }
    };

    public Service {
        lanes = List.copyOf(lanes);
    }

    /** That application alone, on a lane of its own where there are pool threads. */
    static Service alone(App app) {
        return new Service(app, FIRST,
                List.of(new LanePlan((contexts, failures) -> new PoolLane(app, contexts), null)));
    }
}
