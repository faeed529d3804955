package serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import kit.Ending;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** E213: what the JDK promises of an exchange, on the wire. */
@Gate
class HttpHandlerGate {
    private static final int DEADLINE_MS = 2000;
    private static final int GAP_MS_LEAST = 400;
    private static final int GAP_MS_MAX = 3600;
    private static final int LARGE = 1_000_000;

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = Serving.bareapp().start();
    }

    @Test
    void theHandlerSeesTheRequestAsItCame() {
        try (RawClient client = RawClient.connect(server)) {
            Reply about = client.send("PUT /about?q=%20x HTTP/1.1\r\nHost: a\r\n\r\n").read()
                    .expect(200);
            assertEquals("method=PUT uri=/about?q=%20x protocol=HTTP/1.1 context=/ remote="
                    + client.localPort() + " local=" + server.port()
                    + " attribute=yes principal=null code=-1\n", about.text());
            client.send("GET /fields HTTP/1.1\r\nhOST: a\r\nX-MANY: one\r\nx-other: 3\r\n"
                    + "x-many: two\r\n\r\n").read().expect(200).expectBody("Host: [a]\n"
                    + "X-many: [one, two]\nX-other: [3]\nfirst of x-many: one\n");
        }
    }

    @Test
    void aBodyOfAnyLengthIsReadAndAnswered() {
        try (RawClient client = RawClient.connect(server)) {
            for (int length : new int[] {0, 1, 65_536, 65_537, 300_000}) {
                Reply echo = client.post("/echo", "x".repeat(length)).expect(200).expectOpen();
                assertEquals(length, echo.body().length);
                assertEquals(String.valueOf(length), echo.header("Content-Length"));
            }
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").read().expectBody("abcde");
        }
    }

    @Test
    void anAnnouncedLengthIsSentAndZeroIsChunked() {
        try (RawClient client = RawClient.connect(server)) {
            for (int length : new int[] {1, 65_536, 65_537, LARGE}) {
                Reply sized = client.get("/big?n=" + length).expect(200).expectOpen();
                assertEquals(String.valueOf(length), sized.header("Content-Length"));
                assertEquals(-1, Serving.firstWrong(sized.body(), 0), "the first wrong byte");
                Reply chunked = client.get("/chunks?n=" + length).expect(200).expectOpen();
                assertEquals("chunked", chunked.header("Transfer-Encoding"));
                assertEquals(length, chunked.body().length);
                assertEquals(-1, Serving.firstWrong(chunked.body(), 0), "the first wrong byte");
            }
            Reply none = client.get("/status?s=200").expect(200);
            assertEquals("0", none.header("Content-Length"));
        }
    }

    @Test
    void whatIsFlushedArrivesBeforeTheEnd() {
        try (RawClient client = RawClient.connect(server)) {
            // Three pieces, a gap behind each. A busy machine may show the first late by a gap, but
            // not by more and more; what leaves with the last piece alone is two of them late.
            int gapMs = GAP_MS_LEAST;
            long earlierMs = firstBeforeLastMs(client, gapMs);
            while (earlierMs <= 2 * gapMs && gapMs < GAP_MS_MAX) {
                gapMs *= 3;
                earlierMs = firstBeforeLastMs(client, gapMs);
            }
            assertTrue(earlierMs > 2 * gapMs, "the first came " + earlierMs
                    + " ms before the last, at gaps of " + gapMs + " ms");
        }
    }

    private static long firstBeforeLastMs(RawClient client, int gapMs) {
        client.send("GET /chunks?n=30000&flush=1&gap=" + gapMs
                + " HTTP/1.1\r\nHost: a\r\n\r\n");
        client.awaitBytes();
        long firstNs = System.nanoTime();
        assertEquals(30_000, client.read().expect(200).body().length);
        return (System.nanoTime() - firstNs) / 1_000_000;
    }

    @Test
    void headHasGetsLengthAndNoBody() {
        try (RawClient client = RawClient.connect(server)) {
            Reply head = client.send("HEAD /big?n=100000 HTTP/1.1\r\nHost: a\r\n\r\n")
                    .read("HEAD").expect(200).expectOpen();
            assertEquals("100000", head.header("Content-Length"));
            head = client.send("HEAD /status?s=200&length=77 HTTP/1.1\r\nHost: a\r\n\r\n")
                    .read("HEAD").expect(200);
            assertEquals("77", head.header("Content-Length"));
            client.send("HEAD /chunks?n=5 HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD").expect(200);
            client.get("/").expect(200).expectBody("bareapp\n");
        }
    }

    /** −1 is said for HEAD alone too, whatever GET has: neither its length nor its coding is told. */
    @Test
    void headOfNothingHasNeitherLengthNorCoding() {
        try (RawClient client = RawClient.connect(server)) {
            Reply head = client.send("HEAD /status?s=200 HTTP/1.1\r\nHost: a\r\n\r\n")
                    .read("HEAD").expect(200).expectOpen();
            assertNull(head.header("Transfer-Encoding"));
            assertNull(head.header("Content-Length"));
            head = client.send("HEAD /chunks?n=5 HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD")
                    .expect(200).expectOpen();
            assertEquals("chunked", head.header("Transfer-Encoding"), "as GET has it");
            assertEquals("0", client.get("/status?s=200").expect(200).header("Content-Length"));
        }
    }

    @Test
    void aStatusWithoutContentHasNone() {
        try (RawClient client = RawClient.connect(server)) {
            Reply empty = client.get("/status?s=204&n=10").expect(204).expectOpen();
            assertNull(empty.header("Content-Length"));
            assertNull(empty.header("Transfer-Encoding"));
            Reply notModified = client.get("/status?s=304&length=12&n=3").expect(304);
            assertEquals("12", notModified.header("Content-Length"));
            assertEquals("103", client.get("/status?s=103").expect(200).header("X-Status"),
                    "an interim answer is left out, its fields go on");
            client.get("/").expect(200).expectBody("bareapp\n");
        }
    }

    @Test
    void framingFieldsAreTheHostsAndNoLineBreakLeaves() {
        try (RawClient client = RawClient.connect(server)) {
            Reply framed = client.get("/framing").expect(200).expectOpen().expectBody("framed\n");
            assertEquals("7", framed.header("Content-Length"));
            assertNull(framed.header("Transfer-Encoding"));
            assertTrue(framed.header("Date").endsWith(" GMT"), framed.toString());
            assertEquals(List.of("one", "two"), framed.headers("X-Kept"));
            Reply injected = client.get("/inject?v=a%0d%0aX-Evil:%201").expect(200)
                    .expectBody("injected\n");
            assertNull(injected.header("X-Evil"));
            assertEquals(List.of("kept"), injected.headers("X-Echo"));
            assertEquals("kept", injected.header("X-Neighbour"));
            assertEquals("one two", injected.header("X-Folded"));
            client.get("/framing?close=1").expect(200).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void fewerBytesThanAnnouncedCutTheConnectionAndAreTold() {
        for (String target : List.of("/few?n=10&put=5", "/few?n=200000&put=100000")) {
            try (RawClient client = RawClient.connect(server)) {
                client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
                Reply head = client.readHead();
                assertEquals(200, head.status());
                Ending ending = client.readUntilClosed(RawClient.WAIT);
                assertEquals(target.endsWith("=5") ? 5 : 100_000, ending.bytes().length);
                server.awaitStderr("GET " + target.replaceAll("[?].*", "") + " failed:"
                        + " java.io.IOException: the body was closed behind "
                        + ending.bytes().length, RawClient.WAIT);
            }
        }
    }

    @Test
    void whatIsWrongWithTheCallsThrowsAndTheAnswerIsRight() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/many").expect(200).expectBody("right\n");
            client.get("/twice").expect(200).expectBody("twice\n");
            client.get("/early-write").expect(200).expectBody("response headers not sent yet\n");
        }
        server.awaitStderr("bareapp: many: the body was to have 6 bytes", RawClient.WAIT);
        server.awaitStderr("bareapp: twice: headers already sent", RawClient.WAIT);
    }

    @Test
    void aHandlerThatThrowsIs500AndClosedAndToldOnce() {
        for (String target : List.of("/throw?a=b", "/throw-held", "/close")) {
            try (RawClient client = RawClient.connect(server)) {
                client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                client.read().expect(500).expectClose();
                client.expectEnd();
                String path = target.replaceAll("[?].*", "");
                server.awaitStderr("GET " + path + " failed: ", RawClient.WAIT);
                assertEquals(1, server.stderrLinesWith("GET " + path + " failed: "),
                        "entries for " + path);
            }
        }
    }

    @Test
    void anAnswerWhoseHandlerThrowsBehindItsHeadIsCutAndToldOnce() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /throw-late HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead().expect(200);
            assertEquals("6\r\nbegun\n\r\n", client.readUntilClosed(RawClient.WAIT).text());
            server.awaitStderr("GET /throw-late failed: ", RawClient.WAIT);
            assertEquals(1, server.stderrLinesWith("GET /throw-late"));
        }
    }

    @Test
    void anExchangeThatNobodyClosesIsNamedAtTheDeadline() {
        // A server of its own: the deadline is everybody's, and other handlers may be held up.
        try (ServerProcess hurried = Serving.bareapp()
                .set("M0_DEFERRED_DEADLINE_MS", String.valueOf(DEADLINE_MS)).start();
                RawClient client = RawClient.connect(hurried)) {
            long sinceNs = System.nanoTime();
            client.get("/never").expect(503);
            long afterMs = (System.nanoTime() - sinceNs) / 1_000_000;
            assertTrue(afterMs >= DEADLINE_MS - 20, "after " + afterMs + " ms");
            hurried.awaitStderr("GET /never failed: m0.serve.UnclosedExchangeException: the handler"
                    + " has returned, and the exchange was never closed", RawClient.WAIT);
            client.get("/").expect(200);
        }
    }

    @Test
    void anAnswerThatNobodyEndsIsNamedWithItsConnectionsEnd() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /never-ending HTTP/1.1\r\nHost: a\r\n\r\n");
            client.readHead().expect(200);
            assertEquals(0, server.stderrLinesWith("GET /never-ending"));
            client.reset();
        }
        server.awaitStderr("GET /never-ending failed: m0.serve.UnclosedExchangeException",
                RawClient.WAIT);
    }

    @Test
    void anotherThreadMayWriteAndClose() {
        try (RawClient client = RawClient.connect(server)) {
            for (String target : List.of("/async?n=6", "/async?n=" + LARGE, "/joined?n=6",
                    "/joined?n=" + LARGE)) {
                Reply answer = client.get(target).expect(200).expectOpen();
                assertEquals(-1, Serving.firstWrong(answer.body(), 0), "the first wrong byte");
                assertEquals(target.endsWith("=6") ? 6 : LARGE, answer.body().length, target);
            }
        }
    }

    /** The answer leaves with its close, and what the handler asks behind it is still there. */
    @Test
    void anAnswerDoesNotWaitForItsHandlersReturn() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/later?ms=2500").expect(200).expectBody("later\n");
            assertFalse(server.stderr().contains("bareapp: later "),
                    "it came behind the handler's return");
            for (int count = 0; count < 20; count++) {
                client.get("/fields").expect(200);
            }
            server.awaitStderr("bareapp: later GET /later?ms=2500 gate", RawClient.WAIT);
        }
    }

    @Test
    void whatIsNoRouteOrNoUriIsAnsweredAndTheConnectionServesOn() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/nothing").expect(404).expectBody("bareapp has no such route\n");
            client.get("/a|b").expect(400);
            client.get("/").expect(200);
        }
        try (RawClient client = RawClient.connect(server)) {
            client.get("/%zz").expect(400);
        }
    }

    @Test
    void anHttp10ClientGetsAnAnswerThatEndsWithTheConnection() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /chunks?n=100000 HTTP/1.0\r\n\r\n");
            Reply head = client.readHead().expect(200);
            assertNull(head.header("Transfer-Encoding"));
            assertNotNull(head.header("Date"));
            Ending ending = client.readUntilClosed(RawClient.WAIT).expectOrderly();
            assertEquals(100_000, ending.bytes().length);
            assertEquals(-1, Serving.firstWrong(ending.bytes(), 0));
        }
    }
}
