package m0.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** E216: servers of the JDK's kind in one JVM, made by the provider. */
@Timeout(60)
class ProviderTest {
    private static final long NS_PER_MS = 1_000_000L;
    private static final int LARGE = 8_000_000;

    private final List<HttpServer> servers = new ArrayList<>();

    @AfterEach
    void stopAll() {
        servers.forEach(server -> server.stop(0));
    }

    private HttpServer server() throws IOException {
        HttpServer made = new Provider().createHttpServer(loopback(0), 0);
        servers.add(made);
        return made;
    }

    private static InetSocketAddress loopback(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    private static HttpHandler saying(String text) {
        return exchange -> {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        };
    }

    private static String get(HttpServer server, String target) throws IOException {
        return ask(server, "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    }

    private static String ask(HttpServer server, String request) throws IOException {
        try (Socket socket = new Socket(loopback(0).getAddress(), server.getAddress().getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(),
                    StandardCharsets.ISO_8859_1);
        }
    }

    /** One for each: the common pool of a machine with two processors has a single one. */
    private static CompletableFuture<String> inAThread(Supplier<String> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start());
    }

    private static void assertSays(String body, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n") && answer.endsWith("\r\n\r\n" + body),
                answer);
    }

    @Test
    void severalServersServeSideBySide() throws Exception {
        HttpServer one = server();
        HttpServer two = server();
        one.createContext("/", saying("one"));
        two.createContext("/", saying("two"));
        one.start();
        two.start();
        assertSays("one", get(one, "/"));
        assertSays("two", get(two, "/"));
        one.stop(0);
        assertThrows(ConnectException.class, () -> get(one, "/"));
        assertSays("two", get(two, "/"));
    }

    /** The JDK's own rule: letter by letter, the longest wins. */
    @Test
    void contextsComeAndGoWhileItServes() throws Exception {
        HttpServer server = server();
        server.start();
        assertTrue(get(server, "/foo").startsWith("HTTP/1.1 404 "));
        HttpContext foo = server.createContext("/foo", saying("foo"));
        assertSays("foo", get(server, "/foobar"));
        HttpContext later = server.createContext("/foo/deep");
        assertTrue(get(server, "/foo/deep").startsWith("HTTP/1.1 500 "), "no handler yet");
        later.setHandler(saying("deep"));
        assertThrows(IllegalArgumentException.class, () -> later.setHandler(saying("again")));
        assertSays("deep", get(server, "/foo/deeper?a=b"));
        assertSays("foo", get(server, "/foo/d"));
        server.removeContext("/foo/deep");
        assertSays("foo", get(server, "/foo/deep"));
        server.removeContext(foo);
        assertTrue(get(server, "/foo").startsWith("HTTP/1.1 404 "));
        assertThrows(IllegalArgumentException.class, () -> server.removeContext("/foo"));
    }

    /** One that was removed is not the one that has its path by now, nor is another server's. */
    @Test
    void aContextThatIsNoneOfTheServersIsNotRemovedByItsPath() throws Exception {
        HttpServer server = server();
        HttpContext removed = server.createContext("/a", saying("removed"));
        server.removeContext(removed);
        server.createContext("/a", saying("present"));
        HttpContext other = server().createContext("/a", saying("other"));
        for (HttpContext wrong : List.of(removed, other)) {
            assertThrows(IllegalArgumentException.class, () -> server.removeContext(wrong));
        }
        server.start();
        assertSays("present", get(server, "/a"));
    }

    @Test
    void contextsAreNamedByAPathOnce() throws Exception {
        HttpServer server = server();
        HttpContext made = server.createContext("/a", saying("a"));
        assertEquals("/a", made.getPath());
        assertSame(server, made.getServer());
        assertThrows(IllegalArgumentException.class,
                () -> server.createContext("/a", saying("b")));
        assertThrows(IllegalArgumentException.class, () -> server.createContext("a"));
        assertThrows(NullPointerException.class, () -> server.createContext(null));
        assertThrows(NullPointerException.class, () -> server.createContext("/b", null));
        assertThrows(NullPointerException.class, () -> server.removeContext((String) null));
    }

    @Test
    void serverIsBoundOnceAndStartedOnce() throws Exception {
        HttpServer server = new Provider().createHttpServer(null, 0);
        servers.add(server);
        assertNull(server.getAddress());
        assertThrows(IllegalStateException.class, server::start);
        server.bind(loopback(0), 10);
        assertTrue(server.getAddress().getPort() > 0);
        assertEquals(loopback(0).getAddress(), server.getAddress().getAddress());
        assertThrows(BindException.class, () -> server.bind(loopback(0), 10));
        int taken = server.getAddress().getPort();
        assertThrows(BindException.class,
                () -> new Provider().createHttpServer(loopback(taken), 0));
        server.start();
        assertThrows(IllegalStateException.class, server::start);
        assertThrows(IllegalStateException.class, () -> server.setExecutor(Runnable::run));
    }

    @Test
    void wildcardIsEveryAddressOfBothFamilies() throws Exception {
        HttpServer server = new Provider().createHttpServer(new InetSocketAddress(0), 0);
        servers.add(server);
        server.createContext("/", saying("any"));
        server.start();
        assertSays("any", get(server, "/"));
    }

    @Test
    void exchangesRunInTheExecutor() throws Exception {
        HttpServer server = server();
        ExecutorService executor = Executors.newFixedThreadPool(2,
                task -> new Thread(task, "the-executors-own"));
        try {
            server.setExecutor(executor);
            assertSame(executor, server.getExecutor());
            CountDownLatch both = new CountDownLatch(2);
            server.createContext("/", exchange -> {
                both.countDown();
                try {
                    both.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                saying(Thread.currentThread().getName()).handle(exchange);
            });
            server.start();
            CompletableFuture<String> first = inAThread(() -> {
                try {
                    return get(server, "/");
                } catch (IOException failure) {
                    return failure.toString();
                }
            });
            assertSays("the-executors-own", get(server, "/"));
            assertSays("the-executors-own", first.get());
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void executorThatRefusesIs503() throws Exception {
        HttpServer server = server();
        server.setExecutor(task -> {
            throw new RejectedExecutionException("full");
        });
        server.createContext("/", saying("never"));
        server.start();
        String refused = get(server, "/");
        assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
    }

    /** What it waits for is a handler that waits for its client, which the loop has to serve. */
    @Test
    void anExecutorThatWaitsForRoomHoldsNobodysAnswer() throws Exception {
        HttpServer server = server();
        Semaphore room = new Semaphore(1);
        server.setExecutor(task -> {
            room.acquireUninterruptibly();
            new Thread(() -> {
                task.run();
                room.release();
            }).start();
        });
        server.createContext("/", ProviderTest::sendLarge);
        server.start();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int count = 0; count < 6; count++) {
            answers.add(inAThread(() -> getLarge(server)));
        }
        for (CompletableFuture<String> answer : answers) {
            assertTrue(answer.get(20, TimeUnit.SECONDS).length() > LARGE);
        }
    }

    @Test
    void anExecutorMayRunItsTasksInItsCaller() throws Exception {
        HttpServer server = server();
        server.setExecutor(Runnable::run);
        server.createContext("/", ProviderTest::sendLarge);
        server.start();
        assertTrue(getLarge(server).length() > LARGE);
        assertTrue(getLarge(server).length() > LARGE);
    }

    /** More than any socket and pipe keep, so its handler waits. */
    private static void sendLarge(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, LARGE);
        exchange.getResponseBody().write(new byte[LARGE]);
        exchange.close();
    }

    private static String getLarge(HttpServer server) {
        try {
            return get(server, "/");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void withoutAnExecutorOneThreadAnswersAll() throws Exception {
        HttpServer server = server();
        server.createContext("/", exchange ->
                saying(Thread.currentThread().getName()).handle(exchange));
        server.start();
        String first = get(server, "/");
        assertTrue(first.contains("m0-handler-"), first);
        assertEquals(first.substring(first.indexOf("\r\n\r\n")),
                second(get(server, "/")));
    }

    private static String second(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n"));
    }

    @Test
    void filtersAndAttributesAreTheContexts() throws Exception {
        HttpServer server = server();
        HttpContext context = server.createContext("/", exchange ->
                saying(exchange.getAttribute("greeting") + " "
                        + exchange.getResponseHeaders().getFirst("X-Order")).handle(exchange));
        context.getAttributes().put("greeting", "hello");
        for (String name : List.of("1", "2")) {
            context.getFilters().add(new Filter() {
                @Override
                public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                    String before = exchange.getResponseHeaders().getFirst("X-Order");
                    exchange.getResponseHeaders().set("X-Order",
                            (before == null ? "" : before) + name);
                    chain.doFilter(exchange);
                }

                @Override
                public String description() {
                    return name;
                }
            });
        }
        server.createContext("/other", exchange ->
                saying(String.valueOf(exchange.getAttribute("greeting"))).handle(exchange));
        server.start();
        assertSays("hello 12", get(server, "/"));
        assertSays("null", get(server, "/other"));
    }

    @Test
    void authenticatorIsAskedBehindTheFilters() throws Exception {
        assertAsksBehindTheFilters(server());
    }

    /** The same questions to the JDK's own server, whose order is ours. */
    @Test
    void theJdksServerAsksItsAuthenticatorThereToo() throws Exception {
        HttpServer jdks = HttpServer.create(loopback(0), 0);
        servers.add(jdks);
        assertEquals("sun.net.httpserver.HttpServerImpl", jdks.getClass().getName());
        assertAsksBehindTheFilters(jdks);
    }

    private static void assertAsksBehindTheFilters(HttpServer server) throws IOException {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        HttpContext context = server.createContext("/", exchange ->
                saying(exchange.getPrincipal().getUsername()).handle(exchange));
        assertNull(context.setAuthenticator(new BasicAuthenticator("here") {
            @Override
            public boolean checkCredentials(String user, String password) {
                return user.equals("a") && password.equals("b");
            }
        }));
        context.getFilters().add(new Filter() {
            @Override
            public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                seen.add("before " + exchange.getPrincipal());
                exchange.getResponseHeaders().set("X-Allowed", "all");
                if (exchange.getRequestMethod().equals("OPTIONS")) {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                    return;
                }
                chain.doFilter(exchange);
                seen.add("behind " + exchange.getResponseCode() + ' ' + exchange.getPrincipal());
            }

            @Override
            public String description() {
                return "allows";
            }
        });
        server.start();
        String refused = get(server, "/");
        assertTrue(refused.startsWith("HTTP/1.1 401 Unauthorized\r\n"), refused);
        String fields = refused.toLowerCase(Locale.ROOT);
        assertTrue(fields.contains("\r\nwww-authenticate: basic realm=\"here\""), refused);
        assertTrue(fields.contains("\r\nx-allowed: all\r\n"), refused);
        assertSays("a", ask(server, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + "Authorization: Basic YTpi\r\n\r\n"));
        // It answers last: one thread answers all, and has left the filter of those before by then.
        String allowed = ask(server, "OPTIONS / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assertTrue(allowed.startsWith("HTTP/1.1 204 No Content\r\n"), allowed);
        assertEquals(List.of("before null", "behind 401 null", "before null", "behind 200 here:a",
                "before null"), seen);
    }

    @Test
    void errorOfAHandlerIsOneRequestsEnd() throws Exception {
        HttpServer server = server();
        server.createContext("/", saying("well"));
        server.createContext("/error", exchange -> {
            throw new AssertionError("broken");
        });
        server.start();
        String failed = get(server, "/error");
        assertTrue(failed.startsWith("HTTP/1.1 500 "), "answered <" + failed + ">");
        assertSays("well", get(server, "/"));
    }

    /** No loop takes its answer any more: it does not wait for room that nobody makes. */
    @Test
    void aHandlerThatWritesBehindTheStopLearnsThatNobodySendsIt() throws Exception {
        HttpServer server = server();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<String> thrown = new CompletableFuture<>();
        server.createContext("/", exchange -> {
            asked.countDown();
            try {
                release.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            try {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(new byte[4 * HostExchange.HELD_BYTES_MAX]);
                thrown.complete("nothing");
            } catch (IOException gone) {
                thrown.complete(gone.getMessage());
            }
        });
        server.start();
        try (Socket client = new Socket(loopback(0).getAddress(), server.getAddress().getPort())) {
            client.getOutputStream().write(
                    "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            asked.await();
            server.stop(0);
        } finally {
            release.countDown();
        }
        assertEquals("the connection has ended", thrown.get(20, TimeUnit.SECONDS));
    }

    /** At once, whatever is in flight: that is cut, and its thread let alone. */
    @Test
    void stopWithoutADelayCutsWhatIsInFlight() throws Exception {
        System.setProperty("m0.drain-timeout-ms", "60000");
        HttpServer server = server();
        System.clearProperty("m0.drain-timeout-ms");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            asked.countDown();
            try {
                release.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
        CompletableFuture<String> answer = inAThread(() -> {
            try {
                return get(server, "/");
            } catch (IOException reset) {
                return "";
            }
        });
        asked.await();
        try {
            server.stop(0);
            assertEquals("", answer.get(20, TimeUnit.SECONDS));
            assertThrows(ConnectException.class, () -> get(server, "/"));
        } finally {
            release.countDown();
        }
    }

    @Test
    void stopWaitsForWhatIsInFlightAndNoLongerThanItsDelay() throws Exception {
        HttpServer server = server();
        CountDownLatch asked = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            asked.countDown();
            pause(300);
            saying("whole").handle(exchange);
        });
        server.start();
        CompletableFuture<String> answer = inAThread(() -> {
            try {
                return get(server, "/");
            } catch (IOException failure) {
                return failure.toString();
            }
        });
        asked.await();
        long sinceNs = System.nanoTime();
        server.stop(50);
        assertTrue((System.nanoTime() - sinceNs) / NS_PER_MS < 40_000, "it waited for the delay");
        assertSays("whole", answer.get());
        assertThrows(IllegalArgumentException.class, () -> server.stop(-1));
    }

    private static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void serverThatNeverStartedIsStoppedToo() throws Exception {
        HttpServer next = null;
        for (int turn = 0; next == null; turn++) {
            HttpServer server = server();
            int port = server.getAddress().getPort();
            server.stop(0);
            assertThrows(IllegalStateException.class, server::start);
            try {
                next = new Provider().createHttpServer(loopback(port), 0);
                assertEquals(port, next.getAddress().getPort());
            } catch (BindException taken) {
                // Another process of this machine may have got the port since it is free.
                assertTrue(turn < 5, "a server that was stopped keeps its port");
            }
        }
        servers.add(next);
    }

    @Test
    void settingsComeFromSystemPropertiesAndAreJudged() throws Exception {
        System.setProperty("m0.max-body", "3");
        try {
            HttpServer server = server();
            server.createContext("/", saying("taken"));
            server.start();
            assertTrue(ask(server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nfour")
                    .startsWith("HTTP/1.1 413 "));
            System.setProperty("m0.max-body", "lots");
            String refusal = assertThrows(IllegalArgumentException.class, this::server).getMessage();
            assertTrue(refusal.startsWith("-Dm0.max-body=lots cannot be read as "), refusal);
        } finally {
            System.clearProperty("m0.max-body");
        }
    }

    @Test
    void tlsIsRefusedWithWhatToDo() {
        String said = assertThrows(UnsupportedOperationException.class,
                () -> new Provider().createHttpsServer(loopback(0), 0)).getMessage();
        assertTrue(said.contains("sun.net.httpserver.DefaultHttpServerProvider"), said);
    }

    /** A service file would capture every program that has the jar on its class path. */
    @Test
    void onlyThePropertyChoosesIt() {
        assertFalse(java.util.ServiceLoader.load(
                com.sun.net.httpserver.spi.HttpServerProvider.class).stream()
                .anyMatch(each -> each.type() == Provider.class));
        assertInstanceOf(com.sun.net.httpserver.spi.HttpServerProvider.class, new Provider());
    }
}
