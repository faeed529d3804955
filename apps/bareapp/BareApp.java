package bareapp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An application that speaks the JDK's own interface, and none of this host's:
 *
 * <pre>
 *   /              a small fixed body             /echo          the request's body back
 *   /big?n=        n bytes, byte i is i mod 251   /chunks?n=     the same, of unknown length
 *   /slow?ms=      sleeps                         /spin?ms=      does not sleep
 *   /about         the exchange's own words       /fields        the request's fields
 * </pre>
 * {@link OtherThreads}, {@link Answers} and {@link Mistakes} have the rest.
 *
 * <p>Threads: any; it has no state.
 */
public final class BareApp implements HttpHandler {
    private static final byte[] SMALL = ascii("bareapp\n");

    private final Map<String, HttpHandler> routes = Map.ofEntries(
            Map.entry("/", exchange -> answer(exchange, SMALL)),
            Map.entry("/echo", BareApp::echo),
            Map.entry("/big", Answers::big),
            Map.entry("/chunks", Answers::chunks),
            Map.entry("/slow", BareApp::slow),
            Map.entry("/spin", BareApp::spin),
            Map.entry("/about", Answers::about),
            Map.entry("/fields", Answers::fields),
            Map.entry("/status", Answers::status),
            Map.entry("/framing", Answers::framing),
            Map.entry("/inject", Answers::inject),
            Map.entry("/hold", Answers::hold),
            Map.entry("/async", OtherThreads::async),
            Map.entry("/joined", OtherThreads::joined),
            Map.entry("/later", OtherThreads::later),
            Map.entry("/feed", OtherThreads::feed),
            Map.entry("/never", Mistakes::never),
            Map.entry("/never-ending", Mistakes::neverEnding),
            Map.entry("/close", Mistakes::close),
            Map.entry("/throw", Mistakes::throwing),
            Map.entry("/throw-held", Mistakes::throwingHeld),
            Map.entry("/throw-late", Mistakes::throwingLate),
            Map.entry("/few", Mistakes::few),
            Map.entry("/many", Mistakes::many),
            Map.entry("/twice", Mistakes::twice),
            Map.entry("/early-write", Mistakes::earlyWrite));

    /** For {@code --app}. */
    public BareApp() {
        super();
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        HttpHandler route = routes.get(exchange.getRequestURI().getPath());
        if (route == null) {
            text(exchange, 404, "bareapp has no such route\n");
        } else {
            route.handle(exchange);
        }
    }

    private static void echo(HttpExchange exchange) throws IOException {
        answer(exchange, exchange.getRequestBody().readAllBytes());
    }

    private static void slow(HttpExchange exchange) throws IOException {
        pause(number(exchange, "ms", 300));
        answer(exchange, ascii("slow\n"));
    }

    private static void spin(HttpExchange exchange) throws IOException {
        long untilNs = System.nanoTime() + number(exchange, "ms", 300) * 1_000_000L;
        while (System.nanoTime() - untilNs < 0) {
            Thread.onSpinWait();
        }
        answer(exchange, ascii("spin\n"));
    }

    /** 200 with those bytes. */
    static void answer(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    static void text(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** A parameter of the query, or {@code byDefault} where it is not there. */
    static int number(HttpExchange exchange, String name, int byDefault) {
        String value = parameter(exchange, name);
        return value == null ? byDefault : Integer.parseInt(value);
    }

    /** A parameter of the query, escapes decoded, or null. */
    static String parameter(HttpExchange exchange, String name) {
        String query = exchange.getRequestURI().getQuery();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return pair.substring(name.length() + 1);
            }
        }
        return null;
    }

    static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
