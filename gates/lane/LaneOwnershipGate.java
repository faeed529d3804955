package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import kit.Upload;
import org.junit.jupiter.api.Test;

/**
 * M19, C105: from the push to the completion a request, its bytes and its slot are the pool
 * thread's. pool_spike's {@code /late} reads what it was asked behind a sleep, so that it shows
 * whose bytes lie there by then.
 */
@Gate
class LaneOwnershipGate {
    private static final int ROUNDS = 1000;
    private static final int PAIRS = 4;
    private static final int OUT_MS = 8;
    private static final int OUT_MS_MAX = 72;
    private static final String HELD = "GET /held HTTP/1.1\r\nHost: gate\r\n\r\n";
    private static final Duration BOUND = Duration.ofSeconds(20);
    /** For 32 MB that go through a window of 16 KiB. */
    private static final Duration SLOW_BOUND = Duration.ofSeconds(60);

    /**
     * In each round one client vanishes while its job is out and another takes its slot, of which
     * there are no more than pairs of them. Every other one vanishes with a reset. On a
     * busy machine many vanish before they are read: then they stay longer.
     */
    @Test
    void theNextOwnerOfASlotReadsItsOwnAnswerAlone() {
        try (ServerProcess server = spike(PAIRS)
                .set("M0_MAX_CONNECTIONS", String.valueOf(PAIRS)).start()) {
            long begun = 0;
            for (int outMs = OUT_MS; begun <= 1.8 * ROUNDS && outMs <= OUT_MS_MAX; outMs *= 3) {
                begun = begunInRounds(server, outMs);
            }
            assertTrue(begun > 1.8 * ROUNDS,
                    "vacuous: " + begun + " jobs were begun in " + ROUNDS + " rounds");
        }
    }

    private static long begunInRounds(ServerProcess server, int outMs) {
        long before = begun(server);
        var failure = new AtomicReference<Throwable>();
        List<Thread> threads = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            int first = pair * ROUNDS / PAIRS;
            Thread thread = new Thread(() -> rounds(server, outMs, first, ROUNDS / PAIRS, failure),
                    "pair-" + pair);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        threads.forEach(LaneOwnershipGate::join);
        if (failure.get() != null) {
            throw new AssertionError(failure.get().getMessage(), failure.get());
        }
        return begun(server) - before;
    }

