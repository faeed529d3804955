package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.loop.ReadyWork;
import org.junit.jupiter.api.Test;

class ConnectionAnswersTest {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");

    private final Answers answers = new Answers();
    private final Bench bench = new Bench(answers);
    private final ScriptedTransport peer = new ScriptedTransport();
    private final ReadyWork connection = bench.admit(peer);

    static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    static List<String> statuses(String wire) {
        List<String> found = new ArrayList<>();
        Matcher matcher = STATUS.matcher(wire);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private String exchange(String text) {
        peer.send(text);
        bench.run(connection, peer);
        return peer.takeWritten();
    }

    @Test
    void answersAndKeepsTheConnection() {
        String wire = exchange(get("/one"));
        assertTrue(wire.startsWith("HTTP/1.1 200 OK\r\n"), wire);
        assertTrue(wire.endsWith("\r\n\r\n/one"), wire);
        assertFalse(wire.contains("Connection:"), wire);
        assertFalse(peer.closed);
        assertTrue(exchange(get("/two")).endsWith("/two"));
    }

    @Test
    void answersWhatOneReadHeldInOneWrite() {
        String wire = exchange(get("/a").repeat(200));
        assertEquals(200, statuses(wire).size());
        assertEquals(1, peer.writes);
    }

    @Test
    void answersInTheOrderOfTheRequests() {
        String wire = exchange(get("/a") + get("/b") + get("/c"));
        assertTrue(wire.matches("(?s).*/aHTTP.*/bHTTP.*/c"), wire);
    }

    @Test
    void answersTheSameHoweverTheBytesAreSplit() {
        String requests = get("/a")
                + "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
                + "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n" + get("/z");
        String whole = exchange(requests);
        for (int split = 1; split < requests.length(); split++) {
            ScriptedTransport other = new ScriptedTransport();
            ReadyWork second = bench.admit(other);
            other.send(requests.substring(0, split));
            bench.run(second, other);
            other.send(requests.substring(split));
            bench.run(second, other);
            assertEquals(whole, other.takeWritten(), "split at " + split);
        }
    }

    @Test
    void answersTheSameByteByByte() {
        String requests = "\r\n" + get("/a")
                + "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n" + get("/z");
        for (char c : requests.toCharArray()) {
            peer.send(String.valueOf(c));
            bench.run(connection, peer);
        }
        String wire = peer.takeWritten();
        assertEquals(List.of("200", "200", "200"), statuses(wire));
        assertTrue(wire.contains("\r\n\r\nabcdeHTTP/1.1"), wire);
        assertEquals(0, bench.failures.size());
    }

    @Test
    void countsEmptyLinesTheSameHoweverTheyAreSplit() {
        for (int i = 0; i < 4; i++) {
            assertEquals("", exchange("\r\n"));
        }
        assertEquals(List.of("200"), statuses(exchange(get("/a"))));
        for (int i = 0; i < 4; i++) {
            assertEquals("", exchange("\r\n"));
        }
        assertEquals(List.of("400"), statuses(exchange("\r\n")));
    }

    @Test
    void keepsARequestLargerThanOneRead() {
        String body = "b".repeat(300_000);
        String wire = exchange("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n"
                + body + get("/next"));
        assertTrue(wire.contains("\r\n\r\n" + body + "HTTP/1.1 200"));
        assertTrue(wire.endsWith("/next"));
    }

    @Test
    void leavesOutTheBodyOfHeadAndOf204() {
        String head = exchange("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n");
        assertTrue(head.contains("Content-Length: 4\r\n"), head);
        assertTrue(head.endsWith("\r\n\r\n"), head);
        String empty = exchange(get("/s204"));
        assertTrue(empty.endsWith("\r\n\r\n"), empty);
        assertFalse(empty.contains("Content-Length"), empty);
    }

    @Test
    void headOfWhichNothingIsToldHasNeitherLengthNorCodingAndKeepsTheConnection() {
        String head = exchange("HEAD /untold HTTP/1.1\r\nHost: x\r\n\r\n");
        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n") && head.endsWith("\r\n\r\n"), head);
        assertFalse(head.contains("Content-Length") || head.contains("Transfer-Encoding")
                || head.contains("Connection:"), head);
        assertTrue(exchange(get("/next")).endsWith("/next"));
    }

    /** No client could tell otherwise where such an answer to GET ends (RFC 9112 §6.3). */
    @Test
    void anAnswerOfWhichNothingIsToldEndsWithTheConnection() {
        String wire = exchange(get("/untold"));
        assertTrue(wire.contains("Connection: close\r\n"), "the connection is kept: " + wire);
        assertFalse(wire.contains("Content-Length"), wire);
        assertTrue(peer.closed);
    }

    @Test
    void closesAtOnceWhenThePeerAskedForIt() {
        String wire = exchange("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertTrue(peer.closed);
        assertFalse(peer.outputShut);
    }

    @Test
    void lingersWhenTheApplicationCloses() {
        String wire = exchange(get("/close") + get("/never"));
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertEquals(1, answers.handled);
        assertTrue(peer.outputShut);
        assertFalse(peer.closed);
        peer.sendFin();
        bench.run(connection, peer);
        assertTrue(peer.closed);
    }

    @Test
    void saysCloseOnTheAnswerThatReachesTheCap() {
        ConnectionConfig capped = new ConnectionConfig(Limits.DEFAULT, 10, 3, 0, 0, 0, 0, 0,
                1_000_000, 0, 0, 0, StreamConfig.DEFAULT);
        Bench few = new Bench(capped, answers);
        ReadyWork limited = few.admit(peer);
        peer.send(get("/a").repeat(5));
        few.run(limited, peer);
        String wire = peer.takeWritten();
        assertEquals(3, statuses(wire).size());
        assertEquals(wire.indexOf("Connection: close"), wire.lastIndexOf("Connection: close"));
        assertTrue(wire.substring(wire.lastIndexOf("HTTP/1.1")).contains("Connection: close"));
    }

    @Test
    void keepsAnHttp10ConnectionOnlyWhenAsked() {
        String kept = exchange("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        assertTrue(kept.contains("Connection: keep-alive\r\n"), kept);
        assertFalse(peer.closed);
        String ended = exchange("GET /a HTTP/1.0\r\n\r\n");
        assertTrue(ended.contains("Connection: close\r\n"), ended);
        assertTrue(peer.closed);
    }

    @Test
    void answersAThrowWith500AndRunsNothingBehindIt() {
        String wire = exchange(get("/throw") + get("/a"));
        assertEquals(List.of("500"), statuses(wire));
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertEquals(List.of("GET /throw as asked"), bench.failures);
        assertEquals(1, answers.handled);
    }

    @Test
    void answersAMissingResponseWith500() {
        assertEquals(List.of("500"), statuses(exchange(get("/null"))));
    }

    @Test
    void refusesAndShutsItsSideSoThatTheRefusalArrives() {
        String wire = exchange("GET /a HTTP/1.1\r\nHost : x\r\n\r\n" + get("/b"));
        assertEquals(List.of("400"), statuses(wire));
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertEquals(0, answers.handled);
        assertTrue(peer.outputShut);
        assertFalse(peer.closed);
        bench.advanceMs(4_900);
        assertFalse(peer.closed);
        bench.advanceMs(1_200);
        assertTrue(peer.closed);
        assertEquals(0, bench.connections.live());
    }

    @Test
    void answersWhatStandsBeforeABrokenRequest() {
        String wire = exchange(get("/a") + "BROKEN\r\n\r\n");
        assertEquals(List.of("200", "400"), statuses(wire));
    }

    @Test
    void sendsTheInterimAnswerFirstAndOnlyWhenTheBodyIsWanted() {
        String head = "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: ";
        String interim = exchange(get("/a") + head + "5\r\n\r\n");
        assertEquals(List.of("200", "100"), statuses(interim));
        assertTrue(interim.endsWith("HTTP/1.1 100 Continue\r\n\r\n"), interim);
        assertTrue(exchange("hello").endsWith("\r\n\r\nhello"));
        assertEquals(List.of("200"), statuses(exchange(head + "2\r\n\r\nhi")));
        assertEquals(List.of("413"), statuses(exchange(head + "5000000\r\n\r\n")));
        assertEquals(1, bench.limits.size());
    }

    @Test
    void answersServerWideOptionsItself() {
        String wire = exchange("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals(List.of("204"), statuses(wire));
        assertEquals(0, answers.handled);
    }

    @Test
    void asksBeforeRequestOnceAndLetsAfterResponseChangeTheAnswer() {
        List<String> calls = new ArrayList<>();
        Bench hooked = new Bench(new m0.app.AppHandler() {
            @Override
            public Response beforeRequest(Request request) {
                calls.add("before " + request.path());
                return request.pathIs("/early") ? Response.text(200, "early") : null;
            }

            @Override
            public Response handle(Request request) {
                calls.add("handle " + request.path());
                return Response.text(200, "handled");
            }

            @Override
            public Response afterResponse(Request request, Response response) {
                calls.add("after " + request.path());
                return response.toBuilder().header("X-After", "yes").build();
            }
        });
        ReadyWork served = hooked.admit(peer);
        peer.send(get("/early") + get("/late"));
        hooked.run(served, peer);
        String wire = peer.takeWritten();
        assertEquals(List.of("before /early", "after /early", "before /late", "handle /late",
                "after /late"), calls);
        assertTrue(wire.contains("early") && wire.contains("handled"), wire);
        assertEquals(2, wire.split("X-After: yes", -1).length - 1);
    }

    @Test
    void recordsEachAnswerWithItsBytesAndItsRefusals() {
        exchange(get("/abc") + "HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n" + "BAD\r\n\r\n");
        assertEquals(3, bench.records.size());
        assertEquals("GET /abc 200 4", describe(bench.records.get(0)));
        assertEquals("HEAD /abc 200 0", describe(bench.records.get(1)));
        assertEquals(ExchangeRecord.Event.REFUSED, bench.records.get(2).event());
        assertEquals(400, bench.records.get(2).status());
    }

    private static String describe(ExchangeRecord record) {
        return record.method() + " " + record.target() + " " + record.status() + " "
                + record.bytes();
    }
}
