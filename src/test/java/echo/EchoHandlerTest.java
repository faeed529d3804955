package echo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.app.FakePublisher;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Requests;
import m0.stream.StreamId;
import org.junit.jupiter.api.Test;

class EchoHandlerTest {
    private static final List<String> READ_ROUTES = List.of("/", "/hello", "/s204", "/s304",
            "/slow?ms=0", "/hdrs", "/inject?v=x", "/path/x", "/stream", "/sse", "/events");

    private static final StreamId STREAM = new StreamId(0, 7, 1);

    private final FakeHostContext context = new FakeHostContext();
    private final AppHandler handler = new Echo().make(context);

    @Test
    void fixedPages() throws Exception {
        assertEquals("echo", text(get("/")));
        assertEquals("hello", text(get("/hello")));
    }

    @Test
    void echoReturnsTheBodyAsItCame() throws Exception {
        byte[] body = new byte[300];
        for (int index = 0; index < body.length; index++) {
            body[index] = (byte) index;
        }
        Request request = Requests.withBody("POST", "/echo", "Content-Length: 300\r\n", body);
        Response answer = handler.handle(request);
        assertEquals(200, answer.status());
        assertArrayEquals(body, bytes(answer));
    }

    @Test
    void echoKeepsNoHoldOnTheRequestsMemory() throws Exception {
        byte[] body = {1, 2, 3};
        Response answer = handler.handle(
                Requests.withBody("POST", "/echo", "Content-Length: 3\r\n", body));
        Arrays.fill(body, (byte) 9);
        assertArrayEquals(new byte[] {1, 2, 3}, bytes(answer));
    }

    @Test
    void noReadAnswersWithoutTheBody() throws Exception {
        Response answer = handler.handle(Requests.withBody("PUT", "/noread",
                "Content-Length: 2\r\n", new byte[] {'h', 'i'}));
        assertEquals(200, answer.status());
        assertEquals("not read", text(answer));
    }

    @Test
    void statusesWithoutABody() throws Exception {
        assertEquals(204, get("/s204").status());
        assertEquals(304, get("/s304").status());
    }

    @Test
    void slowNamesItsTimeAndRefusesWhatItCannotUse() throws Exception {
        assertEquals("slow 1\n", text(get("/slow?ms=1")));
        assertTrue(text(get("/slow")).startsWith("slow 300"));
        for (String bad : List.of("-1", "60001", "x", "", "99999999999")) {
            assertEquals(400, get("/slow?ms=" + bad).status(), bad);
        }
    }

    @Test
    void fieldsAreShownAsTheyCameOneALine() throws Exception {
        assertEquals("Host: test\nX-One: a b\nx-one: c\nEmpty: \n", text(handler.handle(
                Requests.of("GET", "/hdrs", "X-One:  a b \r\nx-one: c\r\nEmpty:\r\n"))));
    }

    @Test
    void injectSendsAValueThatMayLeave() throws Exception {
        Response answer = get("/inject?v=a%20b%09c%c3%a9");
        assertEquals(200, answer.status());
        assertEquals("a b\tcé", answer.field("X-Echo"));
    }

    @Test
    void injectRefusesAValueThatCouldBeginALine() throws Exception {
        for (String bad : List.of("a%0d%0aSet-Cookie:%20x", "%0a", "%0d", "%00", "a%7f", "%1b")) {
            Response answer = get("/inject?v=" + bad);
            assertEquals(400, answer.status(), bad);
            assertNull(answer.field("X-Echo"), bad);
            assertTrue(text(answer).startsWith("refused: "), text(answer));
            assertFalse(new String(answer.encodedHead(), StandardCharsets.ISO_8859_1)
                    .contains("Set-Cookie"), bad);
        }
        assertEquals(400, get("/inject").status());
    }

    @Test
    void pathIsDecodedOnce() throws Exception {
        assertEquals("a/b c%20é", text(get("/path/a%2Fb%20c%2520%C3%A9")));
        assertEquals("", text(get("/path/")));
        assertEquals(404, get("/path").status());
    }

    @Test
    void streamIsThreePartsOfUnknownLength() throws Exception {
        ChunkSource source = ((Body.Chunks) get("/stream").body()).source();
        assertEquals(List.of("part one\n", "part two\n", "part three\n"), parts(source, 64));
    }

    @Test
    void partsFitIntoAnyBuffer() throws Exception {
        ChunkSource source = ((Body.Chunks) get("/stream").body()).source();
        assertEquals("part one\npart two\npart three\n", String.join("", parts(source, 1)));
    }

    @Test
    void everyStreamHasPartsOfItsOwn() throws Exception {
        ChunkSource one = ((Body.Chunks) get("/stream").body()).source();
        parts(one, 64);
        assertEquals(3, parts(((Body.Chunks) get("/stream").body()).source(), 64).size());
    }

    @Test
    void sseBeginsWithAnEventAndGoesOnOnceASecond() throws Exception {
        handler.tick(0);
        var sse = (Body.Events) get("/sse").body();
        assertEquals("data: at once\n\n",
                new String(sse.initialFrames().get(0), StandardCharsets.UTF_8));
        handler.streamOpened(STREAM, Requests.get("/sse"));
        for (int second = 0; second < 3; second++) {
            assertFalse(tickedChannels(second == 0 ? 8 : 9).contains(sse.channel()),
                    "second " + second);
            assertTrue(tickedChannels(1).contains(sse.channel()), "second " + second);
        }
    }

