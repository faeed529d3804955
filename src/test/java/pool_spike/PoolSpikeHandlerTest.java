package pool_spike;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.http.Body;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class PoolSpikeHandlerTest {
    private static final List<String> ROUTES =
            List.of("/", "/fast", "/slow?ms=0", "/held?turn=0", "/busy?n=0", "/late", "/stream");

    private final AppHandler handler = new PoolSpike().make(new FakeHostContext(1, 2, 3));

    @Test
    void answersNameTheirThreadAndLoop() throws Exception {
        assertEquals("fast thread=3 loop=1\n", text(get("/fast")));
        assertEquals("slow 1 thread=3 loop=1\n", text(get("/slow?ms=1")));
        assertTrue(text(get("/busy?n=1")).endsWith(" thread=3 loop=1\n"));
        assertEquals("loop thread=3 loop=1\n",
                text(handler.beforeRequest(Requests.get("/loop"))));
    }

    @Test
    void fastIsOneAnswerForEver() throws Exception {
        assertSame(get("/fast"), get("/fast"));
    }

    @Test
    void slowSleepsAndRefusesWhatItCannotRead() throws Exception {
        long startNs = System.nanoTime();
        get("/slow?ms=20");
        assertTrue(System.nanoTime() - startNs >= 20_000_000L);
        for (String bad : List.of("-1", "60001", "x", "")) {
            assertEquals(400, get("/slow?ms=" + bad).status(), bad);
            assertEquals(400, get("/late?ms=" + bad).status(), bad);
        }
        assertEquals(400, get("/busy?n=1000001").status());
        assertEquals(400, get("/held?turn=-1").status());
    }

    @Test
    void busyIsTheSameWorkEachTimeAndMoreIsOther() throws Exception {
        assertEquals(text(get("/busy?n=2")), text(get("/busy?n=2")));
        assertNotEquals(text(get("/busy?n=2")).split(" ")[2], text(get("/busy?n=3")).split(" ")[2]);
    }

    @Test
    void lateSaysWhatItWasAsked() throws Exception {
        Response answer = handler.handle(Requests.withBody("POST", "/late?ms=1&say=me",
                "Content-Length: 4\r\n", "body".getBytes(StandardCharsets.US_ASCII)));
        assertEquals("late thread=3 loop=1 /late?ms=1&say=me body\n", text(answer));
    }

    @Test
    void whatTakesItsTimeIsCountedAsItBegins() throws Exception {
        for (String route : List.of("/slow?ms=0", "/busy?n=0", "/late", "/held?turn=0", "/fast",
                "/slow?ms=x")) {
            get(route);
        }
        assertEquals("begun=4 released=0\n", text(handler.beforeRequest(Requests.get("/begun"))));
    }

    @Test
    void heldWaitsForItsTurn() throws Exception {
        CompletableFuture<String> held = CompletableFuture.supplyAsync(this::heldTwice);
        while (!said("/begun").startsWith("begun=1 ")) {
            Thread.sleep(1);
        }
        assertEquals("begun=1 released=1\n", said("/release"));
        assertThrows(TimeoutException.class, () -> held.get(200, TimeUnit.MILLISECONDS),
                "it did not wait for its turn");
        assertEquals("begun=1 released=2\n", said("/release"));
        assertEquals("held 2 thread=3 loop=1\n", held.get(20, TimeUnit.SECONDS));
    }

    private String heldTwice() {
        try {
            return text(get("/held?turn=2"));
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private String said(String target) throws Exception {
        return text(handler.beforeRequest(Requests.get(target)));
    }

    @Test
    void streamIsAStream() throws Exception {
        assertInstanceOf(Body.Events.class, get("/stream").body());
    }

    @Test
    void theLoopAnswersNoneOfThese() throws Exception {
        for (String route : ROUTES) {
            assertNull(handler.beforeRequest(Requests.get(route)), route);
        }
    }

    @Test
    void headIsReadAndOtherMethodsAreRefusedWithWhatIsAllowed() throws Exception {
        for (String route : ROUTES) {
            assertEquals(200, handler.handle(Requests.of("HEAD", route, "")).status(), route);
            Response refused = handler.handle(Requests.of("DELETE", route, ""));
            assertEquals(405, refused.status(), route);
            assertEquals(route.equals("/late") ? "GET, HEAD, POST" : "GET, HEAD",
                    refused.field("Allow"), route);
        }
        assertEquals(405, handler.beforeRequest(Requests.of("POST", "/loop", "")).status());
        assertEquals(405, handler.beforeRequest(Requests.of("POST", "/release", "")).status());
        assertEquals(404, get("/nothing").status());
    }

    private Response get(String target) throws Exception {
        return handler.handle(Requests.get(target));
    }

    private static String text(Response response) {
        var body = assertInstanceOf(Body.Bytes.class, response.body());
        return new String(body.array(), body.offset(), body.length(), StandardCharsets.UTF_8);
    }
}
