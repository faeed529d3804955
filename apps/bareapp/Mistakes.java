package bareapp;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;

/** What a handler must not do, and what becomes of it. Threads: the exchange's. */
final class Mistakes {
    private Mistakes() { }

    /** Returns, and nobody closes the exchange. */
    static void never(HttpExchange exchange) {
        exchange.getResponseHeaders().set("X-Never", "sent");
    }

    /** Begins its answer, and nobody ends it. */
    static void neverEnding(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(BareApp.ascii("begun\n"));
        exchange.getResponseBody().flush();
    }

    /** Closes before it has said anything. */
    static void close(HttpExchange exchange) {
        exchange.close();
        exchange.close();
    }

    static void throwing(HttpExchange exchange) {
        throw new IllegalStateException("bareapp was asked to throw");
    }

    /** What it had begun has not left yet. */
    static void throwingHeld(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 100);
        exchange.getResponseBody().write(BareApp.ascii("begun\n"));
        throw new IOException("bareapp was asked to throw");
    }

    /** What it had begun has left. */
    static void throwingLate(HttpExchange exchange) throws IOException {
        neverEnding(exchange);
        throw new IOException("bareapp was asked to throw");
    }

    /** Fewer bytes than announced: {@code put} of {@code n}. */
    static void few(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, BareApp.number(exchange, "n", 10));
        OutputStream body = exchange.getResponseBody();
        body.write(Answers.pattern(0, BareApp.number(exchange, "put", 5)));
        try {
            body.close();
        } catch (IOException missing) {
            System.err.println("bareapp: few: " + missing.getMessage());
        }
    }

    /** More than announced; what is right about it is sent. */
    static void many(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 6);
        OutputStream body = exchange.getResponseBody();
        try {
            body.write(BareApp.ascii("too many\n"));
        } catch (IOException tooMany) {
            System.err.println("bareapp: many: " + tooMany.getMessage());
            body.write(BareApp.ascii("right\n"));
        }
        exchange.close();
    }

    static void twice(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 6);
        try {
            exchange.sendResponseHeaders(500, 6);
        } catch (IOException twice) {
            System.err.println("bareapp: twice: " + twice.getMessage());
        }
        exchange.getResponseBody().write(BareApp.ascii("twice\n"));
        exchange.close();
    }

    static void earlyWrite(HttpExchange exchange) throws IOException {
        try {
            exchange.getResponseBody().write(1);
        } catch (IOException early) {
            BareApp.text(exchange, 200, early.getMessage() + "\n");
        }
    }
}
