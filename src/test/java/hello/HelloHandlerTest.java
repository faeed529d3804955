package hello;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.app.FakePublisher.Frame;
import m0.http.Body;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.http.parse.Requests;
import m0.stream.StreamId;
import org.junit.jupiter.api.Test;

class HelloHandlerTest {
    private static final StreamId STREAM = new StreamId(0, 7, 1);

    private final FakeHostContext context = new FakeHostContext(0, 2, -1);
    private final AppHandler handler = new Hello().make(context);

    @Test
    void healthIsOneSharedAnswer() throws Exception {
        Response answer = handler.beforeRequest(Requests.get("/health"));
        assertEquals(200, answer.status());
        assertEquals("ok", text(answer));
        AppHandler sibling = new Hello().make(new FakeHostContext(1, 2, -1));
        assertSame(answer, sibling.beforeRequest(Requests.of("HEAD", "/health?x", "")));
    }

    @Test
    void healthAllocatesNothing() throws Exception {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        Request request = Requests.get("/health");
        askMany(request);
        // The JVM itself allocates now and then on a thread: a round without is what is asked for.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            askMany(request);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least);
    }

    @Test
    void pageSaysWhatTheHostIs() throws Exception {
        handler.beforeRequest(Requests.get("/health"));
        Response answer = handler.handle(Requests.get("/"));
        assertEquals(200, answer.status());
        assertEquals("text/html; charset=utf-8", answer.field("Content-Type"));
        String page = text(answer);
        assertTrue(page.contains("<dt>Loops</dt><dd>2, this is number 0</dd>"), page);
        assertTrue(page.contains("<dt>Answered by</dt><dd>the loop</dd>"), page);
        assertTrue(page.contains("<dt>Requests it has answered</dt><dd>2</dd>"), page);
        assertTrue(page.contains(System.getProperty("java.version")), page);
        assertTrue(page.contains(String.valueOf(ProcessHandle.current().pid())), page);
    }

    @Test
    void pageNamesThePoolThread() throws Exception {
        AppHandler pooled = new Hello().make(new FakeHostContext(1, 4, 2));
        String page = text(pooled.handle(Requests.get("/")));
        assertTrue(page.contains("4, this is number 1"), page);
        assertTrue(page.contains("pool thread 2"), page);
    }

    @Test
    void pageNeedsNothingFromElsewhere() throws Exception {
        String page = text(handler.handle(Requests.get("/")));
        for (String loader : List.of("http:", "https:", "src=", "//", "@import", "url(")) {
            assertFalse(page.contains(loader), loader);
        }
    }

    @Test
    void beatsAreAStreamThatReplaysAndBeginsWithItsLoop() {
        var beats = (Body.Events) handler.beforeRequest(Requests.get("/beats")).body();
        assertEquals("beats", beats.channel());
        assertEquals(StreamPolicy.LOG, beats.policy());
        assertTrue(beats.replay());
        assertEquals(List.of("event: here\ndata: {\"loop\":0,\"loops\":2}\n\n"),
                beats.initialFrames().stream()
                        .map(frame -> new String(frame, StandardCharsets.UTF_8)).toList());
        assertEquals(405, handler.beforeRequest(Requests.of("POST", "/beats", "")).status());
        assertNull(handler.beforeRequest(Requests.get("/")));
    }

    @Test
    void everyLoopBeatsOnceASecondAndCountsItsOwn() {
        AppHandler sibling = new Hello().make(context.sibling(1));
        handler.streamOpened(STREAM, Requests.get("/beats"));
        handler.tick(1000);
        sibling.tick(1000);
        handler.tick(2000);
        assertEquals(List.of(
                new Frame(1, "beats", "beat", "{\"loop\":0,\"count\":1}"),
                new Frame(2, "beats", "beat", "{\"loop\":1,\"count\":1}"),
                new Frame(3, "beats", "beat", "{\"loop\":0,\"count\":2}")),
                context.publisher().take());
        assertEquals(1000, handler.tickMs());
    }

    @Test
    void nothingBeatsWhileNobodyLooksOnAnyLoop() {
        AppHandler sibling = new Hello().make(context.sibling(1));
        handler.tick(1000);
        sibling.streamOpened(STREAM, Requests.get("/beats"));
        handler.tick(2000);
        sibling.streamClosed(STREAM);
        handler.tick(3000);
        assertEquals(List.of("{\"loop\":0,\"count\":1}"), context.publisher().takeData());
    }

    @Test
    void otherMethodsAreNotAllowed() throws Exception {
        for (Response answer : List.of(handler.handle(Requests.of("POST", "/", "")),
                handler.beforeRequest(Requests.of("POST", "/health", "")))) {
            assertEquals(405, answer.status());
            assertEquals("GET, HEAD", answer.field("Allow"));
        }
    }

    @Test
    void otherPathsAreNotFound() throws Exception {
        for (String path : List.of("/healthy", "/health/", "/index.html", "//")) {
            assertEquals(404, handler.handle(Requests.get(path)).status(), path);
        }
        assertEquals(404, handler.handle(Requests.of("POST", "/nowhere", "")).status());
    }

    @Test
    void uptimeShowsTheTwoLargestUnits() {
        assertEquals("0 s", HelloHandler.uptime(0));
        assertEquals("59 s", HelloHandler.uptime(59));
        assertEquals("1 min 0 s", HelloHandler.uptime(60));
        assertEquals("3 h 12 min", HelloHandler.uptime(3 * 3600 + 12 * 60 + 59));
        assertEquals("2 d 1 h", HelloHandler.uptime(2 * 86_400 + 3600 + 60));
    }

    private void askMany(Request request) {
        for (int count = 0; count < 20_000; count++) {
            handler.beforeRequest(request);
        }
    }

    private static String text(Response answer) {
        var bytes = (Body.Bytes) answer.body();
        return new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.UTF_8);
    }
}
