package serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** A program of the JDK's interface and nothing else: two servers, one of which serves the other. */
final class TwoServers {
    private TwoServers() {
    }

    public static void main(String[] args) throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        HttpServer one = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        HttpServer two = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        one.setExecutor(Executors.newFixedThreadPool(3,
                task -> new Thread(task, "the-programs-own")));
        one.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/")) {
                say(exchange, 200, "one " + one.getClass().getName() + " "
                        + Thread.currentThread().getName() + "\n");
            } else {
                say(exchange, 404, "nothing\n");
            }
        });
        two.createContext("/", exchange -> say(exchange, 200, "two " + two.getClass().getName()
                + (Thread.currentThread().getName().equals("main") ? " main\n" : " main-less\n")));
        two.createContext("/add", exchange -> {
            one.createContext("/late", late -> say(late, 200, "late\n"));
            say(exchange, 200, "added\n");
        });
        two.createContext("/stop", exchange -> {
            one.stop(0);
            say(exchange, 200, "stopped\n");
        });
        one.start();
        two.start();
        System.out.println("ports " + one.getAddress().getPort() + " "
                + two.getAddress().getPort());
    }

    private static void say(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
