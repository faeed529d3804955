package sim_loop;

import java.util.List;
import m0.app.AppHandler;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;

/**
 * {@code /events}, a stream of states, and {@code /health}. Both are answered before the request
 * could become a job, so a pool changes nothing.
 *
 * <p>Threads: the one it was made on.
 */
final class SimLoopHandler implements AppHandler {
    private static final Response HEALTH = Response.text(200, "ok");
    private static final Response NOT_FOUND = Response.text(404, "Try /events or /health.\n");
    private static final Response METHOD_NOT_ALLOWED =
            Response.status(405).header("Allow", "GET, HEAD").build();

    /** What this loop steps itself, or null. */
    private final Simulation onLoop;

    SimLoopHandler(Simulation onLoop) {
        this.onLoop = onLoop;
    }

    @Override
    public Response beforeRequest(Request request) {
        boolean health = request.pathIs("/health");
        if (!health && !request.pathIs("/events")) {
            return null;
        }
        if (request.method() != Method.GET && request.method() != Method.HEAD) {
            return METHOD_NOT_ALLOWED;
        }
        return health ? HEALTH : states();
    }

    /** Each state is whole, so a reader that is behind misses some and never holds up the next. */
    private static Response states() {
        return Response.status(200)
                .events(Simulation.CHANNEL, StreamPolicy.LATEST, false, List.of())
                .build();
    }

    @Override
    public Response handle(Request request) {
        return NOT_FOUND;
    }

    @Override
    public long tickMs() {
        return onLoop == null ? 0 : Simulation.PERIOD_MS;
    }

    @Override
    public void tick(long nowMs) {
        if (onLoop != null) {
            onLoop.step();
        }
    }
}
