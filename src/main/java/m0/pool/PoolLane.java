package m0.pool;

import java.util.function.IntFunction;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.http.Body;
import m0.http.Request;
import m0.http.Response;

/**
 * Makes an application's handlers for the threads of a lane, and has them answer.
 *
 * <p>Only what runs on a pool thread is forwarded: {@code handle} and {@code afterResponse}, on the
 * same instance, so its answers are never given early. What belongs to a loop stays with the loop's
 * instance.
 *
 * <p>Threads: each handler its own.
 */
public final class PoolLane implements JobHandlers {
    private final App app;
    private final IntFunction<? extends HostContext> contextOf;

    /** @param contextOf what the handler of that pool thread is given */
    public PoolLane(App app, IntFunction<? extends HostContext> contextOf) {
        this.app = app;
        this.contextOf = contextOf;
    }

    @Override
    public JobHandler make(int thread) throws Exception {
        AppHandler handler = app.make(contextOf.apply(thread));
        return handler == null ? null : new Answering(handler);
    }

    private record Answering(AppHandler handler) implements JobHandler {
        @Override
        public Response answer(Request request, EarlyAnswer early) throws Exception {
            Response response = handler.handle(request);
            if (response == null || response.body() instanceof Body.Later) {
                // What is given later is seen on the loop.
                return response;
            }
            Response seen = null;
            try {
                seen = handler.afterResponse(request, response);
                if (seen != null && seen.body() instanceof Body.Later) {
                    throw new IllegalStateException("afterResponse cannot defer an answer");
                }
            } finally {
                if (response.body() instanceof Body.Chunks unused
                        && (seen == null || seen.body() != unused)) {
                    unused.source().close();
                }
            }
            return seen;
        }

        @Override
        public void close() {
            handler.close();
        }
    }
}
