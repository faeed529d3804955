package host_check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.app.FakePublisher.Frame;
import m0.app.Producer;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.http.parse.Requests;
import m0.stream.StreamId;
import org.junit.jupiter.api.Test;

/** Streams, hooks and beats of the application that gates check the host with. */
class StreamChecksTest {
    private static final long PID = ProcessHandle.current().pid();
    private static final Request WS = Requests.get("/ws");
    private static final StreamId STREAM = new StreamId(0, 7, 1);
    private static final StreamId OTHER = new StreamId(0, 8, 1);

    private final FakeHostContext context = new FakeHostContext();

    @Test
    void beatsCountInThePageAndNameTheirProcess() throws Exception {
        try (Producer first = app().producer(context)) {
            assertEquals(100_000_000L, first.step());
            first.step();
        }
        try (Producer second = app().producer(context)) {
            second.step();
        }
        assertEquals(List.of(
                new Frame(1, "beats", "beat", "{\"beat\":1,\"pid\":" + PID + "}"),
                new Frame(2, "beats", "beat", "{\"beat\":2,\"pid\":" + PID + "}"),
                new Frame(3, "beats", "beat", "{\"beat\":3,\"pid\":" + PID + "}")),
                context.publisher().take());
    }

    @Test
    void knobsSteerTheBeats() throws Exception {
        context.with(Knobs.PERIOD_MS, "16").with(Knobs.STEP_MS, "20")
                .with(Knobs.STEP_RAISES_AT, "2");
        try (Producer beats = app().producer(context)) {
            long startNs = System.nanoTime();
            assertEquals(16_000_000L, beats.step());
            assertTrue(System.nanoTime() - startNs >= 20_000_000L);
            assertThrows(IllegalStateException.class, beats::step);
            beats.step();
        }
    }

    @Test
    void producerThrowsWhereTheKnobSaysSo() {
        context.with(Knobs.PRODUCER_RAISES, "1");
        var thrown = assertThrows(IllegalStateException.class, () -> app().producer(context));
        assertTrue(thrown.getMessage().contains(Knobs.PRODUCER_RAISES), thrown.getMessage());
    }

    @Test
    void eventsAreBeatsInOrderUnlessAskedOtherwise() throws Exception {
        assertEquals(new Body.Events("beats", StreamPolicy.LOG, true, List.of()),
                handler().beforeRequest(Requests.get("/events")).body());
        assertEquals(new Body.Events("a b", StreamPolicy.LATEST, false, List.of()),
                handler().beforeRequest(
                        Requests.get("/events?policy=latest&replay=0&channel=a+b")).body());
        for (String bad : List.of("policy=x", "replay=2", "replay=x", "policy=")) {
            assertEquals(400,
                    handler().beforeRequest(Requests.get("/events?" + bad)).status(), bad);
        }
    }

    @Test
    void eventsFromFuncAreTheSameButAJob() throws Exception {
        assertNull(handler().beforeRequest(Requests.get("/events-from-func")));
        assertEquals(new Body.Events("beats", StreamPolicy.LOG, true, List.of()),
                handler().handle(Requests.get("/events-from-func")).body());
    }

    @Test
    void chunksAreThePatternInPiecesThatAreApart() throws Exception {
        AppHandler handler = handler();
        int gapMs = 50;
        while (!piecesAreSeenApart(handler, gapMs)) {
            gapMs *= 2;
            handler = handler();
        }
        assertTrue(hooks(handler).contains("\"open\":0,\"closed\":1"));
        assertEquals(400, handler.beforeRequest(Requests.get("/chunks?piece=0")).status());
        assertEquals(400, handler.beforeRequest(Requests.get("/chunks?bytes=x")).status());
    }

