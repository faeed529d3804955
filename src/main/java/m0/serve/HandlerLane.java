package m0.serve;

import com.sun.net.httpserver.HttpHandler;
import java.net.URI;
import java.net.URISyntaxException;
import m0.http.Request;
import m0.http.Response;
import m0.host.Service.FailureLog;
import m0.pool.EarlyAnswer;
import m0.pool.JobHandler;
import m0.pool.JobHandlers;

/**
 * Has the requests of a lane answered by the handlers of a server's contexts, as the JDK's server
 * does: each handler is one object for all threads.
 *
 * <p>Threads: each job its own. Errors: what a handler throws is told with method and path; the
 * answer is 500 and the connection's end, or cut where it has begun.
 */
final class HandlerLane implements JobHandlers {
    private static final Response NO_URI =
            Response.text(400, "The request's target is no URI.\n");
    private static final Response NO_CONTEXT =
            Response.text(404, "No context found for request\n");
    private static final Response NO_HANDLER =
            Response.status(500).contentType("text/plain; charset=utf-8")
                    .body("No handler for context\n").close().build();

    private final Contexts contexts;
    private final FailureLog failures;
    private final boolean survivesErrors;

    /**
     * @param survivesErrors whether an {@code Error} of a handler is told like an exception; the
     *     host's own rule is that it ends the process
     */
    HandlerLane(Contexts contexts, FailureLog failures, boolean survivesErrors) {
        this.contexts = contexts;
        this.failures = failures;
        this.survivesErrors = survivesErrors;
    }

    @Override
    public JobHandler make(int thread) {
        return this::answer;
    }

    private Response answer(Request request, EarlyAnswer early) {
        URI uri;
        try {
            uri = new URI(request.target());
        } catch (URISyntaxException noUri) {
            return NO_URI;
        }
        String path = uri.getPath();
        ServedContext context = path == null ? null : contexts.find(path);
        if (context == null) {
            return NO_CONTEXT;
        }
        HttpHandler handler = context.getHandler();
        if (handler == null) {
            return NO_HANDLER;
        }
        HostExchange exchange = new HostExchange(context, request, uri, early, failures);
        try {
            context.handle(exchange, handler);
        } catch (Exception thrown) {
            return exchange.onThrown(thrown);
        } catch (Error thrown) {
            Response answer = exchange.onThrown(thrown);
            if (!survivesErrors) {
                throw thrown;
            }
            return answer;
        }
        return exchange.onReturned();
    }
}
