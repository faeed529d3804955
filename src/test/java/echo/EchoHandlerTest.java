package echo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.http.Body;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class EchoHandlerTest {
    private static final List<String> READ_ROUTES = List.of("/", "/hello", "/s204", "/s304",
            "/slow?ms=0", "/hdrs", "/inject?v=x", "/path/x", "/stream", "/sse", "/events", "/ws");

    private final AppHandler handler = new Echo().make(new FakeHostContext());

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
    void streamsSayThatTheyAreNotServed() throws Exception {
        for (String path : List.of("/stream", "/sse", "/events", "/ws")) {
            Response answer = get(path);
            assertEquals(501, answer.status(), path);
            assertTrue(text(answer).contains("not served yet"), path);
        }
    }

    @Test
    void headIsAnsweredWhereverGetIs() throws Exception {
        for (String path : READ_ROUTES) {
            assertEquals(get(path).status(),
                    handler.handle(Requests.of("HEAD", path, "")).status(), path);
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
        Response answer = handler.handle(request);
        assertEquals(405, answer.status(), request.path());
        assertEquals(methods, answer.field("Allow"), request.path());
    }

    private Response get(String target) throws Exception {
        return handler.handle(Requests.get(target));
    }

    private static byte[] bytes(Response answer) {
        var body = (Body.Bytes) answer.body();
        return Arrays.copyOfRange(body.array(), body.offset(), body.offset() + body.length());
    }

    private static String text(Response answer) {
        return new String(bytes(answer), StandardCharsets.UTF_8);
    }
}
