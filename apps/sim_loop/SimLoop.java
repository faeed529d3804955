package sim_loop;

import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Producer;

/**
 * The simulation as an application. {@code M0_SIMLOOP_ON_LOOP=1} steps it on loop 0, in place of the
 * producer.
 *
 * <p>Errors: {@code make} and {@code producer} refuse a variable that is neither 0 nor 1.
 */
public final class SimLoop implements App {
    static final String ON_LOOP = "M0_SIMLOOP_ON_LOOP";

    private final long workMs;

    public SimLoop() {
        this(200);
    }

    /** @param workMs how long a step takes */
    SimLoop(long workMs) {
        this.workMs = workMs;
    }

    @Override
    public Set<String> settings() {
        return Set.of(ON_LOOP);
    }

    @Override
    public AppHandler make(HostContext context) {
        boolean steps = isOnLoop(context) && context.tickOwner();
        return new SimLoopHandler(steps ? new Simulation(workMs, context.publisher()) : null);
    }

    @Override
    public Producer producer(HostContext context) {
        return isOnLoop(context) ? null : new Simulation(workMs, context.publisher());
    }

    private static boolean isOnLoop(HostContext context) {
        String value = context.setting(ON_LOOP);
        if (value == null || value.equals("0")) {
            return false;
        }
        if (value.equals("1")) {
            return true;
        }
        throw new IllegalArgumentException(ON_LOOP + "=" + value + " is neither 0 nor 1");
    }
}