    /** False where this thread stood still for as long as the gap is, and so has not seen it. */
    private static boolean piecesAreSeenApart(AppHandler handler, int gapMs) throws Exception {
        try (ChunkSource source = source(handler, "/chunks?bytes=500&piece=300&gap=" + gapMs)) {
            ByteBuffer into = ByteBuffer.allocate(200);
            assertTrue(source.next(into));
            long sinceNs = System.nanoTime();
            assertTrue(source.next(into.clear()));
            assertEquals(100, into.position());
            assertEquals((byte) 200, into.get(0));
            boolean more = source.next(into.clear());
            if (into.position() > 0) {
                assertTrue(System.nanoTime() - sinceNs >= gapMs * 1_000_000L,
                        "it has nothing for a while");
                return false;
            }
            assertTrue(more);
            while (source.next(into)) {
                Thread.onSpinWait();
            }
            assertEquals(200, into.position());
            assertFalse(hooks(handler).contains("\"askedInVain\":0"), hooks(handler));
            assertTrue(hooks(handler).contains(
                    "\"sources\":{\"pulled\":500,\"open\":1,\"closed\":0,\"askedInVain\":"));
        }
        return true;
    }

    @Test
    void chunksThrowWhereTheyAreToldTo() throws Exception {
        try (ChunkSource source = source(handler(), "/chunks?bytes=100&throw=10")) {
            ByteBuffer into = ByteBuffer.allocate(200);
            assertTrue(source.next(into));
            assertEquals(10, into.position());
            assertThrows(IllegalStateException.class, () -> source.next(into));
        }
    }

    private static ChunkSource source(AppHandler handler, String target) throws Exception {
        return ((Body.Chunks) handler.beforeRequest(Requests.get(target)).body()).source();
    }

    @Test
    void webSocketIsOpenedAsAsked() throws Exception {
        assertEquals(new Body.WebSocket("", 0), handler().beforeRequest(WS).body());
        assertEquals(new Body.WebSocket("chat", 9), handler().beforeRequest(
                Requests.get("/ws?protocol=chat&max=9")).body());
        assertEquals(400, handler().beforeRequest(Requests.get("/ws?max=x")).status());
    }

    @Test
    void publishSaysWhatBecameOfItsFrames() throws Exception {
        AppHandler handler = handler();
        assertEquals("{\"id\":1,\"taken\":1,\"refused\":0,\"reason\":\"\"}\n",
                text(handler.handle(Requests.get("/publish?channel=c&event=e&data=a%20b"))));
        assertEquals("{\"id\":4,\"taken\":3,\"refused\":0,\"reason\":\"\"}\n",
                text(handler.handle(Requests.get("/publish?size=28&count=3"))));
        List<Frame> frames = context.publisher().take();
        assertEquals(new Frame(1, "c", "e", "a b"), frames.get(0));
        assertEquals(new Frame(4, "beats", "published", "abcdefghijklmnopqrstuvwxyzab"),
                frames.get(3));
        context.publisher().refuse("it is \"full\"\n");
        assertEquals("{\"id\":0,\"taken\":0,\"refused\":2,\"reason\":\"it is ?full??\"}\n",
                text(handler.handle(Requests.get("/publish?count=2"))));
        for (String bad : List.of("size=1048577", "size=-1", "count=100001", "count=x")) {
            assertEquals(400, handler.handle(Requests.get("/publish?" + bad)).status(), bad);
        }
    }

    @Test
    void whatIsNoCommandComesBack() throws Exception {
        AppHandler handler = opened();
        for (String text : List.of("hello", "close", "close x", "flood 1", "flood x 1", "")) {
            assertTrue(say(handler, text));
            assertEquals(List.of("send 7 1 " + text), context.streams().take(), text);
        }
        handler.webSocketMessage(STREAM, 2, utf8("close 1000"));
        assertEquals(List.of("send 7 2 close 1000"), context.streams().take());
        context.streams().full(true);
        assertFalse(say(handler, "hello"));
    }

    @Test
    void closesWhenAskedAndTriesToGoOn() throws Exception {
        AppHandler handler = opened();
        assertTrue(say(handler, "close 1001"));
        assertEquals(List.of("close 7 1001"), context.streams().take());
        assertTrue(hooks(handler).contains("\"sentBehindClose\":0"), hooks(handler));
    }

