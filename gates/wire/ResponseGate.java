package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A21, A26, B16, B19, B101, G1, G2, G14: what an answer holds, whoever wrote it. */
@Gate
class ResponseGate {

    private static ServerProcess echo;
    private static ServerProcess check;

    @BeforeAll
    static void start() {
        echo = ServerProcess.app("echo").set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
        check = ServerProcess.app("host_check").start();
    }

    @Test
    void a204HasNeitherLengthNorCodingNorBody() {
        try (RawClient client = RawClient.connect(echo)) {
            // The strict reader fails on a length or a coding; a body would be the next head.
            client.get("/s204").expect(204).expectOpen();
            client.get("/hello").expect(200).expectBody("hello");
        }
    }

    @Test
    void a204WhoseHandlerSetThemHasNoneEither() {
        try (RawClient client = RawClient.connect(check)) {
            client.get("/framed?status=204").expect(204).expectOpen();
            client.get("/pid").expect(200);
        }
    }

    @Test
    void a304KeepsTheLengthItsHandlerSetAndHasNoBody() {
        try (RawClient client = RawClient.connect(check)) {
            Reply reply = client.get("/framed?status=304").expect(304).expectOpen();
            assertEquals("6", reply.header("Content-Length"));
            assertNull(reply.header("Transfer-Encoding"));
            client.get("/pid").expect(200);
        }
    }

    @Test
    void a200WhoseHandlerSetFramingHasTheHostsOwn() {
        try (RawClient client = RawClient.connect(check)) {
            Reply reply = client.get("/framed?status=200").expect(200).expectBody("framed");
            assertEquals("6", reply.header("Content-Length"));
            client.get("/pid").expect(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hello", "/", "/nowhere", "/echo", "/hdrs"})
    void headHasTheLengthOfGetAndNoBody(String path) {
        try (RawClient client = RawClient.connect(echo)) {
            Reply get = client.get(path);
            client.send("HEAD " + path + " HTTP/1.1\r\nHost: gate\r\n\r\n");
            Reply head = client.read("HEAD").expect(get.status()).expectOpen();
            assertNotNull(head.header("Content-Length"), "in " + head);
            assertEquals(get.header("Content-Length"), head.header("Content-Length"));
            assertEquals(get.header("Content-Type"), head.header("Content-Type"));
            client.get("/hello").expect(200).expectBody("hello");
        }
    }

    @Test
    void headOfAFileHasItsLengthAndNoBody() {
        try (RawClient client = RawClient.connect(check)) {
            client.send("HEAD /file?bytes=100000 HTTP/1.1\r\nHost: a\r\n\r\n");
            Reply head = client.read("HEAD").expect(200).expectOpen();
            assertEquals("100000", head.header("Content-Length"));
            client.get("/pid").expect(200);
        }
    }

    @Test
    void aFilePartHasItsBytes() {
        try (RawClient client = RawClient.connect(check)) {
            byte[] body = client.get("/file?bytes=300000&from=70001").expect(200).body();
            assertEquals(300_000, body.length);
            for (int index = 0; index < body.length; index++) {
                assertEquals((70001 + index) % 251, body[index] & 0xff, "byte " + index);
            }
            client.get("/pid").expect(200);
        }
    }

    /** The strict reader holds every answer of every gate to one Date and at most one Server. */
    @Test
    void everyAnswerHasOneDateOneServerAndItsLength() {
        for (String request : List.of(
                "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n",
                "DELETE /hello HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /hello HTTP/1.1\r\n\r\n",
                "GET /hello HTTP/9.1\r\n\r\n",
                "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /" + "t".repeat(9000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")) {
            try (RawClient client = RawClient.connect(echo)) {
                Reply reply = client.send(request).read();
                assertEquals(List.of("m0"), reply.headers("Server"), "in " + reply);
                assertEquals(String.valueOf(reply.body().length), reply.header("Content-Length"),
                        "in " + reply);
            }
        }
    }

    @Test
    void theDateMovesOn() {
        try (RawClient client = RawClient.connect(echo)) {
            String first = client.get("/hello").header("Date");
            ServerProcess.await("a later Date", RawClient.WAIT,
                    () -> !client.get("/hello").header("Date").equals(first));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "a%0d%0aX-Evil:%201",
            "a%0aX-Evil:%201",
            "a%0dX-Evil:%201",
            "a%00b",
            "a%0d%0a%0d%0aHTTP/1.1%20200%20OK",
    })
    void whatWouldSplitAHeaderDoesNotLeave(String value) {
        try (RawClient client = RawClient.connect(echo)) {
            Reply reply = client.get("/inject?v=" + value);
            assertTrue(reply.headers("X-Evil").isEmpty(), "in " + reply);
            assertTrue(reply.headers("X-Echo").isEmpty(), "in " + reply);
            assertNotNull(reply.header("Content-Type"), "its neighbour is gone in " + reply);
            client.get("/hello").expect(200).expectBody("hello");
        }
    }

    @Test
    void whatSplitsNothingLeavesAsItIs() {
        try (RawClient client = RawClient.connect(echo)) {
            Reply reply = client.get("/inject?v=a%20b%3a%20c").expect(200);
            assertEquals("a b: c", reply.header("X-Echo"));
        }
    }

    @Test
    void theAuthorityOfAnAbsoluteTargetReplacesHost() {
        try (RawClient client = RawClient.connect(echo)) {
            client.send("GET http://b.example:81/hdrs HTTP/1.1\r\nHost: a.example\r\n\r\n");
            String seen = client.read().expect(200).text().toLowerCase(Locale.ROOT);
            assertTrue(seen.contains("host: b.example:81\n"), seen);
            assertFalse(seen.contains("a.example"), seen);
            client.send("GET http://b.example HTTP/1.1\r\nHost: a.example\r\n\r\n");
            client.read().expect(200).expectBody("echo");
        }
    }

    @Test
    void theHostAnswersOptionsForItself() {
        try (RawClient client = RawClient.connect(echo)) {
            client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(204).expectOpen();
            client.get("/hello").expect(200);
        }
    }

    @Test
    void bytesThatAreNotUtf8BreakNothing() {
        try (RawClient client = RawClient.connect(echo)) {
            StringBuilder all = new StringBuilder();
            for (int each = 0; each < 256; each++) {
                all.append((char) each);
            }
            client.post("/echo", all.toString()).expect(200).expectBody(all.toString());
            client.send("GET /hdrs HTTP/1.1\r\nHost: a\r\nX-Odd: \u00e9\u00ff\u0080\r\n\r\n");
            client.read().expect(200).expectOpen();
            Reply odd = client.get("/path/%ff%c3%28");
            assertTrue(odd.status() == 200 || odd.status() == 400, odd.toString());
        }
        try (RawClient client = RawClient.connect(echo)) {
            client.get("/inject?v=%ff%fe").expectOpen();
            client.get("/hello").expect(200);
        }
    }
}
