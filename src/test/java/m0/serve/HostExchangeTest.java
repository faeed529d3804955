package m0.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.BufferedOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code HttpExchange} promises, without a host around it. */
@Timeout(60)
class HostExchangeTest {
    private static final byte[] FIVE = bytes("12345");
    private static final int LARGE_BODY = 800_000;
    private static final int LARGE = HostExchange.HELD_BYTES_MAX + 1;

    @Test
    void requestIsShownAsTheJdkShowsIt() throws Exception {
        Asked asked = Asked.of("GET /p%41th?q=%20 HTTP/1.0", "hOST: a", "x-many: one", "X-Many: two",
                "X-Other:  3 ");
        assertEquals("GET", asked.exchange.getRequestMethod());
        assertEquals("/p%41th?q=%20", asked.exchange.getRequestURI().toString());
        assertEquals("/pAth", asked.exchange.getRequestURI().getPath());
        assertEquals("HTTP/1.0", asked.exchange.getProtocol());
        assertEquals(Asked.REMOTE, asked.exchange.getRemoteAddress());
        assertEquals(Asked.LOCAL, asked.exchange.getLocalAddress());
        assertSame(asked.context, asked.exchange.getHttpContext());
        Headers fields = asked.exchange.getRequestHeaders();
        assertEquals(List.of("one", "two"), fields.get("X-MANY"));
        assertEquals("one", fields.getFirst("x-many"));
        assertEquals("3", fields.getFirst("x-other"));
        assertEquals("a", fields.getFirst("Host"));
        assertEquals(3, fields.size());
        assertNull(asked.exchange.getPrincipal());
        assertEquals(-1, asked.exchange.getResponseCode());
    }

    @Test
    void requestFieldsCannotBeChanged() {
        Headers fields = Asked.get().exchange.getRequestHeaders();
        assertThrows(UnsupportedOperationException.class, () -> fields.add("A", "b"));
        assertThrows(UnsupportedOperationException.class, () -> fields.set("A", "b"));
        assertThrows(UnsupportedOperationException.class, () -> fields.remove("Host"));
        assertThrows(UnsupportedOperationException.class, fields::clear);
        assertThrows(UnsupportedOperationException.class, () -> fields.get("Host").add("b"));
        assertThrows(UnsupportedOperationException.class, () -> fields.keySet().clear());
        assertThrows(UnsupportedOperationException.class, () -> fields.entrySet().clear());
        assertThrows(UnsupportedOperationException.class, () -> fields.entrySet().iterator().next()
                .setValue(List.of("b")), "by an entry");
        assertThrows(UnsupportedOperationException.class, () -> fields.putIfAbsent("A",
                List.of("b")));
        assertEquals("[Host=[a]]", fields.entrySet().toString());
        assertEquals("a", fields.getFirst("host"));
    }

    @Test
    void bodyIsReadFromMemoryUntilItIsClosed() throws Exception {
        Asked asked = Asked.post("some body");
        InputStream body = asked.exchange.getRequestBody();
        assertEquals(9, body.available());
        assertEquals('s', body.read());
        assertEquals(4, body.skip(4));
        assertEquals("body", new String(body.readAllBytes(), StandardCharsets.US_ASCII));
        assertEquals(-1, body.read());
        assertSame(body, asked.exchange.getRequestBody());
        body.close();
        assertThrows(IOException.class, body::read);
    }