    @Test
    void subscribesAndSaysSo() throws Exception {
        AppHandler handler = opened();
        say(handler, "subscribe a b");
        assertEquals(List.of("subscribe 7 a b", "send 7 1 subscribed a b"),
                context.streams().take());
    }

    @Test
    void floodsAsFarAsItIsTaken() throws Exception {
        AppHandler handler = opened();
        say(handler, "flood 3 0");
        assertEquals(List.of("send 7 2 ", "send 7 2 ", "send 7 2 "), context.streams().take());
        context.streams().full(true);
        assertTrue(say(handler, "flood 3 0"));
        assertTrue(hooks(handler).contains("\"flooded\":3"), hooks(handler));
    }

    @Test
    void heldMessagesAreNotNowUntilTheirTime() throws Exception {
        AppHandler handler = opened();
        handler.tick(1000);
        assertTrue(say(handler, "hold 50"));
        assertFalse(say(handler, "one"));
        handler.tick(1049);
        assertEquals(List.of(), context.streams().take());
        handler.tick(1050);
        assertEquals(List.of("resume 7"), context.streams().take());
        assertTrue(say(handler, "one"));
    }

    @Test
    void heldMessagesAreNotNowUntilAnyLoopIsAskedToResume() throws Exception {
        AppHandler handler = opened();
        assertTrue(say(handler, "hold"));
        handler.tick(Long.MAX_VALUE - 1);
        assertFalse(say(handler, "one"));
        AppHandler sibling = app().make(context.sibling(1));
        assertEquals("resumed 0\n", text(sibling.beforeRequest(Requests.get("/resume"))));
        handler.tick(1);
        assertEquals(List.of("resume 7"), context.streams().take());
        say(handler, "hold");
        assertEquals("resumed 1\n", text(handler.beforeRequest(Requests.get("/resume"))));
        assertTrue(say(handler, "two"));
    }

    @Test
    void aClosedStreamIsNotResumed() throws Exception {
        AppHandler handler = opened();
        say(handler, "hold");
        handler.streamClosed(STREAM);
        assertEquals("resumed 0\n", text(handler.beforeRequest(Requests.get("/resume"))));
    }

    @Test
    void closesEveryStreamOfItsLoop() throws Exception {
        AppHandler handler = opened();
        handler.streamOpened(OTHER, WS);
        assertEquals("closed 2\n", text(handler.beforeRequest(Requests.get("/close?code=1012"))));
        assertEquals(List.of("close 7 1012", "close 8 1012"),
                context.streams().take().stream().sorted().toList());
        assertEquals(400, handler.beforeRequest(Requests.get("/close?code=x")).status());
    }

    @Test
    void hooksAreCounted() throws Exception {
        AppHandler handler = opened();
        handler.tick(1);
        handler.tick(2);
        say(handler, "hello");
        handler.peerFrame("c", 1, utf8("x"));
        handler.webSocketClosed(STREAM, 1000);
        handler.streamClosed(STREAM);
        handler.afterResponse(WS, handler.handle(Requests.get("/pid")));
        assertEquals("{\"hooks\":{\"loop\":0,\"thread\":-1,\"beforeRequest\":0,\"handle\":2,"
                + "\"afterResponse\":1,\"tick\":2,\"streamOpened\":1,\"streamClosed\":1,"
                + "\"webSocketMessage\":1,\"webSocketClosed\":1,\"peerFrame\":1,\"close\":0,"
                + "\"open\":0,\"foreign\":0,\"astray\":0,\"codes\":[1000]},\"socket\":"
                + "{\"flooded\":0,\"sentBehindClose\":0,\"held\":0},\"sources\":"
                + "{\"pulled\":0,\"open\":0,\"closed\":0,\"askedInVain\":0}}\n", hooks(handler));
    }

