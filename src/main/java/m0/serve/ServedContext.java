package m0.serve;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A path of a server and who answers below it: filters, authenticator, handler, in this order. It is
 * the JDK's: a filter may answer whom nobody knows, as a browser's question before a request is
 * asked, and adds its fields to what the authenticator answers.
 *
 * <p>Threads: any; what is changed counts for the exchanges that begin behind it.
 */
final class ServedContext extends HttpContext {
    private final HttpServer server;
    private final String path;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final List<Filter> filters = new CopyOnWriteArrayList<>();
    private volatile HttpHandler handler;
    private volatile Authenticator authenticator;

    /** @param handler null where it comes later */
    ServedContext(HttpServer server, String path, HttpHandler handler) {
        this.server = server;
        this.path = path;
        this.handler = handler;
    }

    /** Has the exchange answered. */
    void handle(HostExchange exchange, HttpHandler answering) throws IOException {
        Authenticator asked = authenticator;
        HttpHandler last = asked == null ? answering : filtered -> {
            if (isKnown(exchange, filtered, asked)) {
                answering.handle(filtered);
            }
        };
        if (filters.isEmpty()) {
            last.handle(exchange);
        } else {
            new Filter.Chain(filters, last).doFilter(exchange);
        }
    }

    /**
     * Whether the exchange may go on; otherwise it has been answered.
     *
     * @param filtered the exchange as its filters pass it on
     */
    private static boolean isKnown(HostExchange exchange, HttpExchange filtered,
            Authenticator asked) throws IOException {
        Authenticator.Result result = asked.authenticate(filtered);
        if (result instanceof Authenticator.Success success) {
            exchange.principal(success.getPrincipal());
            return true;
        }
        if (result instanceof Authenticator.Retry retry) {
            filtered.sendResponseHeaders(retry.getResponseCode(), -1);
        } else if (result instanceof Authenticator.Failure failure) {
            filtered.sendResponseHeaders(failure.getResponseCode(), -1);
        } else {
            throw new IllegalStateException("the authenticator returned " + result);
        }
        return false;
    }

    @Override
    public HttpHandler getHandler() {
        return handler;
    }

    @Override
    public synchronized void setHandler(HttpHandler answers) {
        Objects.requireNonNull(answers, "no handler");
        if (handler != null) {
            throw new IllegalArgumentException("handler already set");
        }
        handler = answers;
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public HttpServer getServer() {
        return server;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
    }

    @Override
    public List<Filter> getFilters() {
        return filters;
    }

    @Override
    public Authenticator setAuthenticator(Authenticator asked) {
        Authenticator before = authenticator;
        authenticator = asked;
        return before;
    }

    @Override
    public Authenticator getAuthenticator() {
        return authenticator;
    }
}
