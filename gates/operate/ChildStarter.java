package operate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An application that starts a child with the streams of its own process, and answers its id. */
public final class ChildStarter implements HttpHandler {
    @Override
    public void handle(HttpExchange exchange) throws IOException {
        long pid = new ProcessBuilder("sleep", "20").inheritIO().start().pid();
        byte[] body = String.valueOf(pid).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
