package host_check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.http.Body;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class HostCheckTest {
    private static final String PREFIX = "M0_HOSTCHECK_";
    private static final long PID = ProcessHandle.current().pid();

    private final App app = new HostCheck(name -> null);

    @Test
    void healthIsAnsweredBeforeTheRequestIsAJob() throws Exception {
        AppHandler handler = handler();
        assertEquals("ok", text(handler.beforeRequest(Requests.get("/health"))));
        assertSame(handler.beforeRequest(Requests.get("/health")),
                handler.beforeRequest(Requests.of("HEAD", "/health", "")));
        assertEquals(405, handler.beforeRequest(Requests.of("POST", "/health", "")).status());
        assertNull(handler.beforeRequest(Requests.get("/pid")));
    }

    @Test
    void saysWhichProcessAnswered() throws Exception {
        assertEquals(PID + "\n", text(handler().handle(Requests.get("/pid"))));
    }

    @Test
    void instanceCountsItsOwnRequestsAndNamesItsLoop() throws Exception {
        AppHandler one = app.make(new FakeHostContext(1, 2, -1));
        AppHandler two = app.make(new FakeHostContext(0, 2, -1));
        two.handle(Requests.get("/instance"));
        for (int count = 1; count <= 5; count++) {
            one.handle(Requests.get("/pid"));
            Response answer = one.handle(Requests.get("/instance"));
            assertEquals("{\"pid\":" + PID + ",\"loop\":1,\"count\":" + count + "}\n",
                    text(answer));
            assertEquals("1", answer.field("X-Worker"));
        }
    }

    @Test
    void slowHoldsItsThreadForAsLong() throws Exception {
        long startNs = System.nanoTime();
        assertEquals("slow 20\n", text(handler().handle(Requests.get("/slow?ms=20"))));
        assertTrue(System.nanoTime() - startNs >= 20_000_000L);
        for (String bad : List.of("-1", "60001", "x", "")) {
            assertEquals(400, handler().handle(Requests.get("/slow?ms=" + bad)).status(), bad);
        }
    }

    @Test
    void bytesAreThePatternOutOfOneArray() throws Exception {
        AppHandler handler = handler();
        var long1 = (Body.Bytes) handler.handle(Requests.get("/bytes?n=1000")).body();
        var short1 = (Body.Bytes) handler.handle(Requests.get("/bytes?n=10")).body();
        assertSame(long1.array(), short1.array());
        assertEquals(10, short1.length());
        assertPattern(0, long1.array());
        assertEquals(0, bytes(handler.handle(Requests.get("/bytes"))).length);
        assertEquals(400, handler.handle(Requests.get("/bytes?n=67108865")).status());
        assertEquals(400, handler.handle(Requests.get("/bytes?n=-1")).status());
    }

    @Test
    void fileHoldsThePatternAndGrows() throws Exception {
        AppHandler handler = handler();
        handler.handle(Requests.get("/file?bytes=300000"));
        var body = (Body.FileRegion) handler.handle(
                Requests.get("/file?bytes=400000&from=123456")).body();
        assertEquals(123_456, body.offset());
        assertEquals(400_000, body.length());
        byte[] content = Files.readAllBytes(body.path());
        assertEquals(523_456, content.length);
        assertPattern(0, content);
        handler.close();
    }

    @Test
    void fileIsItsOwnersAloneAndGoneAfterClose() throws Exception {
        AppHandler handler = handler();
        Path path = ((Body.FileRegion) handler.handle(Requests.get("/file?bytes=1")).body()).path();
        assertEquals(Set.of("OWNER_READ", "OWNER_WRITE"), Set.copyOf(
                Files.getPosixFilePermissions(path).stream().map(Enum::name).toList()));
        handler.close();
        assertFalse(Files.exists(path));
    }

    @Test
    void twoHandlersHaveTwoFiles() throws Exception {
        AppHandler one = handler();
        AppHandler two = handler();
        var first = (Body.FileRegion) one.handle(Requests.get("/file?bytes=5")).body();
        var second = (Body.FileRegion) two.handle(Requests.get("/file?bytes=5")).body();
        assertFalse(Files.isSameFile(first.path(), second.path()));
        one.close();
        assertTrue(Files.exists(second.path()));
        two.close();
    }

    @Test
    void brokenFilesAreShortOrLost() throws Exception {
        AppHandler handler = handler();
        var shortOne = (Body.FileRegion) handler.handle(Requests.get("/file-short")).body();
        assertTrue(Files.size(shortOne.path()) < shortOne.length());
        var lost = (Body.FileRegion) handler.handle(Requests.get("/file-lost")).body();
        assertFalse(Files.exists(lost.path()));
        handler.close();
    }

    @Test
    void framedSetsALengthAndABodyWhateverTheStatus() throws Exception {
        Response answer = handler().handle(Requests.get("/framed?status=304"));
        assertEquals(304, answer.status());
        assertEquals("6", answer.field("Content-Length"));
        assertEquals("framed", text(answer));
        assertEquals(400, handler().handle(Requests.get("/framed?status=101")).status());
    }

    @Test
    void eachHookThrowsWhereItIsAskedTo() throws Exception {
        AppHandler handler = handler();
        assertThrows(IllegalStateException.class,
                () -> handler.beforeRequest(Requests.get("/throw-before")));
        assertThrows(IllegalStateException.class, () -> handler.handle(Requests.get("/throw")));
        Request after = Requests.get("/throw-after");
        Response answer = handler.handle(after);
        assertThrows(IllegalStateException.class, () -> handler.afterResponse(after, answer));
        assertNull(handler.handle(Requests.get("/null")));
        Response other = handler.handle(Requests.get("/pid"));
        assertSame(other, handler.afterResponse(Requests.get("/pid"), other));
    }

    @Test
    void errorIsThrownOnlyWhereTheKnobAllowsIt() throws Exception {
        assertEquals(404, handler().handle(Requests.get("/error")).status());
        AppHandler allowed = app.make(new FakeHostContext().with(PREFIX + "LOOP_ERROR", "1"));
        assertThrows(AssertionError.class, () -> allowed.handle(Requests.get("/error")));
    }

    @Test
    void otherMethodsAndPaths() throws Exception {
        for (String path : List.of("/pid", "/instance", "/slow", "/bytes", "/file", "/framed")) {
            Response answer = handler().handle(Requests.of("POST", path, ""));
            assertEquals(405, answer.status(), path);
            assertEquals("GET, HEAD", answer.field("Allow"), path);
        }
        assertEquals(404, handler().handle(Requests.get("/nowhere")).status());
    }

    @Test
    void makeThrowsOnEveryLoopButNoPoolThread() throws Exception {
        assertThrows(IllegalStateException.class, () -> app.make(
                new FakeHostContext(1, 2, -1).with(PREFIX + "MAKE_RAISES", "1")));
        assertNotNull(app.make(new FakeHostContext(1, 2, 0).with(PREFIX + "MAKE_RAISES", "1")));
        assertNotNull(app.make(new FakeHostContext().with(PREFIX + "MAKE_RAISES", "0")));
    }

    @Test
    void makeThrowsLateOnTheNamedLoopAlone() throws Exception {
        assertNotNull(app.make(
                new FakeHostContext(0, 2, -1).with(PREFIX + "LOOP_MAKE_RAISES", "1")));
        long startNs = System.nanoTime();
        var thrown = assertThrows(IllegalStateException.class, () -> app.make(
                new FakeHostContext(1, 2, -1).with(PREFIX + "LOOP_MAKE_RAISES", "1")));
        assertTrue(System.nanoTime() - startNs >= 300_000_000L);
        assertTrue(thrown.getMessage().contains(PREFIX + "LOOP_MAKE_RAISES"));
    }

    @Test
    void makeThrowsOnTheNamedPoolThreadAlone() throws Exception {
        String knob = PREFIX + "POOL_MAKE_RAISES";
        assertNotNull(app.make(new FakeHostContext(1, 2, -1).with(knob, "1")));
        assertNotNull(app.make(new FakeHostContext(1, 2, 0).with(knob, "1")));
        var thrown = assertThrows(IllegalStateException.class,
                () -> app.make(new FakeHostContext(0, 2, 1).with(knob, "1")));
        assertEquals(knob + " asked make to throw on thread 1", thrown.getMessage());
    }

    @Test
    void anUnreadableKnobIsRefusedByName() {
        for (String bad : List.of("x", "-1", "")) {
            assertTrue(assertThrows(IllegalArgumentException.class,
                    () -> new HostCheck(name -> bad)).getMessage()
                    .startsWith(PREFIX + "MAX_WORKERS=" + bad));
            for (String name : List.of("LOOP_ERROR", "PERIOD_MS", "STEP_MS", "STEP_RAISES_AT",
                    "TICK_MS", "TELL_CLOSE", "HOOK_RAISES", "POOL_MAKE_RAISES")) {
                assertTrue(assertThrows(IllegalArgumentException.class,
                        () -> app.make(new FakeHostContext().with(PREFIX + name, bad)), name)
                        .getMessage().startsWith(PREFIX + name + "=" + bad));
            }
        }
    }

    @Test
    void workersAreLimitedByTheKnob() {
        assertEquals(0, app.maxWorkers());
        assertEquals(3, new HostCheck(name -> "3").maxWorkers());
        assertEquals(3, new HostCheck(name -> "3").maxThreads());
    }

    @Test
    void everyKnobIsDeclared() {
        assertEquals(Set.of("PERIOD_MS", "STEP_MS", "STEP_RAISES_AT", "TICK_MS", "MAX_WORKERS",
                "MAKE_RAISES", "PRODUCER_RAISES", "POOL_MAKE_RAISES", "LOOP_MAKE_RAISES",
                "LOOP_ERROR", "HOOK_RAISES", "TELL_CLOSE", "TELL_DOOR", "EXIT_HANGS", "MAKE_MS"),
                app.settings().stream()
                .map(name -> name.substring(PREFIX.length())).collect(Collectors.toSet()));
    }

    private AppHandler handler() throws Exception {
        return app.make(new FakeHostContext());
    }

    private static void assertPattern(int from, byte[] bytes) {
        for (int index = 0; index < bytes.length; index++) {
            if (bytes[index] != (byte) ((from + index) % 251)) {
                throw new AssertionError("byte " + index + " is " + bytes[index]);
            }
        }
    }

    private static byte[] bytes(Response answer) {
        var body = (Body.Bytes) answer.body();
        return Arrays.copyOfRange(body.array(), body.offset(), body.offset() + body.length());
    }

    private static String text(Response answer) {
        return new String(bytes(answer), StandardCharsets.UTF_8);
    }
}
