package views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** N2, N5, N9, N36, N38: a route table on the wire. */
@Gate
class TableGate {
    private static ServerProcess server() {
        return ServerProcess.app("views_check").start();
    }

    private static Reply ask(RawClient client, String method, String target) {
        return client.send(method + " " + target + " HTTP/1.1\r\nHost: gate\r\n\r\n")
                .read(method);
    }

    private static void expectProblem(Reply reply, int status, String title, String detail,
            String instance) {
        reply.expect(status).expectBody("{\"type\":\"about:blank\",\"title\":\"" + title
                + "\",\"status\":" + status + ",\"detail\":\"" + detail + "\",\"instance\":\""
                + instance + "\"}\n");
        assertEquals("application/problem+json", reply.header("Content-Type"), "the type");
    }

    @Test
    void anUnknownPathIsAProblemAndTheConnectionStays() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            for (String target : List.of("/", "/nothing", "/own/", "/own/more", "/Own",
                    "/echo", "/echo/", "/echo/a/b", "//own", "/echo//")) {
                expectProblem(ask(client, "GET", target + "?q=1").expectOpen(), 404, "Not Found",
                        "No route leads here.", target);
            }
            expectProblem(ask(client, "BREW", "/a\"b\\c"), 404, "Not Found",
                    "No route leads here.", "/a\\\"b\\\\c");
            ask(client, "OPTIONS", "/nothing").expect(404);
        }
    }

    @Test
    void aWrongMethodIsAProblemWithWhatIsAllowed() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            Reply reply = ask(client, "DELETE", "/own");
            expectProblem(reply.expectOpen(), 405, "Method Not Allowed",
                    "This path takes GET, HEAD, OPTIONS.", "/own");
            assertEquals("GET, HEAD, OPTIONS", reply.header("Allow"), "what is allowed");
            assertEquals("POST, OPTIONS", ask(client, "GET", "/form").expect(405).header("Allow"));
            assertEquals("GET, HEAD, POST, OPTIONS",
                    ask(client, "PUT", "/echo/a").expect(405).header("Allow"));
            ask(client, "BREW", "/own").expect(405);
        }
    }

    @Test
    void optionsOnAKnownPathSaysWhatIsAllowed() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            assertEquals("GET, HEAD, POST, OPTIONS",
                    ask(client, "OPTIONS", "/echo/a").expect(204).header("Allow"));
            assertEquals("POST, OPTIONS",
                    ask(client, "OPTIONS", "/form").expect(204).header("Allow"));
            assertEquals("GET, HEAD, OPTIONS",
                    ask(client, "OPTIONS", "/own").expect(204).header("Allow"));
        }
    }

    @Test
    void headReachesTheViewOfGetUnlessItHasItsOwn() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            assertEquals("head", ask(client, "HEAD", "/own").expect(200).header("X-View"));
            assertEquals("get", ask(client, "GET", "/own").expect(200).header("X-View"));
            Reply any = ask(client, "HEAD", "/first/x").expect(200);
            assertEquals("any", any.header("X-View"));
            assertEquals("3", any.header("Content-Length"));
            ask(client, "HEAD", "/nothing").expect(404);
            ask(client, "HEAD", "/form").expect(405);
        }
    }

    @Test
    void theFirstRouteThatTakesPathAndMethodAnswers() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            ask(client, "GET", "/first/this").expect(200).expectBody("any");
            ask(client, "DELETE", "/first/this").expect(200).expectBody("this");
            assertEquals("GET, HEAD, DELETE, OPTIONS",
                    ask(client, "PUT", "/first/this").expect(405).header("Allow"));
            ask(client, "DELETE", "/first/that").expect(405);
        }
    }

    @Test
    void capturesAreSplitBeforeTheyAreDecodedAndDecodedOnce() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            ask(client, "GET", "/echo/a%2Fb").expect(200).expectBody("[a/b]");
            ask(client, "GET", "/echo/%252F").expect(200).expectBody("[%2F]");
            ask(client, "GET", "/echo/a+b%20c").expect(200).expectBody("[a+b c]");
            ask(client, "GET", "/echo/%c3%a9").expect(200).expectBody("[\u00c3\u00a9]");
            ask(client, "GET", "/pair/x%2Fand%2Fy/and/z").expect(200).expectBody("x/and/y and z");
            ask(client, "GET", "/pair/x/y/and/z").expect(404);
        }
    }

    @Test
    void literalsMayBeEscaped() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            assertEquals("get", ask(client, "GET", "/%6f%77n").expect(200).header("X-View"));
            ask(client, "GET", "/%256fwn").expect(404);
            ask(client, "GET", "/first%2Fthis").expect(404);
        }
    }

    @Test
    void aMalformedEscapeIs400() {
        try (ServerProcess server = server()) {
            for (String target : List.of("/echo/%4", "/echo/%", "/echo/%zz", "/%4")) {
                try (RawClient client = RawClient.connect(server)) {
                    ask(client, "GET", target).expect(400);
                }
            }
            try (RawClient client = RawClient.connect(server)) {
                expectProblem(ask(client, "GET", "/echo/%ff").expectOpen(), 400, "Bad Request",
                        "The path has an escape that is malformed or hides what is not UTF-8.",
                        "/echo/%ff");
                ask(client, "GET", "/pair/%c3/and/%a9").expect(400);
            }
        }
    }

    @Test
    void dotsReachNoView() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            for (String dots : List.of(".", "..", "%2e", "%2E%2e", ".%2e", "../own", "x/../../own",
                    "..%2F..")) {
                Reply reply = ask(client, "GET", "/echo/" + dots);
                if (dots.equals("..%2F..")) {
                    reply.expect(200).expectBody("[../..]");
                } else {
                    reply.expect(404);
                }
            }
            ask(client, "GET", "/echo/...").expect(200).expectBody("[...]");
            ask(client, "GET", "/echo/.hidden").expect(200).expectBody("[.hidden]");
        }
    }

    @Test
    void linksLeadBackToTheValueTheyWereMadeOf() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            for (String escaped : List.of("a%2Fb", "%25%32%35", "a+b", "a%2Bb", "%3F%23%26%3D",
                    "%C3%A9%E2%82%AC%F0%9F%98%80", "...", "%22%3C%3E%5C", "%00%0A", "~-_.",
                    "..%2f..")) {
                String link = ask(client, "GET", "/link?value=" + escaped).expect(200).text();
                String value = ask(client, "GET", link).expect(200).text();
                assertTrue(link.matches("/echo/[A-Za-z0-9._~%-]+"), link);
                client.send("POST /form HTTP/1.1\r\nHost: gate\r\nContent-Type:"
                        + " application/x-www-form-urlencoded\r\nContent-Length: "
                        + (escaped.length() + 2) + "\r\n\r\nv=" + escaped);
                assertEquals("[" + client.read().expect(200).text().substring(2) + "]", value,
                        escaped);
            }
        }
    }

    @Test
    void aLinkThatNothingCouldFollowIsRefused() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            for (String none : List.of("", ".", "..")) {
                ask(client, "GET", "/link?value=" + none).expect(400);
            }
        }
    }

    @Test
    void aFormIsReadOrRefusedByName() {
        try (ServerProcess server = server(); RawClient client = RawClient.connect(server)) {
            form(client, "b=1&a=x+y%26z&b=%c3%a9&e").expect(200)
                    .expectBody("b=1,\u00c3\u00a9\na=x y&z\ne=");
            Reply bad = form(client, "a=%4").expect(400);
            assertTrue(bad.text().contains("has an escape that is malformed"), bad.text());
            form(client, "a=%ff").expect(400);
            form(client, "a=" + "x".repeat(65536)).expect(413);
            form(client, "a&".repeat(257)).expect(400);
            client.post("/form", "a=1").expect(415);
            form(client, "").expect(200);
        }
    }

    private static Reply form(RawClient client, String body) {
        return client.send("POST /form HTTP/1.1\r\nHost: gate\r\nContent-Type:"
                + " application/x-www-form-urlencoded\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body).read();
    }

    @Test
    void aRouteOnTheLoopHasTheStateOfTheLoopsHandler() {
        try (ServerProcess server = ServerProcess.app("views_check")
                .set("M0_BLOCKING_THREADS", "1").start();
                RawClient client = RawClient.connect(server)) {
            ask(client, "GET", "/count").expect(200).expectBody("thread=0 count=1\n");
            ask(client, "GET", "/count-on-loop").expect(200).expectBody("thread=-1 count=1\n");
            ask(client, "GET", "/count-on-loop").expect(200).expectBody("thread=-1 count=2\n");
            ask(client, "GET", "/count").expect(200).expectBody("thread=0 count=2\n");
            assertNull(ask(client, "OPTIONS", "/count-on-loop").expect(204)
                    .header("Content-Type"));
        }
    }

    @Test
    void aViewThatThrowsIsTheSame500OnTheLoopAndOnTheLane() {
        try (ServerProcess server = ServerProcess.app("views_check")
                .set("M0_BLOCKING_THREADS", "1").start()) {
            for (String target : List.of("/throws", "/throws-on-loop")) {
                try (RawClient client = RawClient.connect(server)) {
                    client.send(("GET " + target + " HTTP/1.1\r\nHost: gate\r\n\r\n").repeat(2));
                    expectProblem(client.read().expectClose(), 500, "Internal Server Error",
                            "The view failed; the log says why.", target);
                    client.expectEnd();
                }
                server.expectStderrLines(1, "GET " + target
                        + " failed: java.lang.IllegalStateException: asked to throw",
                        RawClient.WAIT);
            }
        }
    }
}
