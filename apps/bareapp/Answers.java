package bareapp;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.TreeMap;

/** Answers of every length and kind. Threads: the exchange's. */
final class Answers {
    private static final int PIECE_BYTES = 10_000;
    private static final int PATTERN = 251;

    private Answers() { }

    static void big(HttpExchange exchange) throws IOException {
        int count = BareApp.number(exchange, "n", 1_000_000);
        exchange.sendResponseHeaders(200, count == 0 ? -1 : count);
        write(exchange, count);
    }

    /** Of unknown length; {@code flush=1} flushes behind every piece, {@code gap=} waits there. */
    static void chunks(HttpExchange exchange) throws IOException {
        int count = BareApp.number(exchange, "n", 30_000);
        exchange.sendResponseHeaders(200, 0);
        if (BareApp.number(exchange, "flush", 0) == 0) {
            write(exchange, count);
            return;
        }
        OutputStream body = exchange.getResponseBody();
        for (int done = 0; done < count; done += PIECE_BYTES) {
            body.write(pattern(done, Math.min(PIECE_BYTES, count - done)));
            body.flush();
            BareApp.pause(BareApp.number(exchange, "gap", 0));
        }
        body.close();
    }

    private static void write(HttpExchange exchange, int count) throws IOException {
        try (OutputStream body = exchange.getResponseBody()) {
            for (int done = 0; done < count; done += PIECE_BYTES) {
                body.write(pattern(done, Math.min(PIECE_BYTES, count - done)));
            }
        }
    }

    /** {@code count} bytes of the pattern from {@code from} on. */
    static byte[] pattern(int from, int count) {
        byte[] bytes = new byte[count];
        for (int index = 0; index < count; index++) {
            bytes[index] = (byte) ((from + index) % PATTERN);
        }
        return bytes;
    }

    /** Writes without end, and says on stderr what became of the thread that wrote. */
    static void hold(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        long done = 0;
        try (OutputStream body = exchange.getResponseBody()) {
            while (true) {
                body.write(pattern(0, PIECE_BYTES));
                done += PIECE_BYTES;
            }
        } catch (IOException ended) {
            System.err.println("bareapp: a writer ended after " + done + " bytes: "
                    + ended.getMessage());
            throw ended;
        }
    }

    static void about(HttpExchange exchange) throws IOException {
        exchange.setAttribute("seen", "yes");
        BareApp.text(exchange, 200, "method=" + exchange.getRequestMethod() + " uri="
                + exchange.getRequestURI() + " protocol=" + exchange.getProtocol() + " context="
                + exchange.getHttpContext().getPath() + " remote="
                + exchange.getRemoteAddress().getPort() + " local="
                + exchange.getLocalAddress().getPort() + " attribute="
                + exchange.getAttribute("seen") + " principal=" + exchange.getPrincipal()
                + " code=" + exchange.getResponseCode() + "\n");
    }

    /** {@code Name: [value, value]} a line, sorted. */
    static void fields(HttpExchange exchange) throws IOException {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(exchange.getRequestHeaders()).forEach((name, values) ->
                text.append(name).append(": ").append(values).append('\n'));
        text.append("first of x-many: ").append(exchange.getRequestHeaders().getFirst("x-MANY"))
                .append('\n');
        BareApp.text(exchange, 200, text.toString());
    }

    /** {@code s=} with no body, or with {@code n=} announced bytes, of which none is written. */
    static void status(HttpExchange exchange) throws IOException {
        int status = BareApp.number(exchange, "s", 204);
        exchange.getResponseHeaders().set("X-Status", Integer.toString(status));
        if (BareApp.parameter(exchange, "length") != null) {
            exchange.getResponseHeaders().set("Content-Length",
                    BareApp.parameter(exchange, "length"));
        }
        exchange.sendResponseHeaders(status, BareApp.number(exchange, "n", -1));
        if (status < 200) {
            exchange.sendResponseHeaders(200, -1);
        }
        exchange.close();
    }

    /** Sets what frames a message, which is the host's. */
    static void framing(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Length", "3");
        exchange.getResponseHeaders().set("Transfer-Encoding", "gzip, chunked");
        exchange.getResponseHeaders().set("Date", "yesterday");
        exchange.getResponseHeaders().set("Connection",
                BareApp.number(exchange, "close", 0) == 1 ? "close" : "keep-alive, x");
        exchange.getResponseHeaders().add("X-Kept", "one");
        exchange.getResponseHeaders().add("X-Kept", "two");
        BareApp.answer(exchange, BareApp.ascii("framed\n"));
    }

    /** Puts a value where the JDK does not look at it again. */
    static void inject(HttpExchange exchange) throws IOException {
        List<String> values = new LinkedList<>(new ArrayList<>(List.of("kept")));
        exchange.getResponseHeaders().put("X-Echo", values);
        values.add(BareApp.parameter(exchange, "v"));
        exchange.getResponseHeaders().set("X-Neighbour", "kept");
        exchange.getResponseHeaders().set("X-Folded", "one\r\n two");
        BareApp.answer(exchange, BareApp.ascii("injected\n"));
    }
}
