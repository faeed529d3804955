package bareapp;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;

/** Exchanges that a thread of the application's own ends. */
final class OtherThreads {
    private OtherThreads() { }

    /** The handler returns; {@code n} bytes follow {@code ms} later from another thread. */
    static void async(HttpExchange exchange) {
        int waitMs = BareApp.number(exchange, "ms", 100);
        int count = BareApp.number(exchange, "n", 6);
        start("bareapp-async", () -> {
            BareApp.pause(waitMs);
            write(exchange, count);
        });
    }

    /** Another thread writes {@code n} bytes while the handler waits for it. */
    static void joined(HttpExchange exchange) {
        int count = BareApp.number(exchange, "n", 200_000);
        Thread writer = start("bareapp-joined", () -> write(exchange, count));
        try {
            writer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Is through with its client, and takes {@code ms} to return. */
    static void later(HttpExchange exchange) throws IOException {
        int waitMs = BareApp.number(exchange, "ms", 1000);
        BareApp.answer(exchange, BareApp.ascii("later\n"));
        BareApp.pause(waitMs);
        System.err.println("bareapp: later " + exchange.getRequestMethod() + ' '
                + exchange.getRequestURI() + ' ' + exchange.getRequestHeaders().getFirst("Host"));
    }

    /** A feed between two events: some bytes have left, and it is open. */
    static void feed(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        OutputStream body = exchange.getResponseBody();
        body.write(BareApp.ascii("opened\n"));
        body.flush();
        body.write(BareApp.ascii("first\n"));
    }

    private static void write(HttpExchange exchange, int count) {
        try {
            exchange.sendResponseHeaders(200, count);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(Answers.pattern(0, count));
            }
            exchange.close();
        } catch (IOException ended) {
            System.err.println("bareapp: " + Thread.currentThread().getName() + " ended: "
                    + ended.getMessage());
        }
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