    @Test
    void announcedBodyIsGivenWithItsLastByte() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.getResponseHeaders().set("X-A", "b");
        asked.exchange.sendResponseHeaders(201, 5);
        OutputStream body = asked.exchange.getResponseBody();
        body.write(FIVE, 0, 4);
        body.write('5');
        Response answer = asked.given();
        assertEquals(201, answer.status());
        assertEquals(201, asked.exchange.getResponseCode());
        assertEquals("b", answer.field("X-a"));
        assertInstanceOf(Body.Bytes.class, answer.body());
        assertEquals("12345", Asked.body(answer));
        body.close();
        asked.exchange.close();
        assertNull(asked.exchange.onReturned(), "what the lane answers behind it");
        assertEquals(List.of(), asked.told);
    }

    @Test
    void bodyOfUnknownLengthIsChunkedHoweverShort() throws Exception {
        Asked asked = Asked.get();
        assertNull(asked.run(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(FIVE);
            exchange.close();
        }));
        assertEquals(-1, Asked.announced(asked.given()));
        assertEquals("12345", Asked.body(asked.given()));
    }

    @Test
    void answerWithoutABodyIsGivenWithItsHead() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, -1);
        assertInstanceOf(Body.None.class, asked.given().body());
        assertThrows(IOException.class, () -> asked.exchange.getResponseBody().write(1));
        asked.exchange.close();
        assertEquals(1, asked.early.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusWithoutContentHasNoneWhateverWasAnnounced(int status) throws Exception {
        Asked asked = Asked.get();
        asked.exchange.getResponseHeaders().set("Content-Length", "7");
        asked.exchange.sendResponseHeaders(status, 5);
        assertInstanceOf(Body.None.class, asked.given().body());
        String head = new String(asked.given().encodedHead(), StandardCharsets.US_ASCII);
        assertEquals(status == 304, head.contains("Content-Length: 7\r\n"), head);
        assertThrows(IOException.class, () -> asked.exchange.getResponseBody().write(FIVE));
    }

    @Test
    void interimAnswersAreTheHosts() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(103, -1);
        assertEquals(-1, asked.exchange.getResponseCode());
        assertEquals("status 101: no other protocol is spoken here", assertThrows(
                IOException.class, () -> asked.exchange.sendResponseHeaders(101, -1)).getMessage());
        asked.exchange.sendResponseHeaders(200, -1);
        assertEquals(200, asked.given().status());
    }

    @ParameterizedTest
    @CsvSource({"5, , 5", "-1, 7, 7", "0, , -1", "-1, , -1", "-1, x, -1", "0, 0, 0"})
    void headHasGetsLengthAndNoBody(long announced, String ownLength, long length)
            throws Exception {
        Asked asked = headAnswered(announced, ownLength);
        assertEquals(length, Asked.announced(asked.given()));
        assertEquals("", Asked.body(asked.given()));
        asked.exchange.getResponseBody().write(FIVE);
        asked.exchange.close();
        assertNull(asked.exchange.onReturned());
        assertEquals(List.of(), asked.told);
    }

    private static Asked headAnswered(long announced, String ownLength) throws Exception {
        Asked asked = Asked.of("HEAD / HTTP/1.1", "Host: a");
        if (ownLength != null) {
            asked.exchange.getResponseHeaders().set("Content-Length", ownLength);
        }
        asked.exchange.sendResponseHeaders(200, announced);
        return asked;
    }

    /** What a handler says for HEAD alone is no coding that its GET would have, and no length of 0. */
    @ParameterizedTest
    @CsvSource({"-1, , true", "-1, x, true", "-1, 0, false", "0, , false", "5, , false"})
    void headOfNothingTellsNothingOfGet(long announced, String ownLength, boolean untold)
            throws Exception {
        Asked asked = headAnswered(announced, ownLength);
        assertEquals(untold, asked.given().body() instanceof Body.Untold);
        assertEquals(!untold && announced != 0, new String(asked.given().encodedHead(),
                StandardCharsets.US_ASCII).contains("\r\nContent-Length: "));
    }

    @Test
    void moreThanAnnouncedThrowsAndTakesNothing() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 5);
        OutputStream body = asked.exchange.getResponseBody();
        body.write(FIVE, 0, 3);
        assertEquals("the body was to have 5 bytes, and 3 of them are followed by 5",
                assertThrows(IOException.class, () -> body.write(FIVE)).getMessage());
        body.write(FIVE, 3, 2);
        assertEquals("12345", Asked.body(asked.given()));
        assertThrows(IOException.class, () -> body.write(1));
    }

    @Test
    void fewerThanAnnouncedCutsTheConnection() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 5);
        asked.exchange.getResponseBody().write(FIVE, 0, 3);
        String missing = "the body was closed behind 3 of its 5 bytes";
        assertEquals(missing, assertThrows(IOException.class,
                () -> asked.exchange.getResponseBody().close()).getMessage());
        Body.Chunks cut = (Body.Chunks) asked.given().body();
        assertEquals(5, cut.length());
        ByteBuffer into = ByteBuffer.allocate(100);
        assertTrue(cut.source().next(into));
        assertEquals(3, into.position());
        assertEquals(missing, assertThrows(IOException.class,
                () -> cut.source().next(ByteBuffer.allocate(100))).getMessage());
        asked.exchange.close();
        assertNull(asked.exchange.onReturned());
    }

    @Test
    void headersAreSentOnce() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 5);
        assertEquals("headers already sent", assertThrows(IOException.class,
                () -> asked.exchange.sendResponseHeaders(200, 5)).getMessage());
        asked.exchange.getResponseHeaders().set("X-Late", "a");
        asked.exchange.getResponseBody().write(FIVE);
        assertNull(asked.given().field("X-Late"));
    }

    @Test
    void headersComeBeforeTheBody() {
        Asked asked = Asked.get();
        OutputStream body = asked.exchange.getResponseBody();
        for (String message : List.of(
                assertThrows(IOException.class, () -> body.write(1)).getMessage(),
                assertThrows(IOException.class, body::flush).getMessage(),
                assertThrows(IOException.class, body::close).getMessage())) {
            assertEquals("response headers not sent yet", message);
        }
        assertEquals(List.of(), asked.early);
    }

    @Test
    void whatFramesAMessageIsTheHosts() throws Exception {
        Asked asked = Asked.get();
        Headers fields = asked.exchange.getResponseHeaders();
        fields.set("Content-Length", "3");
        fields.set("Transfer-Encoding", "gzip");
        fields.set("Date", "yesterday");
        fields.set("Connection", "close");
        fields.add("X-Two", "1");
        fields.add("X-Two", "2");
        answer(asked.exchange, FIVE);
        String head = new String(asked.given().encodedHead(), StandardCharsets.US_ASCII);
        assertEquals("HTTP/1.1 200 OK\r\nX-two: 1\r\nX-two: 2\r\nServer: m0\r\n"
                + "Content-Length: 5\r\n", head);
        assertTrue(asked.given().close());
    }

    /** The JDK does not look again at values that are added to a list it was given. */
    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\rX-Evil: 1", "a\0b"})
    void whatWouldBeginAnotherLineIsLeftOutAndItsNeighboursKept(String value) throws Exception {
        Asked asked = Asked.get();
        LinkedList<String> values = new LinkedList<>(List.of("kept"));
        asked.exchange.getResponseHeaders().put("X-A", values);
        values.add(value);
        asked.exchange.getResponseHeaders().put("X B", new LinkedList<>(List.of("no token")));
        asked.exchange.getResponseHeaders().set("X-C", "kept");
        asked.exchange.getResponseHeaders().set("X-Folded", "one\r\n\ttwo");
        asked.exchange.sendResponseHeaders(200, -1);
        assertEquals(List.of("X-a", "kept", "X-c", "kept", "X-folded", "one two"),
                sortedPairs(asked.given().fields()));
    }

    private static List<String> sortedPairs(List<String> fields) {
        var sorted = new TreeMap<String, String>();
        for (int index = 0; index < fields.size(); index += 2) {
            sorted.put(fields.get(index), fields.get(index + 1));
        }
        var pairs = new ArrayList<String>();
        sorted.forEach((name, value) -> pairs.addAll(List.of(name, value)));
        return pairs;
    }

    @Test
    void flushSendsWhatThereIs() throws Exception {
        for (int announced : new int[] {0, 10}) {
            Asked asked = Asked.get();
            asked.exchange.sendResponseHeaders(200, announced);
            OutputStream body = asked.exchange.getResponseBody();
            body.write(FIVE);
            assertEquals(List.of(), asked.early);
            body.flush();
            Body.Chunks sent = (Body.Chunks) asked.given().body();
            assertEquals(announced == 0 ? -1 : 10, sent.length());
            ByteBuffer into = ByteBuffer.allocate(100);
            sent.source().wakesBy(() -> { });
            assertTrue(sent.source().next(into));
            assertEquals(5, into.position());
            assertTrue(sent.source().next(into));
            body.write(FIVE);
            body.close();
            assertEquals("12345", Asked.drained(sent.source()));
        }
    }

    @Test
    void flushBehindTheLastByteChangesNothing() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 5);
        asked.exchange.getResponseBody().write(FIVE);
        asked.exchange.getResponseBody().flush();
        assertInstanceOf(Body.Bytes.class, asked.given().body());
    }

    @Test
    void whatDoesNotFitIsGivenWhileItsHandlerWritesOn() throws Exception {
        for (long announced : new long[] {0, 5L * LARGE}) {
            Asked asked = Asked.get();
            byte[] piece = new byte[LARGE];
            Thread writer = new Thread(() -> assertNull(asked.run(exchange -> {
                exchange.sendResponseHeaders(200, announced);
                for (int count = 0; count < 5; count++) {
                    exchange.getResponseBody().write(piece);
                }
                exchange.close();
            })));
            writer.start();
            while (asked.early.isEmpty()) {
                Thread.onSpinWait();
            }
            assertEquals(5L * LARGE, Asked.body(asked.given()).length());
            writer.join();
            assertEquals(List.of(), asked.told);
        }
    }

    @Test
    void requestIsReadableBehindItsAnswer() throws Exception {
        Asked asked = Asked.post("body");
        asked.exchange.sendResponseHeaders(200, 5);
        asked.exchange.getResponseBody().write(FIVE);
        assertEquals("12345", Asked.body(asked.given()));
        asked.reuse();
        assertEquals("a", asked.exchange.getRequestHeaders().getFirst("Host"));
        assertEquals("POST", asked.exchange.getRequestMethod());
        assertEquals("body", new String(asked.exchange.getRequestBody().readAllBytes(),
                StandardCharsets.US_ASCII));
    }

    /** Its stream has one copy, who reads it all another. */
    @Test
    void aLargeBodyIsNotCopiedOnceMore() throws Exception {
        String large = "x".repeat(LARGE_BODY);
        Asked asked = Asked.post(large);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        byte[] body = asked.exchange.getRequestBody().readAllBytes();
        asked.exchange.sendResponseHeaders(200, 5);
        asked.exchange.getResponseBody().write(FIVE);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(LARGE_BODY, body.length);
        assertTrue(allocated < 5 * LARGE_BODY / 2, allocated + " bytes allocated");
        asked.given();
        asked.reuse();
        assertEquals("a", asked.exchange.getRequestHeaders().getFirst("Host"));
        assertEquals(-1, asked.exchange.getRequestBody().read());
    }

    @Test
    void handlerMayReturnAndLeaveTheExchangeToAnother() throws Exception {
        Asked asked = Asked.post("body");
        Response later = asked.run(exchange -> { });
        asked.reuse();
        Response[] answer = new Response[1];
        assertTrue(later.deferral().await(given -> answer[0] = given));
        assertEquals("body", new String(asked.exchange.getRequestBody().readAllBytes(),
                StandardCharsets.US_ASCII));
        answer(asked.exchange, FIVE);
        assertEquals("12345", Asked.body(answer[0]));
        assertEquals(List.of(), asked.early);
        assertEquals(List.of(), asked.told);
    }

    @Test
    void exchangeThatNobodyClosesIsNamedWhenNobodyWaits() throws Exception {
        Asked asked = Asked.get();
        Response later = asked.run(exchange -> { });
        assertTrue(later.deferral().await(given -> { }));
        assertEquals(List.of(), asked.told);
        assertTrue(later.deferral().abandon());
        later.deferral().tellGone();
        assertEquals(List.of("GET /a: the handler has returned, and the exchange was never closed"),
                asked.told);
        assertThrows(IOException.class, () -> asked.exchange.sendResponseHeaders(200, -1));
        asked.exchange.close();
        assertEquals(1, asked.told.size());
    }

    @Test
    void answerThatNobodyEndsIsNamedWithItsConnectionsEnd() throws Exception {
        Asked asked = Asked.get();
        assertNull(asked.run(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(FIVE);
            exchange.getResponseBody().flush();
        }));
        ((Body.Chunks) asked.given().body()).source().close();
        assertEquals(List.of("GET /a: the handler has returned, and the connection ended before the"
                + " exchange was closed"), asked.told);
        assertThrows(IOException.class, () -> asked.exchange.getResponseBody().write(FIVE));
    }

    @Test
    void answerWhoseClientGoesIsNobodysFault() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 0);
        asked.exchange.getResponseBody().flush();
        ((Body.Chunks) asked.given().body()).source().close();
        IOException gone = assertThrows(IOException.class,
                () -> asked.exchange.getResponseBody().write(FIVE));
        assertEquals("the connection has ended", gone.getMessage());
        assertNull(asked.exchange.onThrown(gone));
        assertEquals(List.of(), asked.told);
    }

    @Test
    void whatElseAHandlerThrowsBehindItsClientsGoingIsTold() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 0);
        asked.exchange.getResponseBody().flush();
        ((Body.Chunks) asked.given().body()).source().close();
        assertNull(asked.exchange.onThrown(new IllegalStateException("a fault of its own")));
        assertEquals(List.of("GET /a: a fault of its own"), asked.told);
    }

    @Test
    void headOfAnExchangeThatItsHandlerLeavesOpenIsOnItsWay() throws Exception {
        Asked asked = Asked.get();
        assertNull(asked.run(exchange -> exchange.sendResponseHeaders(200, 5)));
        assertEquals(200, asked.given().status());
        asked.exchange.getResponseBody().write(FIVE);
        asked.exchange.close();
        assertEquals("12345", Asked.body(asked.given()));
        assertEquals(List.of(), asked.told);
    }

    @Test
    void closeBeforeTheHeadersIsAFailureToldOnce() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.close();
        assertThrows(IOException.class, () -> asked.exchange.getRequestBody().read(),
                "what is read behind the close");
        asked.exchange.close();
        assertSame(HostExchange.FAILED, asked.given());
        assertTrue(HostExchange.FAILED.close());
        assertEquals(List.of("GET /a: the exchange was closed before its headers were sent"),
                asked.told);
        assertThrows(IOException.class, () -> asked.exchange.sendResponseHeaders(200, -1));
    }

    @Test
    void throwBeforeAnythingLeftIs500() {
        Asked asked = Asked.get();
        Response answer = asked.run(exchange -> {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().write(FIVE);
            throw new IllegalStateException("broken");
        });
        assertSame(HostExchange.FAILED, answer);
        assertEquals(List.of("GET /a: broken"), asked.told);
        assertEquals(List.of(), asked.early);
    }

    @Test
    void throwInTheMiddleOfAnAnswerCutsIt() throws Exception {
        Asked asked = Asked.get();
        assertNull(asked.run(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(FIVE);
            exchange.getResponseBody().flush();
            throw new IllegalStateException("broken");
        }));
        Body.Chunks cut = (Body.Chunks) asked.given().body();
        assertTrue(cut.source().next(ByteBuffer.allocate(100)), "it ended as if whole");
        assertEquals("broken", assertThrows(IllegalStateException.class,
                () -> cut.source().next(ByteBuffer.allocate(100))).getMessage());
        cut.source().close();
        assertEquals(List.of(), asked.told, "who sends it tells of it");
    }

    /** Its client would take what came for all there is. */
    @Test
    void closeBesideAWriterCutsTheAnswer() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 0);
        OutputStream body = asked.exchange.getResponseBody();
        AtomicReference<String> thrown = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            try {
                body.write(new byte[4 * LARGE]);
            } catch (IOException told) {
                thrown.set(told.getMessage());
            }
        });
        writer.start();
        while (writer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        asked.exchange.close();
        writer.join();
        assertEquals("the exchange is closed", thrown.get());
        ChunkSource cut = ((Body.Chunks) asked.given().body()).source();
        ByteBuffer into = ByteBuffer.allocate(2 * LARGE);
        assertTrue(cut.next(into), "it ended as if whole");
        assertEquals("the body was closed in the middle of a write", assertThrows(
                IOException.class, () -> cut.next(ByteBuffer.allocate(1))).getMessage());
        cut.close();
        assertEquals(List.of(), asked.told, "who sends it tells of it");
    }

    @Test
    void closeBehindAWriterIsItsEnd() throws Exception {
        Asked asked = Asked.get();
        asked.exchange.sendResponseHeaders(200, 0);
        OutputStream body = asked.exchange.getResponseBody();
        body.flush();
        body.write(FIVE);
        asked.exchange.close();
        assertEquals("12345", Asked.body(asked.given()));
        assertEquals(List.of(), asked.told);
    }

    @Test
    void throwIsToldWhereNobodySendsTheAnswerAnyMore() throws Exception {
        Asked asked = Asked.get();
        assertNull(asked.run(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            throw new IllegalStateException("broken");
        }));
        ((Body.Chunks) asked.given().body()).source().close();
        assertEquals(List.of("GET /a: broken"), asked.told);
    }

    @Test
    void throwBehindAWholeAnswerIsToldAndNoMore() throws Exception {
        Asked asked = Asked.get();
        assertNull(asked.run(exchange -> {
            answer(exchange, FIVE);
            throw new IllegalStateException("broken");
        }));
        assertEquals("12345", Asked.body(asked.given()));
        assertEquals(List.of("GET /a: broken"), asked.told);
    }

    @Test
    void attributesAreTheExchangesOwnAndThenItsContexts() {
        Asked asked = Asked.get();
        asked.context.getAttributes().put("a", 1);
        asked.context.getAttributes().put("b", 2);
        asked.exchange.setAttribute("a", 3);
        asked.exchange.setAttribute("c", null);
        assertEquals(3, asked.exchange.getAttribute("a"));
        assertEquals(2, asked.exchange.getAttribute("b"));
        assertNull(asked.exchange.getAttribute("c"));
        assertEquals(1, asked.context.getAttributes().get("a"));
        assertThrows(NullPointerException.class, () -> asked.exchange.getAttribute(null));
    }

    @Test
    void streamsMayBeWrapped() throws Exception {
        Asked asked = Asked.post("abc");
        InputStream upper = new FilterInputStream(asked.exchange.getRequestBody()) {
            @Override
            public int read() throws IOException {
                int next = super.read();
                return next < 0 ? next : Character.toUpperCase(next);
            }
        };
        OutputStream inner = asked.exchange.getResponseBody();
        asked.exchange.setStreams(upper, new BufferedOutputStream(inner));
        assertEquals('A', asked.exchange.getRequestBody().read());
        asked.exchange.sendResponseHeaders(200, 0);
        asked.exchange.getResponseBody().write(FIVE);
        asked.exchange.close();
        assertEquals("12345", Asked.body(asked.given()));
        assertEquals(List.of(), asked.told);
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
