package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Producer;
import m0.http.Request;
import m0.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Answers with its name, and counts what is made and closed. */
    private static class Named implements App {
        final String name;
        final AtomicInteger closed = new AtomicInteger();
        final AtomicReference<HostContext> context = new AtomicReference<>();
        final AtomicReference<String> thread = new AtomicReference<>();

        Named(String name) {
            this.name = name;
        }

        @Override
        public Set<String> settings() {
            return Set.of("M0_OWN");
        }

        @Override
        public AppHandler make(HostContext given) throws Exception {
            context.set(given);
            thread.set(Thread.currentThread().getName());
            return new AppHandler() {
                @Override
                public Response handle(Request request) {
                    if (request.pathIs("/error")) {
                        throw new StackOverflowError("asked for");
                    }
                    return Response.text(200, name);
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        }
    }

    @Test
    void servesOnAFreePortUntilItIsStopped() throws Exception {
        Named app = new Named("one");
        Server server = Server.start(config().build(), app);
        assertNotEquals(0, server.port());
        assertTrue(get(server.port(), "/").endsWith("\r\n\r\none"));
        assertTrue(server.stop(PATIENCE));
        server.awaitStopped();
        assertThrows(ConnectException.class, () -> get(server.port(), "/"));
        assertEquals(1, app.closed.get());
        assertTrue(server.stop(PATIENCE), "a second stop finds nothing to do");
    }

    @Test
    void knowsHowManyConnectionsItsLoopsHold() throws Exception {
        Server server = Server.start(config().build(), new Named("held"));
        assertEquals(0, server.connections());
        try (Socket first = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Socket second = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            while (server.connections() < 2) {
                Thread.sleep(5);
            }
            assertTrue(first.isConnected() && second.isConnected());
        }
        assertTrue(server.stop(PATIENCE));
    }

    @Test
    void severalServeInOneProcess() throws Exception {
        Server one = Server.start(config().build(), new Named("one"));
        Server two = Server.start(config().build(), new Named("two"));
        assertTrue(get(one.port(), "/").endsWith("one"));
        assertTrue(get(two.port(), "/").endsWith("two"));
        assertTrue(one.stop(PATIENCE));
        assertTrue(get(two.port(), "/").endsWith("two"));
        assertTrue(two.stop(PATIENCE));
    }

    @Test
    void secondServerOnAPortIsRefused() throws Exception {
        Server first = Server.bind(config().build());
        assertThrows(BindException.class, () -> Server.bind(config().port(first.port()).build()));
        assertThrows(BindException.class,
                () -> Server.bind(config().host("0.0.0.0").port(first.port()).build()));
        assertTrue(first.stop(PATIENCE));
        assertTrue(Server.bind(config().port(first.port()).build()).stop(PATIENCE),
                "a server that never started lets go of its port");
    }

    @Test
    void handlerIsMadeOnItsLoopsThreadAndToldWhereItIs() throws Exception {
        Named app = new Named("one");
        Server server = Server.start(config().set(Setting.MAX_CONNECTIONS, "7")
                .variable("M0_OWN", "x").variable("M0_FOREIGN", "y").build(), app);
        HostContext context = app.context.get();
        assertTrue(server.stop(PATIENCE));
        assertEquals("m0-loop-0", app.thread.get());
        assertEquals(0, context.worker());
        assertEquals(1, context.workers());
        assertEquals(-1, context.thread());
        assertEquals(7, context.capacity());
        assertEquals("", context.prefix());
        assertFalse(context.threaded());
        assertEquals("x", context.setting("M0_OWN"));
        assertEquals(null, context.setting("M0_FOREIGN"), "not one of its settings");
        assertEquals("8k", context.setting("M0_MAX_TARGET"));
        assertEquals("7", context.setting("M0_MAX_CONNECTIONS"));
        assertEquals(null, context.setting("M0_ORIGINS"));
    }

    @Test
    void makeThatThrowsRefusesBeforeAnythingIsAccepted() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        Server server = Server.bind(config().build());
        App refusing = context -> {
            connected.await();
            throw new IOException("no licence");
        };
        try (Socket early = connect(server.port())) {
            early.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
            connected.countDown();
            IllegalStateException refused =
                    assertThrows(IllegalStateException.class, () -> server.start(refusing));
            assertEquals("the application's make threw on loop 0: java.io.IOException: no licence",
                    refused.getMessage());
            assertEquals(IOException.class, refused.getCause().getClass());
            assertThrows(IOException.class, () -> {
                if (early.getInputStream().read() < 0) {
                    throw new IOException("closed unanswered");
                }
            });
        }
        assertThrows(ConnectException.class, () -> connect(server.port()).close());
    }

    @Test
    void everyLoopHasAHandlerMadeOnItsThreadAndTheSamePage() throws Exception {
        List<String> made = Collections.synchronizedList(new ArrayList<>());
        AtomicLong sum = new AtomicLong();
        App app = new App() {
            @Override
            public int pageSlots(int loops) {
                return 2 * loops;
            }

            @Override
            public AppHandler make(HostContext context) {
                made.add(Thread.currentThread().getName() + " " + context.worker() + " of "
                        + context.workers() + " " + context.threaded() + " "
                        + context.page().count());
                // Whichever of the loops comes to say so last.
                sum.accumulateAndGet(context.page().add(3, 1L << context.worker()), Math::max);
                return request -> Response.text(200, "loop " + context.worker());
            }
        };
        Server server = Server.start(config().set(Setting.THREADS, "3").build(), app);
        assertTrue(get(server.port(), "/").contains("loop "));
        assertTrue(server.stop(PATIENCE));
        Collections.sort(made);
        assertEquals(List.of("m0-loop-0 0 of 3 true 6", "m0-loop-1 1 of 3 true 6",
                "m0-loop-2 2 of 3 true 6"), made);
        assertEquals(0b111, sum.get());
        assertThrows(ConnectException.class, () -> get(server.port(), "/"));
    }

    @Test
    void pageThatCannotBeIsRefused() throws Exception {
        App app = new App() {
            @Override
            public int pageSlots(int loops) {
                return -1;
            }

            @Override
            public AppHandler make(HostContext context) {
                throw new AssertionError("nothing is made without a page");
            }
        };
        Server server = Server.bind(config().build());
        assertEquals("the application's pageSlots cannot be served: loops=1 applicationWords=-1",
                assertThrows(IllegalStateException.class, () -> server.start(app)).getMessage());
        assertThrows(ConnectException.class, () -> connect(server.port()).close());
    }

    @Test
    void makeThatDoesNotReturnIsGivenUpByTheLoopsName() throws Exception {
        int boundMs = 300;
        String refusal = refusalOfALateLoop(boundMs);
        // Where the machine has held loop 0 for as long, that was late as well.
        for (int round = 0; round < 2 && refusal.startsWith("loop 0 "); round++) {
            boundMs *= 10;
            refusal = refusalOfALateLoop(boundMs);
        }
        assertEquals("loop 1 is still building its handler after " + boundMs + " ms", refusal);
    }

    private static String refusalOfALateLoop(int boundMs) throws Exception {
        CountDownLatch given = new CountDownLatch(1);
        Server server = Server.bind(config().set(Setting.THREADS, "2").build(),
                boundMs * 1_000_000L);
        Named named = new Named("late");
        App app = context -> {
            if (context.worker() == 1) {
                given.await();
            }
            return named.make(context);
        };
        try {
            String refusal = assertThrows(IllegalStateException.class, () -> server.start(app))
                    .getMessage();
            Listening.awaitEnd(server.port());
            return refusal;
        } finally {
            given.countDown();
        }
    }

    @Test
    void loopThatEndsByAnErrorEndsItsSiblings() throws Exception {
        Server server = Server.start(config().set(Setting.THREADS, "3").build(), new Named("n"));
        assertThrows(IOException.class, () -> {
            if (get(server.port(), "/error").isEmpty()) {
                throw new IOException("closed unanswered");
            }
        });
        IllegalStateException told =
                assertThrows(IllegalStateException.class, server::awaitStopped);
        assertTrue(told.getMessage().matches(
                "loop [0-2] ended by java.lang.StackOverflowError: asked for"), told.getMessage());
        assertThrows(ConnectException.class, () -> get(server.port(), "/"));
    }

    @Test
    void makeThatReturnsNothingIsRefused() throws Exception {
        Server server = Server.bind(config().build());
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> server.start(context -> null));
        assertEquals("the application's make threw on loop 0: make returned null",
                refused.getMessage());
    }

    @Test
    void tickMsThatThrowsIsARefusal() throws Exception {
        Server server = Server.bind(config().build());
        StartRefusedException refused = assertThrows(StartRefusedException.class,
                () -> server.launch(Service.alone(context -> new AppHandler() {
                    @Override
                    public Response handle(Request request) {
                        throw new AssertionError("nothing is served");
                    }

                    @Override
                    public long tickMs() {
                        throw new IllegalArgumentException("no interval");
                    }
                }), null));
        assertEquals("the application's tickMs threw on loop 0: no interval",
                refused.getMessage());
        assertEquals(78, refused.exit());
        assertThrows(ConnectException.class, () -> connect(server.port()).close());
    }

    @Test
    void whatAnOperatorIsRefusedAnEmbedderIsRefusedToo() throws Exception {
        App single = new App() {
            @Override
            public AppHandler make(HostContext context) {
                throw new AssertionError("nothing is made");
            }

            @Override
            public int maxThreads() {
                return 1;
            }
        };
        for (Setting setting : List.of(Setting.BLOCKING_THREADS, Setting.THREADS)) {
            Server server = Server.bind(config().set(setting, "2").build());
            String finding = assertThrows(IllegalStateException.class, () -> server.start(single))
                    .getMessage();
            assertTrue(finding.startsWith(setting.flag() + " 2 is more than application "
                    + single.getClass().getName() + " allows, "), finding);
            assertThrows(ConnectException.class, () -> connect(server.port()).close());
        }
    }

    /** A producer that counts its steps and publishes each. */
    private static final class Counting extends Named {
        final AtomicInteger producersMade = new AtomicInteger();
        final AtomicInteger producersClosed = new AtomicInteger();
        final AtomicReference<String> stepThread = new AtomicReference<>();
        final CountDownLatch threeSteps = new CountDownLatch(3);

        Counting() {
            super("one");
        }

        @Override
        public Producer producer(HostContext context) {
            producersMade.incrementAndGet();
            return new Producer() {
                @Override
                public long step() {
                    stepThread.set(Thread.currentThread().getName());
                    context.publisher().publish("beats", "", ByteBuffer.allocate(1));
                    threeSteps.countDown();
                    return 1_000_000;
                }

                @Override
                public void close() {
                    producersClosed.incrementAndGet();
                }
            };
        }
    }

    @Test
    void producerIsSteppedUntilTheStopAndClosedOnce() throws Exception {
        Counting app = new Counting();
        Server server = Server.start(config().build(), app);
        app.threeSteps.await();
        assertTrue(get(server.port(), "/").endsWith("one"));
        assertEquals(0, app.producersClosed.get());
        assertTrue(server.stop(PATIENCE));
        assertEquals(1, app.producersMade.get());
        assertEquals(1, app.producersClosed.get());
        assertEquals("m0-producer", app.stepThread.get());
        assertFalse(server.hasAbandoned());
    }

    @Test
    void producerThatThrowsIsRefusedWithItsMessage() throws Exception {
        Named app = new Named("one") {
            @Override
            public Producer producer(HostContext context) throws Exception {
                throw new IOException("no device");
            }
        };
        Server server = Server.bind(config().build());
        assertEquals("the application's producer threw: java.io.IOException: no device",
                assertThrows(IllegalStateException.class, () -> server.start(app)).getMessage());
    }

    @Test
    void loopThatEndsByAnErrorIsTold() throws Exception {
        Server server = Server.start(config().build(), new Named("one"));
        assertThrows(IOException.class, () -> {
            if (get(server.port(), "/error").isEmpty()) {
                throw new IOException("closed unanswered");
            }
        });
        IllegalStateException told =
                assertThrows(IllegalStateException.class, server::awaitStopped);
        assertEquals("loop 0 ended by java.lang.StackOverflowError: asked for",
                told.getMessage());
        assertEquals(StackOverflowError.class, told.getCause().getClass());
    }

    @Test
    void stopIsNotReadyAndServesOnForTheDrainDelay() throws Exception {
        int delayMs = 1000;
        while (!servesOnNotReady(delayMs)) {
            delayMs *= 4;
            assertTrue(delayMs < 20_000, "the drain delay was not to be seen");
        }
    }

    /** False where this thread was held until the delay was over. */
    private static boolean servesOnNotReady(int delayMs) throws Exception {
        Server server = Server.start(config().set(Setting.METRICS, "1")
                .set(Setting.DRAIN_DELAY_MS, String.valueOf(delayMs)).build(), new Named("one"));
        assertTrue(get(server.port(), "/__ready").startsWith("HTTP/1.1 200"));
        long sinceNs = System.nanoTime();
        Thread stopping = new Thread(() -> {
            try {
                server.stop(PATIENCE);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        stopping.start();
        boolean seen = false;
        try {
            String ready = get(server.port(), "/__ready");
            while (ready.startsWith("HTTP/1.1 200")) {
                ready = get(server.port(), "/__ready");
            }
            String answer = get(server.port(), "/");
            seen = ready.startsWith("HTTP/1.1 503") && answer.contains("Connection: close");
            assertTrue(seen || isOver(sinceNs, delayMs), ready + answer);
        } catch (IOException cut) {
            assertTrue(isOver(sinceNs, delayMs), "within the delay: " + cut);
        }
        stopping.join();
        assertThrows(ConnectException.class, () -> get(server.port(), "/"));
        return seen;
    }

    /** Its clock looks in milliseconds, so a few less may have been enough. */
    private static boolean isOver(long sinceNs, int delayMs) {
        return System.nanoTime() - sinceNs > (delayMs - 10) * 1_000_000L;
    }

    @Test
    void startsOnce() throws Exception {
        Server server = Server.start(config().build(), new Named("one"));
        assertThrows(IllegalStateException.class, () -> server.start(new Named("two")));
        assertTrue(server.stop(PATIENCE));
    }

    @Test
    void configurationIsJudgedAsAnOperatorsIs() {
        assertEquals("--port 70000 is not in 0..65535",
                assertThrows(IllegalArgumentException.class, () -> config().port(70_000).build())
                        .getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> config().set(Setting.THREADS, "0").build());
        assertThrows(IllegalArgumentException.class,
                () -> config().set(Setting.MAX_BODY, "lots").build());
        assertThrows(IllegalArgumentException.class, () -> config().host("example.org").build());
    }

    /** There are no words for it, so that a loop which counted would end by an exception. */
    @Test
    void withoutMetricsALoopCountsNothing() throws Exception {
        Server server = Server.start(config().build(), new Named("one"));
        String answer;
        try {
            answer = get(server.port(), "/");
        } catch (IOException cut) {
            answer = "cut: " + cut;
        }
        assertTrue(server.stop(PATIENCE));
        server.awaitStopped();
        assertTrue(answer.endsWith("\r\n\r\none"), answer);
    }

    private static ServerConfig.Builder config() {
        return ServerConfig.builder().host("127.0.0.1").port(0);
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static String get(int port, String path) throws IOException {
        try (Socket socket = connect(port)) {
            socket.getOutputStream().write(("GET " + path
                    + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").getBytes());
            return new String(socket.getInputStream().readAllBytes(),
                    StandardCharsets.ISO_8859_1);
        }
    }
}
