package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import kit.ClientFrames;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.ServerProcess;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The streams of echo, on two loops: A9 and A28 among them. */
@Gate
class EchoGate {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final String PARTS = "part one\npart two\npart three\n";
    private static final String CHUNKS =
            "9\r\npart one\n\r\n9\r\npart two\n\r\nb\r\npart three\n\r\n0\r\n\r\n";
    private static final long MACHINE_MS = 4000;

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo").set("M0_THREADS", "2").start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void threePartsAreThreeChunksAndTheConnectionGoesOn() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n"
                    + "\r\n");
            Reply head = client.readHead().expect(200).expectOpen();
            assertEquals("chunked", head.header("Transfer-Encoding"));
            assertNull(head.header("Content-Length"), "a length beside chunks: " + head);
            assertEquals(CHUNKS, new String(client.readRaw(CHUNKS.length()),
                    StandardCharsets.ISO_8859_1));
            client.read().expect(200).expectBody("hello");
        }
    }

    @Test
    void aClientThatAsksForTheEndGetsItBehindTheLastChunk() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            client.read().expect(200).expectBody(PARTS).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void anOlderClientGetsTheBodyUntilTheEnd() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            Reply reply = client.read().expect(200).expectBody(PARTS).expectClose();
            assertNull(reply.header("Transfer-Encoding"), "a coding for HTTP/1.0: " + reply);
        }
    }

    @Test
    void headOfAStreamIsItsHeadAlone() {
        try (RawClient client = RawClient.connect(server)) {
            for (String path : new String[] {"/stream", "/sse", "/events"}) {
                client.send("HEAD " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
                client.read("HEAD").expect(200).expectOpen();
            }
            client.get("/hello").expectBody("hello");
        }
    }

    @Test
    void sseHasAnEventAtOnceAndThenOneASecond() {
        // Before either was asked for: what is read late must not make the time look short.
        long sinceNs = System.nanoTime();
        try (SseClient first = SseClient.open(server, "/sse");
                SseClient second = SseClient.open(server, "/sse")) {
            for (SseClient client : new SseClient[] {first, second}) {
                SseClient.Block atOnce = client.event();
                assertEquals("at once", atOnce.data());
                SseClient.Block third = client.events(3, RawClient.WAIT).get(2);
                if (client == first) {
                    long ms = (third.atNs() - sinceNs) / 1_000_000;
                    assertTrue(ms >= 1800 && ms <= 3000 + MACHINE_MS,
                            "three events in " + ms + " ms");
                }
            }
        }
    }

    /** A pause makes either later, and so nothing is known where the head comes late. */
    @Test
    void eventsHaveTheirHeadAtOnceAndTheirFirstEventLater() {
        Rounds.untilProven("no head came at once", EchoGate::isHeadAtOnce);
    }

    private static boolean isHeadAtOnce() {
        long askedNs = System.nanoTime();
        try (SseClient client = SseClient.open(server, "/events")) {
            long headMs = (System.nanoTime() - askedNs) / 1_000_000;
            SseClient.Block first = client.event();
            long firstMs = (first.atNs() - askedNs) / 1_000_000;
            assertTrue(firstMs >= 1500, "the first event came after " + firstMs + " ms");
            return headMs < 1500 && firstMs <= 1700 + MACHINE_MS;
        }
    }

    @Test
    void messagesComeBackAsTheyWere() {
        try (WsClient client = WsClient.open(server, "/ws")) {
            client.text("grüße").expectText("grüße");
            byte[] all = new byte[256];
            for (int index = 0; index < all.length; index++) {
                all[index] = (byte) index;
            }
            client.binary(all).expect(ClientFrames.BINARY, all);
            client.close(1000).expectClose(1000).expectEnd();
        }
    }

    @Test
    void otherMethodsAreRefusedWithWhatIsAllowed() {
        try (RawClient client = RawClient.connect(server)) {
            for (String path : new String[] {"/stream", "/sse", "/events"}) {
                assertEquals("GET, HEAD", client.post(path, "").expect(405).header("Allow"), path);
            }
            assertEquals("GET", client.post("/ws", "").expect(405).header("Allow"));
            assertEquals("13", client.get("/ws").expect(426).header("Sec-WebSocket-Version"));
        }
    }

    @Test
    void whatBeginsOnOneLoopIsTimedByThatLoop() {
        try (LoopStreamPair streams = new LoopStreamPair(server, "/sse")) {
            for (int loop = 0; loop < 2; loop++) {
                assertEquals("at once", streams.on(loop).event(WAIT).data());
                streams.on(loop).event(WAIT);
            }
        }
    }
}
