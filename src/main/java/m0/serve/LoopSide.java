package m0.serve;

import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.http.Request;
import m0.http.Response;

/**
 * The loop's part of a server whose every request goes to its lane: nothing.
 *
 * <p>Threads: any; it has no state.
 */
final class LoopSide implements App, AppHandler {
    @Override
    public AppHandler make(HostContext context) {
        return this;
    }

    @Override
    public Response handle(Request request) {
        throw new IllegalStateException("a request of " + request.rawPath() + " has no lane");
    }
}
