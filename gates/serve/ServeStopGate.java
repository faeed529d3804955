package serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * C105: a writer whose client does not read waits for the send deadline, the connection's end or the
 * stop, and no longer; its thread is the lane's again.
 */
@Gate
@Isolated("it measures how long a stop takes")
class ServeStopGate {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final long DEADLINE_MS = 2000;
    private static final Duration GIVEN_UP = Duration.ofSeconds(25);
    private static final int ALL = 192 * 1024 * 1024;
    private static final int PIECE = 64 * 1024;
    private static final int FEEDS = 1000;
    private static final int ROUNDS_MAX = 3;
    private static final String STRAGGLER = "abandoned handler thread";

    private static RawClient holding(ServerProcess server) {
        RawClient client = RawClient.connectWithReceiveBuffer(server, 16 * 1024);
        client.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
        client.readHead().expect(200);
        return client;
    }

    @Test
    void theSendDeadlineEndsTheWait() {
        try (ServerProcess server = Serving.bareapp().set("M0_BLOCKING_THREADS", "1")
                .set("M0_SEND_TIMEOUT_MS", String.valueOf(DEADLINE_MS)).start()) {
            long sinceNs = System.nanoTime();
            try (RawClient client = holding(server)) {
                // It counts from the last byte the kernel took, whose probes find room for seconds.
                server.awaitStderr("bareapp: a writer ended after ", GIVEN_UP);
                long afterMs = (System.nanoTime() - sinceNs) / 1_000_000;
                Figures.add(ServeStopGate.class, "a writer whose client does not read", afterMs,
                        "ms", GIVEN_UP.toMillis());
                assertTrue(afterMs >= DEADLINE_MS - 20, "given up after " + afterMs + " ms");
            }
            assertTrue(server.stderr().contains(": the connection has ended"), server.stderr());
            try (RawClient next = RawClient.connect(server)) {
                next.get("/").expect(200);
            }
        }
    }

    @Test
    void aResetEndsTheWait() {
        try (ServerProcess server = Serving.bareapp().set("M0_BLOCKING_THREADS", "1").start()) {
            RawClient client = holding(server);
            ServerProcess.pause(200);
            client.reset();
            server.awaitStderr("bareapp: a writer ended after ", RawClient.WAIT);
            try (RawClient next = RawClient.connect(server)) {
                next.get("/").expect(200);
            }
            assertEquals(0, server.stderrLinesWith("GET /hold"), "a client that goes is no failure");
        }
    }

    /**
     * The thread has half a second behind the bound, which a busy machine may take from it: where it
     * was not in time it has to be named.
     */
    @Test
    void aStopEndsTheWaitWithinItsBoundAndTheThreadIsNoStraggler() {
        Rounds.play(ROUNDS_MAX, () -> {
            String said = saidOfAStopBesideAWriter();
            Rounds.voidIf(said.contains(STRAGGLER), said);
            assertTrue(said.contains("bareapp: a writer ended after "), said);
        });
    }

    private static String saidOfAStopBesideAWriter() {
        try (ServerProcess server = Serving.bareapp().set("M0_DRAIN_TIMEOUT_MS", "1000").start();
                RawClient client = holding(server)) {
            ServerProcess.pause(300);
            long sinceNs = System.nanoTime();
            server.term();
            assertEquals(0, server.awaitExit(BOUND), server.stderr());
            long ms = (System.nanoTime() - sinceNs) / 1_000_000;
            Figures.add(ServeStopGate.class, "a stop beside a writer that waits", ms, "ms",
                    Slack.notAfterMs(1500));
            assertTrue(ms >= 950 && ms <= Slack.notAfterMs(1500), "gone after " + ms + " ms");
            client.readUntilClosed(RawClient.WAIT);
            return server.stderr();
        }
    }

    /** With a pipe of 64 KiB for each the loop would cut most of them, to keep within its memory. */
    @Test
    void aThousandFeedsOfAFewBytesTakeLittle() {
        List<RawClient> readers = new ArrayList<>();
        try (ServerProcess server = Serving.bareapp().jvm("-Xmx40m").start()) {
            for (int count = 0; count < FEEDS; count++) {
                RawClient reader = RawClient.connect(server);
                readers.add(reader);
                reader.send("GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
                reader.readHead().expect(200);
                awaitFirst(reader);
            }
            assertEquals(FEEDS, server.connections(), "feeds that are open");
            assertEquals(0, server.stderrLinesWith("refused"), server.stderr());
            try (RawClient client = RawClient.connect(server)) {
                client.get("/").expect(200).expectBody("bareapp\n");
            }
        } finally {
            readers.forEach(RawClient::close);
        }
    }

    /** Reads on to the feed's first event, in whatever chunks it comes. */
    private static void awaitFirst(RawClient reader) {
        StringBuilder seen = new StringBuilder();
        while (!seen.toString().endsWith("first\n")) {
            seen.append((char) reader.readRaw(1)[0]);
        }
        assertTrue(seen.indexOf("opened\n") >= 0, seen.toString());
    }

    /** The heap has room for a third of it. */
    @Test
    void memoryIsFlatHoweverMuchASlowReaderIsSent() {
        try (ServerProcess server = Serving.bareapp().jvm("-Xmx64m").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /big?n=" + ALL + " HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead().expect(200);
            for (int done = 0; done < ALL; done += PIECE) {
                assertEquals(-1, Serving.firstWrong(client.readRaw(PIECE), done % 251),
                        "the first wrong byte behind " + done);
                if (done % (64 * PIECE) == 0) {
                    ServerProcess.pause(10);
                }
            }
            long heldBytes = server.residentBytes();
            Figures.add(ServeStopGate.class, "resident after 192 MB through the pipe",
                    heldBytes / 1e6, "MB", ALL / 1e6);
            assertTrue(heldBytes < ALL, "resident: " + heldBytes);
            client.get("/").expect(200).expectBody("bareapp\n");
        }
    }
}
