package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.http.Request;
import m0.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** E26, E27, H2, H6: a server with pool threads behind its loops. */
@Timeout(60)
class ServerLaneTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    /** Handlers that say where they were made, where they answer and where they are closed. */
    private class Placed implements App {
        @Override
        public AppHandler make(HostContext context) throws Exception {
            String name = "loop " + context.worker() + " thread " + context.thread();
            seen.add("make " + name + " on " + Thread.currentThread().getName());
            return new AppHandler() {
                @Override
                public Response beforeRequest(Request request) {
                    seen.add("before " + name);
                    return null;
                }

                @Override
                public Response handle(Request request) throws Exception {
                    return answer(name);
                }

                @Override
                public void close() {
                    seen.add("close " + name + " on " + Thread.currentThread().getName());
                }
            };
        }

        Response answer(String name) throws Exception {
            return Response.text(200, name);
        }
    }

    @Test
    void everyThreadHasAHandlerOfItsOwnBesideTheLoops() throws Exception {
        Server server = Server.start(config().set(Setting.THREADS, "2")
                .set(Setting.BLOCKING_THREADS, "3").build(), new Placed());
        assertTrue(server.stop(PATIENCE));
        List<String> expected = new ArrayList<>();
        for (String what : List.of("close", "make")) {
            for (int loop = 0; loop < 2; loop++) {
                expected.add(what + " loop " + loop + " thread -1 on m0-loop-" + loop);
                for (int thread = 0; thread < 3; thread++) {
                    expected.add(what + " loop " + loop + " thread " + thread + " on m0-handler-"
                            + loop + "-" + thread);
                }
            }
        }
        assertEquals(expected, seen.stream().sorted().toList());
        assertFalse(server.hasAbandoned());
    }

    @Test
    void aPoolThreadAnswersAndTheLoopLooksFirst() throws Exception {
        Server server = Server.start(config().set(Setting.BLOCKING_THREADS, "1").build(),
                new Placed());
        assertTrue(get(server.port()).endsWith("\r\n\r\nloop 0 thread 0"));
        assertTrue(seen.contains("before loop 0 thread -1"), seen.toString());
        assertTrue(server.stop(PATIENCE));
        assertEquals("close loop 0 thread -1 on m0-loop-0", seen.get(seen.size() - 1),
                "the loop's handler is closed behind the lane's");
    }

    @Test
    void streamsAreRefusedToAPoolThreadByName() throws Exception {
        List<HostContext> contexts = Collections.synchronizedList(new ArrayList<>());
        Server server = Server.start(config().set(Setting.BLOCKING_THREADS, "1").build(),
                context -> {
                    contexts.add(context);
                    return request -> Response.empty(204);
                });
        assertTrue(server.stop(PATIENCE));
        for (HostContext context : contexts) {
            if (context.onLoop()) {
                assertTrue(context.streams() != null && context.tickOwner());
            } else {
                assertEquals("streams belong to the loop, and this handler is that of thread 0 of"
                        + " loop 0 (reach them from beforeRequest or from a hook)",
                        assertThrows(IllegalStateException.class, context::streams).getMessage());
                assertFalse(context.tickOwner());
            }
        }
        assertEquals(2, contexts.size());
    }

    /** Whichever thread it is, at one loop and at two, nothing is served. */
    @Test
    void aPoolMakeThatThrowsIsRefusedByThreadAndLoop() throws Exception {
        for (int loops = 1; loops <= 2; loops++) {
            int last = loops - 1;
            App app = context -> {
                if (context.thread() == 1 && context.worker() == last) {
                    throw new IOException("no connection");
                }
                return new Placed().make(context);
            };
            Server server = Server.bind(config().set(Setting.THREADS, String.valueOf(loops))
                    .set(Setting.BLOCKING_THREADS, "2").build());
            IllegalStateException refused =
                    assertThrows(IllegalStateException.class, () -> server.start(app));
            assertEquals("the application's make threw on thread 1 of loop " + last
                    + ": java.io.IOException: no connection", refused.getMessage());
            assertEquals(IOException.class, refused.getCause().getClass());
            Listening.awaitEnd(server.port());
        }
        awaitCloses(() -> count("make "));
        assertEquals(count("make "), count("close "), "what was made is closed: " + seen);
    }

    @Test
    void aPoolMakeThatDoesNotReturnIsGivenUpByThreadAndLoop() throws Exception {
        int boundMs = 1500;
        String wanted = "thread 1 of loop 1 is still building its handler after ";
        String refusal = refusalOfALateThread(boundMs);
        if (!refusal.startsWith(wanted)) {
            // Where the machine has held another thread for as long, that was late as well.
            boundMs = 6000;
            refusal = refusalOfALateThread(boundMs);
        }
        assertEquals(wanted + boundMs + " ms", refusal);
    }

    private String refusalOfALateThread(int boundMs) throws Exception {
        CountDownLatch given = new CountDownLatch(1);
        App app = context -> {
            if (context.thread() == 1 && context.worker() == 1) {
                given.await();
            }
            return new Placed().make(context);
        };
        Server server = Server.bind(config().set(Setting.THREADS, "2")
                .set(Setting.BLOCKING_THREADS, "2").build(), boundMs * 1_000_000L);
        try {
            String refusal = assertThrows(IllegalStateException.class, () -> server.start(app))
                    .getMessage();
            Listening.awaitEnd(server.port());
            return refusal;
        } finally {
            given.countDown();
        }
    }

    /** The loop has its own handler and waits for the lane's when the stop comes. */
    @Test
    void aStopWhileAPoolThreadIsBuildingEndsTheStart() throws Exception {
        CountDownLatch building = new CountDownLatch(2);
        CountDownLatch given = new CountDownLatch(1);
        App app = context -> {
            building.countDown();
            if (!context.onLoop()) {
                given.await();
            }
            return new Placed().make(context);
        };
        Server server = Server.bind(config().set(Setting.BLOCKING_THREADS, "1").build());
        CompletableFuture<Boolean> serves = CompletableFuture.supplyAsync(() -> {
            try {
                return server.launch(Service.alone(app), null);
            } catch (StartRefusedException | InterruptedException refused) {
                throw new AssertionError(refused);
            }
        });
        building.await();
        CompletableFuture.runAsync(() -> {
            try {
                serves.join();
            } finally {
                given.countDown();
            }
        });
        assertTrue(server.stop(PATIENCE));
        assertFalse(serves.get());
        assertEquals(2, count("close "), "what was made is closed: " + seen);
    }

    /** What is still being made then is abandoned when the bound of the stop has passed. */
    @Test
    void aStopDoesNotWaitForAPoolThreadThatIsStillBuilding() throws Exception {
        CountDownLatch building = new CountDownLatch(2);
        CountDownLatch given = new CountDownLatch(1);
        App app = context -> {
            building.countDown();
            if (!context.onLoop()) {
                given.await();
            }
            return new Placed().make(context);
        };
        Server server = Server.bind(config().set(Setting.BLOCKING_THREADS, "1")
                .set(Setting.DRAIN_TIMEOUT_MS, "100").build());
        CompletableFuture<Boolean> serves = CompletableFuture.supplyAsync(() -> {
            try {
                return server.launch(Service.alone(app), null);
            } catch (StartRefusedException | InterruptedException refused) {
                throw new AssertionError(refused);
            }
        });
        building.await();
        try {
            assertTrue(server.stop(PATIENCE), "a loop waits for its lane's handler for ever");
            assertFalse(serves.get());
            assertTrue(server.hasAbandoned());
        } finally {
            given.countDown();
        }
    }

    @Test
    void aJobInFlightIsAnsweredBeforeTheThreadsEnd() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Server server = Server.start(config().set(Setting.BLOCKING_THREADS, "1").build(),
                new Placed() {
                    @Override
                    Response answer(String name) throws Exception {
                        asked.countDown();
                        release.await();
                        return super.answer(name);
                    }
                });
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return get(server.port());
            } catch (IOException cut) {
                return "cut: " + cut;
            }
        });
        asked.await();
        assertFalse(server.stop(Duration.ofMillis(100)), "it waits for the answer");
        release.countDown();
        assertTrue(server.stop(PATIENCE));
        assertTrue(answer.get().endsWith("\r\n\r\nloop 0 thread 0"), answer.get());
        assertFalse(server.hasAbandoned());
    }

    @Test
    void aJobThatDoesNotEndIsAbandonedAndItsHandlerNotClosed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Server server = Server.start(config().set(Setting.BLOCKING_THREADS, "2")
                .set(Setting.DRAIN_TIMEOUT_MS, "100").build(), new Placed() {
                    @Override
                    Response answer(String name) throws Exception {
                        asked.countDown();
                        release.await();
                        return super.answer(name);
                    }
                });
        CompletableFuture<Void> client = CompletableFuture.runAsync(() -> assertThrows(
                IOException.class, () -> {
                    if (get(server.port()).isEmpty()) {
                        throw new IOException("closed unanswered");
                    }
                }));
        asked.await();
        try {
            assertTrue(server.stop(PATIENCE));
            client.join();
            assertTrue(server.hasAbandoned());
            awaitCloses(() -> 2);
            assertEquals(2, count("close "), "the loop's and the idle thread's: " + seen);
        } finally {
            release.countDown();
        }
    }

    /** A thread that is left to itself, after a second or half of one, may close its own later. */
    private void awaitCloses(LongSupplier wanted) throws InterruptedException {
        for (int look = 0; look < 4000 && count("close ") < wanted.getAsLong(); look++) {
            Thread.sleep(5);
        }
    }

    private long count(String words) {
        synchronized (seen) {
            return seen.stream().filter(line -> line.startsWith(words)).count();
        }
    }

    private static ServerConfig.Builder config() {
        return ServerConfig.builder().host("127.0.0.1").port(0);
    }

    private static String get(int port) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(
                    "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes());
            return new String(socket.getInputStream().readAllBytes(),
                    StandardCharsets.ISO_8859_1);
        }
    }
}