    private static long begun(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            return Said.number(client, "/begun", "begun");
        }
    }

    private static void rounds(ServerProcess server, int outMs, int first, int count,
            AtomicReference<Throwable> failure) {
        try {
            for (int round = first; round < first + count && failure.get() == null; round++) {
                RawClient gone = RawClient.connect(server);
                gone.send(late(outMs, "gone-" + round, "its body " + round));
                // Until it has been read and given to a thread, which is then to sleep on.
                ServerProcess.pause(outMs / 2);
                if (round % 2 == 0) {
                    gone.reset();
                } else {
                    gone.close();
                }
                try (RawClient next = RawClient.connect(server)) {
                    next.send(late(1, "next-" + round, "my body " + round));
                    expectLate(next.read("GET", BOUND), 1, "next-" + round, "my body " + round);
                }
            }
        } catch (AssertionError failed) {
            failure.compareAndSet(null, failed);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(110_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the gate was interrupted", interrupted);
        }
    }

    /** One slot: who comes next is not let in before the job of the one who has gone is back. */
    @Test
    void aSlotStaysBorrowedUntilItsJobIsBack() {
        try (ServerProcess server = spike(1).set("M0_MAX_CONNECTIONS", "1").start()) {
            RawClient gone = RawClient.connect(server);
            gone.get("/loop").expect(200);
            long sinceNs = System.nanoTime();
            gone.send(late(600, "gone", ""));
            // A reset that comes before takes the request along.
            gone.awaitTaken();
            gone.reset();
            try (RawClient next = RawClient.connect(server)) {
                next.get("/loop").expect(200);
                long ms = (System.nanoTime() - sinceNs) / 1_000_000;
                assertTrue(ms >= 580, "the slot had a new owner after " + ms
                        + " ms, and its job was out for 600");
                assertEquals(1, Said.number(next, "/begun", "begun"), "vacuous: it never ran");
                next.expectSilence(100);
            }
        }
    }

    @Test
    void aHalfCloseDuringAJobIsAnsweredWithClose() {
        try (ServerProcess server = spike(1).start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            client.send(HELD + late(1, "second", ""));
            awaitBegun(other);
            client.shutdownOutput();
            other.get("/release").expect(200);
            assertEquals(0, Said.thread(client.read()));
            Reply last = client.read().expectClose();
            expectLate(last, 1, "second", "");
            client.expectEnd();
        }
    }

    @Test
    void aHalfCloseBehindTheOnlyRequestIsAnsweredWithCloseToo() {
        try (ServerProcess server = spike(1).start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            // The host looks for a FIN behind a connection's first request in any case.
            client.get("/loop").expect(200);
            client.send(HELD);
            awaitBegun(other);
            client.shutdownOutput();
            other.get("/release").expect(200);
            assertEquals(0, Said.thread(client.read().expectClose()));
            client.expectEnd();
        }
    }

    private static void awaitBegun(RawClient other) {
        ServerProcess.await("the job to begin", RawClient.WAIT,
                () -> Said.number(other, "/begun", "begun") == 1);
    }

    @Test
    void whatIsPipelinedBehindAJobIsAnsweredInOrder() {
        try (ServerProcess server = spike(3).start();
                RawClient client = RawClient.connect(server)) {
            var requests = new StringBuilder();
            for (int index = 0; index < 30; index++) {
                requests.append(late(index % 3 == 0 ? 20 : 0, "n" + index, "body " + index));
                requests.append("GET /loop HTTP/1.1\r\nHost: a\r\n\r\n");
                requests.append("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            client.send(requests.toString());
            for (int index = 0; index < 30; index++) {
                expectLate(client.read(), index % 3 == 0 ? 20 : 0, "n" + index, "body " + index);
                assertEquals(-1, Said.thread(client.read()));
                assertTrue(Said.thread(client.read()) >= 0);
            }
        }
    }

    /** In pieces before, during and behind the job, and more than a buffer or two hold. */
    @Test
    void whatIsSentDuringAJobIsKept() {
        try (ServerProcess server = spike(1).start();
                RawClient client = RawClient.connect(server)) {
            String body = "0123456789".repeat(200_000);
            String second = late(0, "second", body);
            client.send(late(400, "first", "") + second.substring(0, 30));
            ServerProcess.pause(50);
            client.send(second.substring(30, 60));
            Upload rest = client.upload(RawClient.bytes(second.substring(60)), 1);
            expectLate(client.read(), 400, "first", "");
            expectLate(client.read(), 0, "second", body);
            assertEquals(second.length() - 60, rest.join(BOUND).sentBytes());
        }
    }

    /** One thread; a body that is still coming does not keep it from anybody. */
    @Test
    void aSlowSenderNeverReachesTheLane() {
        try (ServerProcess server = spike(1).start();
                RawClient slow = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            slow.send("POST /late?say=slow HTTP/1.1\r\nHost: gate\r\nContent-Length: 40\r\n\r\n");
            for (int count = 1; count < 10; count++) {
                slow.send("drip");
                ServerProcess.pause(30);
                assertEquals(0, Said.thread(other.get("/fast")));
                assertEquals(0, Said.number(other, "/begun", "begun"),
                        "it was begun with " + 4 * count + " of 40 bytes");
            }
            slow.send("drip");
            assertTrue(slow.read().expect(200).text().endsWith(" " + "drip".repeat(10) + "\n"));
        }
    }

    /** One thread; 32 MB of answer that nobody reads do not keep it from anybody. */
    @Test
    void aSlowReaderNeverHoldsAThread() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_BLOCKING_THREADS", "1").start();
                RawClient slow = RawClient.connectWithReceiveBuffer(server, 16 * 1024);
                RawClient other = RawClient.connect(server)) {
            slow.send("GET /bytes?n=32000000 HTTP/1.1\r\nHost: gate\r\n\r\n").awaitBytes();
            for (int count = 0; count < 20; count++) {
                other.get("/pid").expect(200);
            }
            slow.send("GET /file?bytes=1000000 HTTP/1.1\r\nHost: gate\r\n\r\n");
            other.get("/pid").expect(200);
            assertEquals(32_000_000, slow.read("GET", SLOW_BOUND).expect(200).body().length);
            assertEquals(1_000_000, slow.read().expect(200).body().length);
        }
    }

    /** A selector reports a FIN or a reset for as long as somebody asks for it. */
    @Test
    void aJobWhoseClientHasGoneCostsNoCpu() {
        for (boolean reset : new boolean[] {true, false}) {
            try (ServerProcess server = spike(1).start();
                    RawClient client = RawClient.connect(server);
                    RawClient other = RawClient.connect(server)) {
                client.get("/loop").expect(200);
                client.send(HELD + "GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
                awaitBegun(other);
                if (reset) {
                    client.reset();
                } else {
                    client.shutdownOutput();
                }
                ServerProcess.pause(100);
                // What a JVM does for itself it does once; a selector that spins does not rest.
                double spent = server.quietCpuSeconds(1500, 0.2);
                assertTrue(spent < 0.2, "beside a job whose client has "
                        + (reset ? "reset" : "half-closed") + " the host spent " + spent
                        + " CPU-seconds in 1.5 s");
            }
        }
    }

    private static String late(int ms, String say, String body) {
        return "POST /late?ms=" + ms + "&say=" + say + " HTTP/1.1\r\nHost: gate\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static void expectLate(Reply answer, int ms, String say, String body) {
        String text = answer.expect(200).text();
        String wanted = " /late?ms=" + ms + "&say=" + say + " " + body + "\n";
        if (!text.startsWith("late thread=") || !text.endsWith(wanted)) {
            throw new AssertionError("a foreign answer to <" + wanted.strip() + ">: "
                    + text.substring(0, Math.min(200, text.length())));
        }
    }

    private static ServerProcess.Plan spike(int threads) {
        return ServerProcess.app("pool_spike").set("M0_BLOCKING_THREADS", String.valueOf(threads));
    }
}
