package serve;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
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
        addKnown(two);
        one.start();
        two.start();
        System.out.println("ports " + one.getAddress().getPort() + " "
                + two.getAddress().getPort());
    }

    /** Whoever is known is greeted; a filter answers OPTIONS and allows all. */
    private static void addKnown(HttpServer server) {
        HttpContext known = server.createContext("/known", exchange ->
                say(exchange, 200, "known " + exchange.getPrincipal().getUsername() + "\n"));
        known.setAuthenticator(new BasicAuthenticator("here") {
            @Override
            public boolean checkCredentials(String user, String password) {
                return user.equals("a") && password.equals("b");
            }
        });
        known.getFilters().add(new Filter() {
            @Override
            public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                exchange.getResponseHeaders().set("X-Before",
                        String.valueOf(exchange.getPrincipal()));
                if (exchange.getRequestMethod().equals("OPTIONS")) {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                } else {
                    chain.doFilter(exchange);
                }
            }

            @Override
            public String description() {
                return "answers OPTIONS";
            }
        });
    }

    private static void say(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