    @Test
    void eventsBeginWithTheHeadAloneAndGoOnAfterOneAndAHalfSeconds() throws Exception {
        var events = (Body.Events) get("/events").body();
        assertEquals(List.of(), events.initialFrames());
        handler.streamOpened(STREAM, Requests.get("/events"));
        assertFalse(tickedChannels(16).contains(events.channel()));
        assertTrue(tickedChannels(1).contains(events.channel()));
        assertEquals(100, handler.tickMs());
    }

    @Test
    void streamsThatBeginApartHaveChannelsApartAndThereAreFew() throws Exception {
        var channels = new HashSet<String>();
        for (int tick = 0; tick < 100; tick++) {
            channels.add(((Body.Events) get("/sse").body()).channel());
            handler.tick(tick);
        }
        assertEquals(10, channels.size());
        AppHandler sibling = new Echo().make(context.sibling(1));
        assertFalse(channels.contains(
                ((Body.Events) sibling.beforeRequest(Requests.get("/sse")).body()).channel()));
    }

    @Test
    void nothingIsPublishedWhileNobodyListens() {
        assertEquals(Set.of(), tickedChannels(40));
        handler.streamOpened(STREAM, Requests.get("/sse"));
        assertFalse(tickedChannels(1).isEmpty());
        handler.streamClosed(STREAM);
        assertEquals(Set.of(), tickedChannels(40));
    }

    @Test
    void messagesComeBackWithTheirOpcode() throws Exception {
        assertInstanceOf(Body.WebSocket.class, get("/ws").body());
        assertTrue(handler.webSocketMessage(STREAM, 1, buffer("text")));
        assertTrue(handler.webSocketMessage(STREAM, 2, buffer("binary")));
        assertEquals(List.of("send 7 1 text", "send 7 2 binary"), context.streams().take());
    }

    @Test
    void aMessageWithoutRoomIsNotWantedNow() {
        context.streams().full(true);
        assertFalse(handler.webSocketMessage(STREAM, 1, buffer("late")));
        context.streams().full(false);
        assertTrue(handler.webSocketMessage(STREAM, 1, buffer("late")));
        assertEquals(List.of("send 7 1 late"), context.streams().take());
    }

    @Test
    void whatIsNoHandshakeIsLeftToTheHost() throws Exception {
        for (String method : List.of("GET", "HEAD", "POST")) {
            assertInstanceOf(Body.WebSocket.class,
                    answer(Requests.of(method, "/ws", "")).body(), method);
        }
    }

    @Test
    void headIsAnsweredWhereverGetIs() throws Exception {
        for (String path : READ_ROUTES) {
            assertEquals(get(path).status(),
                    answer(Requests.of("HEAD", path, "")).status(), path);
        }
    }

    @Test
    void otherMethodsAreNotAllowedOnAKnownPath() throws Exception {
        for (String path : READ_ROUTES) {
            assertNotAllowed("GET, HEAD", Requests.of("DELETE", path, ""));
        }
        assertNotAllowed("POST", Requests.get("/echo"));
        assertNotAllowed("PUT", Requests.of("POST", "/noread", ""));
    }

    @Test
    void otherPathsAreNotFoundWhateverTheMethod() throws Exception {
        for (String path : List.of("/nowhere", "/hello/", "/echo2")) {
            assertEquals(404, get(path).status());
            assertEquals(404, handler.handle(Requests.of("POST", path, "")).status());
        }
    }

    private void assertNotAllowed(String methods, Request request) throws Exception {
        Response answer = answer(request);
        assertEquals(405, answer.status(), request.path());
        assertEquals(methods, answer.field("Allow"), request.path());
    }

    private Response get(String target) throws Exception {
        return answer(Requests.get(target));
    }

    /** As the host asks: first before the request becomes a job. */
    private Response answer(Request request) throws Exception {
        Response before = handler.beforeRequest(request);
        return before == null ? handler.handle(request) : before;
    }

    /** The channels that {@code count} ticks published to. */
    private Set<String> tickedChannels(int count) {
        for (int tick = 0; tick < count; tick++) {
            handler.tick(tick);
        }
        return context.publisher().take().stream().map(FakePublisher.Frame::channel)
                .collect(Collectors.toSet());
    }

    /** What each call put, into a buffer of that size. */
    private static List<String> parts(ChunkSource source, int bufferBytes) throws Exception {
        var parts = new ArrayList<String>();
        boolean more = true;
        while (more) {
            ByteBuffer into = ByteBuffer.allocate(bufferBytes);
            more = source.next(into);
            parts.add(new String(into.array(), 0, into.position(), StandardCharsets.UTF_8));
        }
        return parts;
    }

    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(Response answer) {
        var body = (Body.Bytes) answer.body();
        return Arrays.copyOfRange(body.array(), body.offset(), body.offset() + body.length());
    }

    private static String text(Response answer) {
        return new String(bytes(answer), StandardCharsets.UTF_8);
    }
}
