package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A9, A28: bodies whose length nobody knows when the head goes out. */
@Gate
class ChunkedGate {
    private static final String PARTS = "part one\npart two\npart three\n";
    private static final int LARGE = 192 * 1024 * 1024;
    private static final int LARGE_HEAP_MB = 40;

    private static ServerProcess echo;
    private static ServerProcess hostCheck;

    @BeforeAll
    static void start() {
        echo = ServerProcess.app("echo").start();
        hostCheck = ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000")
                .jvm("-Xmx" + LARGE_HEAP_MB + "m", "-XX:+UseSerialGC").start();
    }

    @AfterAll
    static void stop() {
        echo.close();
        hostCheck.close();
    }

    @Test
    void theConnectionIsKeptAndWhatWasPipelinedIsAnswered() {
        try (RawClient client = RawClient.connect(echo)) {
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
            for (String body : new String[] {PARTS, "hello", PARTS}) {
                Reply reply = client.read().expect(200).expectBody(body).expectOpen();
                boolean chunked = body.equals(PARTS);
                assertEquals(chunked ? "chunked" : null, reply.header("Transfer-Encoding"));
                assertEquals(chunked, reply.header("Content-Length") == null);
            }
            client.get("/hello").expect(200);
        }
    }

    @Test
    void theConnectionIsClosedWhereTheRequestAskedForIt() {
        try (RawClient client = RawClient.connect(echo)) {
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            client.read().expect(200).expectBody(PARTS).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void anOldClientsBodyEndsWithTheConnectionWhateverItAsked() {
        for (String field : new String[] {"", "Connection: keep-alive\r\n"}) {
            try (RawClient client = RawClient.connect(echo)) {
                client.send("GET /stream HTTP/1.0\r\n" + field + "\r\n");
                Reply reply = client.read().expect(200).expectBody(PARTS).expectClose();
                assertNull(reply.header("Transfer-Encoding"));
                assertNull(reply.header("Content-Length"));
            }
        }
    }

    @Test
    void headHasTheHeadAlone() {
        try (RawClient client = RawClient.connect(echo)) {
            Reply head = client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD")
                    .expect(200).expectOpen();
            assertEquals("chunked", head.header("Transfer-Encoding"));
            client.expectSilence(300);
            client.get("/hello").expect(200).expectBody("hello");
        }
    }

    @Test
    void aSourceThatThrowsCutsItsConnectionWithoutAnEndAndIsLogged() {
        try (RawClient client = RawClient.connect(hostCheck);
                RawClient other = RawClient.connect(hostCheck)) {
            long closed = Hooks.of(other).sources("closed");
            client.send("GET /chunks?bytes=100000&throw=50000 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead().expect(200);
            Ending ending = client.readUntilClosed(RawClient.WAIT);
            assertFalse(ending.text().endsWith("0\r\n\r\n"), "an end was said: " + ending);
            assertFalse(ending.text().contains("HTTP/1.1"), "answered behind the cut: " + ending);
            hostCheck.awaitStderr("the chunks of GET /chunks failed: ", RawClient.WAIT);
            assertEquals(1, hostCheck.stderrLinesWith("asked to throw at byte 50000"));
            Hooks hooks = Hooks.of(other);
            assertEquals(closed + 1, hooks.sources("closed"), hooks.toString());
        }
    }

    /** Six pieces, 300 ms apart; another connection is served meanwhile. Pauses make it longer. */
    @Test
    void aSourceMayHaveNothingForAWhile() {
        double ms = Rounds.least(5500, ChunkedGate::msOfSixPieces);
        Figures.add(ChunkedGate.class, "six pieces that are 300 ms apart", ms, "ms", 5500);
        assertTrue(ms < 5500, "six pieces that are 300 ms apart came in " + ms + " ms");
    }

    private static double msOfSixPieces() {
        try (RawClient client = RawClient.connect(hostCheck);
                RawClient other = RawClient.connect(hostCheck)) {
            long before = Hooks.of(other).sources("askedInVain");
            long sinceNs = System.nanoTime();
            client.send("GET /chunks?bytes=600&piece=100&gap=300 HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead().expect(200);
            expectPiece(client, 0);
            other.get("/health").expect(200).expectBody("ok");
            for (int piece = 1; piece < 6; piece++) {
                expectPiece(client, piece);
            }
            assertEquals("0\r\n\r\n", latin1(client.readRaw(5)));
            long ms = (System.nanoTime() - sinceNs) / 1_000_000;
            long inVain = Hooks.of(other).sources("askedInVain") - before;
            assertTrue(ms >= 1480, "six pieces that are 300 ms apart came in " + ms + " ms");
            // It is asked each hundredth of a second.
            Figures.add(ChunkedGate.class, "asked for the next of six pieces", inVain, "times", 400);
            assertTrue(inVain > 0, "vacuous: the source always had something");
            assertTrue(inVain < 400, "the source was asked " + inVain + " times in vain");
            client.get("/health").expect(200);
            return ms;
        }
    }

    private static void expectPiece(RawClient client, int piece) {
        assertEquals("64\r\n", latin1(client.readRaw(4)));
        assertEquals(-1, firstWrong(client.readRaw(100), piece * 100L), "in piece " + piece);
        assertEquals("\r\n", latin1(client.readRaw(2)));
    }

    /** A body of 192 MB through a heap of 40, and no more of it asked for than the socket took. */
    @Test
    void aSlowReaderGetsEveryByteAndTheSourceIsPulledAsTheSocketDrains() {
        try (RawClient client = RawClient.connectWithReceiveBuffer(hostCheck, 64 * 1024);
                RawClient other = RawClient.connect(hostCheck)) {
            long before = Hooks.of(other).sources("pulled");
            client.send("GET /chunks?bytes=" + LARGE + "&piece=65536 HTTP/1.1\r\nHost: a\r\n"
                    + "Connection: close\r\n\r\n");
            client.readHead().expect(200);
            ServerProcess.pause(1500);
            long pulled = Hooks.of(other).sources("pulled") - before;
            Figures.add(ChunkedGate.class, "pulled for a reader that does not read", pulled,
                    "bytes", 16 << 20);
            assertTrue(pulled > 0 && pulled < 16 << 20, "pulled " + pulled
                    + " bytes for a reader that does not read");
            long read = readPattern(client);
            assertEquals(LARGE, read);
            assertEquals(LARGE, Hooks.of(other).sources("pulled") - before);
            other.get("/health").expect(200);
        }
    }

    /** Reads the chunks of one body, checks each byte and forgets it. */
    private static long readPattern(RawClient client) {
        long at = 0;
        while (true) {
            var size = new StringBuilder();
            while (size.indexOf("\r\n") < 0) {
                size.append((char) client.readRaw(1)[0]);
            }
            int length = Integer.parseInt(size.substring(0, size.length() - 2), 16);
            byte[] chunk = client.readRaw(length);
            assertEquals(-1, firstWrong(chunk, at), "behind byte " + at);
            assertEquals("\r\n", latin1(client.readRaw(2)));
            if (length == 0) {
                client.expectEnd();
                return at;
            }
            at += length;
        }
    }

    @Test
    void theSourceOfAClientThatHasGoneIsClosedOnce() {
        try (RawClient other = RawClient.connect(hostCheck)) {
            Hooks before = Hooks.of(other);
            RawClient client = RawClient.connectWithReceiveBuffer(hostCheck, 64 * 1024);
            client.send("GET /chunks?bytes=" + LARGE + " HTTP/1.1\r\nHost: a\r\n\r\n").readHead();
            client.reset();
            RawClient waiting = RawClient.connect(hostCheck);
            waiting.send("GET /chunks?bytes=1000&piece=10&gap=200 HTTP/1.1\r\nHost: a\r\n\r\n")
                    .readHead();
            waiting.reset();
            Hooks.await(other, "the end of two sources", RawClient.WAIT, hooks ->
                    hooks.sources("closed") == before.sources("closed") + 2);
            ServerProcess.pause(500);
            Hooks after = Hooks.of(other);
            assertEquals(before.sources("closed") + 2, after.sources("closed"));
            assertEquals(before.sources("open"), after.sources("open"), after.toString());
        }
    }

    @Test
    void theSourceBehindAHeadIsClosed() {
        try (RawClient client = RawClient.connect(hostCheck)) {
            long closed = Hooks.of(client).sources("closed");
            client.send("HEAD /chunks?bytes=1000 HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD")
                    .expect(200);
            assertEquals(closed + 1, Hooks.of(client).sources("closed"));
        }
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Index of the first byte that is not host_check's pattern from byte {@code from} on, or −1. */
    private static int firstWrong(byte[] bytes, long from) {
        int expected = (int) (from % 251);
        for (int index = 0; index < bytes.length; index++) {
            if ((bytes[index] & 0xff) != expected) {
                return index;
            }
            expected = expected == 250 ? 0 : expected + 1;
        }
        return -1;
    }
}
