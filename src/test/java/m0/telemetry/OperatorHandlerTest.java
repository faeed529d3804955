package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import m0.app.AppHandler;
import m0.http.Body;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Requests;
import m0.loop.StopWord;
import m0.page.Page;
import m0.stream.StreamId;
import org.junit.jupiter.api.Test;

class OperatorHandlerTest {
    private static final long MS = 1_000_000L;
    private static final StreamId STREAM = new StreamId(0, 1, 2);

    private final SteppedClock clock = new SteppedClock();
    private final StopWord stop = new StopWord();
    private final Page page = Page.inMemory(2, Meter.WORDS, 0);
    private final Application application = new Application();
    private final OperatorHandler handler = handler(1000);

    @Test
    void isLiveWhileNoPassIsOverTheLimit() {
        page.line(1).enterPass(clock.nowNs - 1000 * MS);
        assertAnswer(200, "live\n", handler.beforeRequest(Requests.get("/__live")));
    }

    @Test
    void isNotLiveOnceAPassIsOverTheLimitAndNamesTheLoop() {
        page.line(1).enterPass(clock.nowNs - 1001 * MS);
        assertAnswer(503, "loop=1 has been inside one pass for 1001 ms\n",
                handler.beforeRequest(Requests.get("/__live")));
    }

    /** As a worker's is by its supervisor once its process has ended, whatever it was in. */
    @Test
    void isLiveOnceALoopThatWasHeldIsBuried() {
        page.line(1).begin();
        page.line(1).enterPass(clock.nowNs - 1001 * MS);
        page.line(1).bury();
        assertAnswer(200, "live\n", handler.beforeRequest(Requests.get("/__live")));
    }

    @Test
    void isAlwaysLiveWithoutALimit() {
        page.line(0).enterPass(clock.nowNs - 1_000_000 * MS);
        assertAnswer(200, "live\n", handler(0).beforeRequest(Requests.get("/__live")));
    }

    @Test
    void isReadyUntilAStopIsAsked() {
        assertAnswer(200, "ready\n", handler.beforeRequest(Requests.get("/__ready")));
        stop.ask();
        assertAnswer(503, "stopping\n", handler.beforeRequest(Requests.get("/__ready")));
        assertAnswer(200, "live\n", handler.beforeRequest(Requests.get("/__live")));
    }

    @Test
    void answersHeadToo() {
        assertEquals(200, handler.beforeRequest(Requests.of("HEAD", "/__live", "")).status());
        assertEquals(200, handler.beforeRequest(Requests.of("HEAD", "/__ready?x=1", "")).status());
        assertEquals(200, handler.beforeRequest(Requests.of("HEAD", "/__metrics", "")).status());
    }

    @Test
    void refusesOtherMethods() {
        for (String path : List.of("/__live", "/__ready", "/__metrics")) {
            Response answer = handler.beforeRequest(Requests.of("POST", path, ""));
            assertEquals(405, answer.status());
            assertEquals("GET, HEAD", answer.field("Allow"));
        }
    }

    @Test
    void isNotToBeCached() {
        for (String path : List.of("/__live", "/__ready", "/__metrics")) {
            assertEquals("no-store",
                    handler.beforeRequest(Requests.get(path)).field("Cache-Control"), path);
        }
    }

    @Test
    void metricsAreATextOfTheirOwnType() {
        page.line(1).countPassed();
        Response answer = handler.beforeRequest(Requests.get("/__metrics"));
        assertEquals(200, answer.status());
        assertEquals("text/plain; version=0.0.4; charset=utf-8", answer.field("Content-Type"));
        var bytes = (Body.Bytes) answer.body();
        String text = new String(bytes.array(), StandardCharsets.US_ASCII);
        assertTrue(text.contains("\nm0_accept_handoffs_total{direction=\"passed\"} 1\n"), text);
        assertSame(answer, handler.afterResponse(Requests.get("/__metrics"), answer));
        assertEquals(List.of(), application.calls);
    }

    @Test
    void leavesEveryOtherPathToTheApplication() {
        for (String path : List.of("/", "/__", "/__livex", "/__live/", "/__metricsx", "/live")) {
            application.calls.clear();
            assertNull(handler.beforeRequest(Requests.get(path)), path);
            assertEquals(List.of("beforeRequest"), application.calls, path);
        }
    }

    @Test
    void applicationSeesNothingOfHealthAnswers() {
        Request request = Requests.get("/__live");
        Response answer = handler.beforeRequest(request);
        assertSame(answer, handler.afterResponse(request, answer));
        assertEquals(List.of(), application.calls);
    }

    @Test
    void applicationSeesItsOwnAnswerAfterAHealthAnswer() {
        Request health = Requests.get("/__live");
        handler.afterResponse(health, handler.beforeRequest(health));
        Response before = Response.empty(204);
        assertSame(Application.AFTER, handler.afterResponse(Requests.get("/"), before));
    }

    @Test
    void forwardsEveryHook() throws Exception {
        Request request = Requests.get("/");
        assertSame(Application.HANDLED, handler.handle(request));
        assertNull(handler.beforeRequest(request));
        assertSame(Application.AFTER, handler.afterResponse(request, Application.HANDLED));
        assertEquals(77, handler.tickMs());
        handler.tick(1);
        handler.streamOpened(STREAM, request);
        handler.streamClosed(STREAM);
        assertFalse(handler.webSocketMessage(STREAM, 1, ByteBuffer.allocate(0)));
        handler.webSocketClosed(STREAM, 1000);
        handler.peerFrame("c", 1, ByteBuffer.allocate(0));
        handler.close();
        Set<String> hooks = new TreeSet<>();
        for (Method method : AppHandler.class.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                hooks.add(method.getName());
            }
        }
        assertEquals(hooks, new TreeSet<>(application.calls));
    }

    private OperatorHandler handler(long stallMs) {
        return new OperatorHandler(application, stop, page, stallMs, clock, new MetricsText(page));
    }

    private static void assertAnswer(int status, String body, Response answer) {
        assertEquals(status, answer.status());
        var bytes = (Body.Bytes) answer.body();
        assertEquals(body, new String(bytes.array(), StandardCharsets.UTF_8));
        assertTrue(new String(answer.encodedHead(), StandardCharsets.US_ASCII)
                .contains("Content-Type: text/plain; charset=utf-8\r\n"));
    }

    private static final class Application implements AppHandler {
        static final Response HANDLED = Response.text(200, "handled");
        static final Response AFTER = Response.text(200, "after");

        private final List<String> calls = new ArrayList<>();

        @Override
        public Response handle(Request request) {
            calls.add("handle");
            return HANDLED;
        }

        @Override
        public Response beforeRequest(Request request) {
            calls.add("beforeRequest");
            return null;
        }

        @Override
        public Response afterResponse(Request request, Response response) {
            calls.add("afterResponse");
            return AFTER;
        }

        @Override
        public long tickMs() {
            calls.add("tickMs");
            return 77;
        }

        @Override
        public void tick(long nowMs) {
            calls.add("tick");
        }

        @Override
        public void streamOpened(StreamId stream, Request request) {
            calls.add("streamOpened");
        }

        @Override
        public void streamClosed(StreamId stream) {
            calls.add("streamClosed");
        }

        @Override
        public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
            calls.add("webSocketMessage");
            return false;
        }

        @Override
        public void webSocketClosed(StreamId stream, int code) {
            calls.add("webSocketClosed");
        }

        @Override
        public void peerFrame(String channel, long id, ByteBuffer frame) {
            calls.add("peerFrame");
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }
}