    @Test
    void callsThatShouldNotBeAreCountedAstrayOrForeign() throws Exception {
        AppHandler handler = opened();
        handler.streamOpened(STREAM, WS);
        handler.streamClosed(STREAM);
        handler.streamClosed(STREAM);
        handler.streamOpened(new StreamId(1, 7, 1), WS);
        handler.webSocketClosed(STREAM, 1000);
        var other = new Thread(() -> handler.tick(1));
        other.start();
        other.join();
        assertTrue(hooks(handler).contains("\"foreign\":1,\"astray\":4,"), hooks(handler));
    }

    @Test
    void lastCodesAreKept() throws Exception {
        AppHandler handler = opened();
        for (int code = 3000; code < 3065; code++) {
            handler.webSocketClosed(STREAM, code);
        }
        assertTrue(hooks(handler).contains("\"codes\":[3001,"), hooks(handler));
        assertTrue(hooks(handler).contains(",3064]"), hooks(handler));
    }

    @Test
    void hooksThrowWhereTheKnobNamesThem() throws Exception {
        for (Hook hook : Hook.values()) {
            AppHandler handler =
                    app().make(new FakeHostContext().with(Knobs.HOOK_RAISES, hook.label()));
            var thrown = assertThrows(IllegalStateException.class, () -> call(handler, hook));
            assertTrue(thrown.getMessage().contains(hook.label()), thrown.getMessage());
            for (Hook other : Hook.values()) {
                if (other != hook && other != Hook.CLOSE && hook != Hook.CLOSE) {
                    call(handler, other);
                }
            }
        }
    }

    @Test
    void tickIsTheSettingsUnlessTheKnobSaysOtherwise() throws Exception {
        assertEquals(0, handler().tickMs());
        assertEquals(20, app().make(new FakeHostContext().with(Knobs.TICK_MS, "20")).tickMs());
    }

    @Test
    void onlyReadingIsAllowed() throws Exception {
        for (String path : List.of("/events", "/ws", "/hooks", "/resume", "/close")) {
            assertEquals(405, handler().beforeRequest(Requests.of("POST", path, "")).status());
        }
        for (String path : List.of("/events-from-func", "/hooks-from-func", "/publish")) {
            assertEquals(405, handler().handle(Requests.of("POST", path, "")).status());
        }
    }

    private static void call(AppHandler handler, Hook hook) throws Exception {
        switch (hook) {
            case BEFORE_REQUEST -> handler.beforeRequest(Requests.get("/pid"));
            case HANDLE -> handler.handle(Requests.get("/pid"));
            case AFTER_RESPONSE -> handler.afterResponse(WS, Response.empty(204));
            case TICK -> handler.tick(1);
            case STREAM_OPENED -> handler.streamOpened(STREAM, WS);
            case STREAM_CLOSED -> handler.streamClosed(STREAM);
            case WEB_SOCKET_MESSAGE -> handler.webSocketMessage(STREAM, 1, utf8("hello"));
            case WEB_SOCKET_CLOSED -> handler.webSocketClosed(STREAM, 1000);
            case PEER_FRAME -> handler.peerFrame("c", 1, utf8("x"));
            case CLOSE -> handler.close();
        }
    }

    private static HostCheck app() {
        return new HostCheck(name -> null);
    }

    private AppHandler handler() throws Exception {
        return app().make(context);
    }

    /** A handler with one WebSocket. */
    private AppHandler opened() throws Exception {
        AppHandler handler = handler();
        handler.streamOpened(STREAM, WS);
        return handler;
    }

    private static boolean say(AppHandler handler, String text) {
        return handler.webSocketMessage(STREAM, 1, utf8(text));
    }

    private static String hooks(AppHandler handler) throws Exception {
        return text(handler.handle(Requests.get("/hooks-from-func")));
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Response answer) {
        var body = (Body.Bytes) answer.body();
        return new String(body.array(), body.offset(), body.length(), StandardCharsets.UTF_8);
    }
}
