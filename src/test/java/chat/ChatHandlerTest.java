package chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.app.FakePublisher.Frame;
import m0.http.Body;
import m0.http.Response;
import m0.http.parse.Requests;
import m0.stream.StreamId;
import org.junit.jupiter.api.Test;

class ChatHandlerTest {
    private static final StreamId ANN = new StreamId(0, 7, 1);
    private static final StreamId BOB = new StreamId(1, 3, 1);

    private final FakeHostContext context = new FakeHostContext(0, 2, -1);
    private final FakeHostContext siblingContext = context.sibling(1);
    private final AppHandler handler = new ChatHandler(context, () -> 5);
    private final AppHandler sibling = new ChatHandler(siblingContext, () -> 6);

    @Test
    void pageTakesWhatPeopleWriteAsTextAndNeedsNothingFromElsewhere() throws Exception {
        Response page = handler.handle(Requests.get("/"));
        assertEquals("text/html; charset=utf-8", page.field("Content-Type"));
        assertTrue(page.field("Content-Security-Policy").startsWith("default-src 'none';"));
        String html = text(page);
        for (String taboo : List.of("innerHTML", "insertAdjacent", "document.write", "eval(",
                "src=", "http:", "https://", "@import", "url(")) {
            assertFalse(html.contains(taboo), taboo);
        }
        assertEquals(405, handler.handle(Requests.of("POST", "/", "")).status());
        assertEquals(404, handler.handle(Requests.get("/other")).status());
    }

    @Test
    void webSocketsBeginOnTheLoopAndAreBounded() {
        assertEquals(new Body.WebSocket("", ChatHandler.MESSAGE_BYTES_MAX),
                handler.beforeRequest(Requests.get("/ws?name=x")).body());
        assertNull(handler.beforeRequest(Requests.get("/")));
    }

    @Test
    void whoComesIsWelcomedAndEverybodyHearsOfIt() {
        come(handler, ANN, "Ann");
        assertEquals(List.of("subscribe 7 chat",
                "send 7 1 {\"kind\":\"welcome\",\"name\":\"Ann\",\"loop\":0,\"here\":1}"),
                context.streams().take());
        assertEquals(List.of(new Frame(1, "chat", "",
                "{\"kind\":\"came\",\"name\":\"Ann\",\"here\":1,\"at\":5}")),
                context.publisher().take());
    }

    @Test
    void peopleAreCountedOverAllLoops() {
        come(handler, ANN, "Ann");
        come(sibling, BOB, "Bob");
        handler.streamClosed(ANN);
        assertEquals(List.of("{\"kind\":\"came\",\"name\":\"Ann\",\"here\":1,\"at\":5}",
                "{\"kind\":\"came\",\"name\":\"Bob\",\"here\":2,\"at\":6}",
                "{\"kind\":\"left\",\"name\":\"Ann\",\"here\":1,\"at\":5}"),
                context.publisher().takeData());
    }

    @Test
    void whatIsSaidIsPublishedWithAnIdOfItsOwn() {
        come(handler, ANN, "Ann");
        come(sibling, BOB, "Bob");
        context.publisher().take();
        assertTrue(say(handler, ANN, " hi <b>\"you\"\n"));
        assertTrue(say(handler, ANN, "again"));
        assertTrue(say(sibling, BOB, "hello"));
        assertTrue(say(sibling, BOB, "  "));
        assertEquals(List.of(
                "{\"kind\":\"said\",\"id\":\"0-5-1\",\"name\":\"Ann\",\"text\":"
                        + "\"hi \\u003cb>\\u0022you\\u0022\",\"at\":5}",
                "{\"kind\":\"said\",\"id\":\"0-5-2\",\"name\":\"Ann\",\"text\":\"again\",\"at\":5}",
                "{\"kind\":\"said\",\"id\":\"1-6-1\",\"name\":\"Bob\",\"text\":\"hello\","
                        + "\"at\":6}"),
                context.publisher().takeData());
    }

    @Test
    void whoComesLaterHearsWhatWasSaidLastOnAnyLoop() {
        for (int count = 1; count <= 60; count++) {
            handler.peerFrame("chat", count, utf8("{\"kind\":\"said\",\"id\":\"" + count + "\"}"));
            handler.peerFrame("chat", count, utf8("{\"kind\":\"came\",\"name\":\"x\"}"));
            handler.peerFrame("other", count, utf8("{\"kind\":\"said\",\"id\":\"x\"}"));
        }
        come(handler, ANN, "Ann");
        List<String> calls = context.streams().take();
        assertEquals(52, calls.size());
        assertEquals("send 7 1 {\"kind\":\"said\",\"id\":\"11\"}", calls.get(2));
        assertEquals("send 7 1 {\"kind\":\"said\",\"id\":\"60\"}", calls.get(51));
    }

    @Test
    void historyIsBoundedInBytesToo() {
        String text = "x".repeat(1000);
        for (int count = 1; count <= 60; count++) {
            handler.peerFrame("chat", count, utf8("{\"kind\":\"said\",\"text\":\"" + text + "\"}"));
        }
        come(handler, ANN, "Ann");
        int bytes = context.streams().take().stream().filter(call -> call.contains("said"))
                .mapToInt(String::length).sum();
        assertTrue(bytes > History.BYTES_MAX / 2 && bytes <= History.BYTES_MAX + 1000, "" + bytes);
    }

    @Test
    void whoIsTooFastWaitsUntilATickBuysOneMoreMessage() {
        come(handler, ANN, "Ann");
        for (int count = 0; count < ChatHandler.BURST; count++) {
            assertTrue(say(handler, ANN, "x"));
        }
        context.publisher().take();
        context.streams().take();
        assertFalse(say(handler, ANN, "late"));
        assertEquals(List.of(), context.publisher().take());
        handler.tick(1);
        assertEquals(List.of("resume 7"), context.streams().take());
        assertTrue(say(handler, ANN, "late"));
        assertEquals(1, context.publisher().take().size());
        handler.tick(2);
        assertEquals(List.of(), context.streams().take());
    }

    @Test
    void whatNoLoopTookIsRefusedToWhoSaidIt() {
        come(handler, ANN, "Ann");
        context.streams().take();
        context.publisher().refuse("full");
        assertTrue(say(handler, ANN, "x"));
        assertEquals(List.of("send 7 1 {\"kind\":\"refused\",\"reason\":\"full\"}"),
                context.streams().take());
    }

    @Test
    void binaryMessagesAreNotTaken() {
        come(handler, ANN, "Ann");
        context.streams().take();
        assertTrue(handler.webSocketMessage(ANN, 2, utf8("x")));
        assertEquals(List.of("close 7 1003"), context.streams().take());
    }

    @Test
    void namesAreCleanAndShort() {
        assertEquals("guest", Names.clean(null));
        assertEquals("guest", Names.clean(" \t\n"));
        assertEquals("Ann B", Names.clean("  Ann\tB\u0000\u202e\u200b "));
        assertEquals("é\uD83D\uDE00", Names.clean("é\uD83D\uDE00\uD83D"));
        assertEquals(24, Names.clean("x".repeat(100)).length());
        assertEquals(23, Names.clean("x".repeat(23) + "\uD83D\uDE00").length());
    }

    @Test
    void textIsHarmlessInAnyString() {
        assertEquals("\"a\\u0022\\u005c\\u000a\\u0000\\u003c/\\u2028é\"",
                Notices.quoted("a\"\\\n\u0000</\u2028é"));
    }

    private static void come(AppHandler to, StreamId stream, String name) {
        to.streamOpened(stream, Requests.get("/ws?name=" + name));
    }

    private static boolean say(AppHandler to, StreamId stream, String text) {
        return to.webSocketMessage(stream, 1, utf8(text));
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Response answer) {
        var body = (Body.Bytes) answer.body();
        return new String(body.array(), body.offset(), body.length(), StandardCharsets.UTF_8);
    }
}
