package m0.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import m0.app.AnsweredFailure;
import m0.http.Method;
import m0.http.ProblemException;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class ViewsTest {
    private final Toy toy = new Toy();
    private final Views<ToyReading, Toy> views = new Views<ToyReading, Toy>()
            .addRead("index", Method.GET, "/", Toy.says("index"))
            .addRead("note", Method.GET, "/notes/{id}",
                    (state, request, captures) -> Toy.said("note " + captures.text("id")))
            .addRead("new", Method.GET, "/notes/new", Toy.says("new"))
            .addWrite("new", Method.POST, "/notes/new", Toy::added)
            .addWrite("put", Method.PUT, "/put", Toy.says("put"))
            .addRead("put", Method.GET, "/put", Toy.says("got"))
            .addRead("own", Method.HEAD, "/own", Toy.says("own head"))
            .addRead("own", Method.GET, "/own", Toy.says("own get"))
            .addReadOnLoop("count", Method.GET, "/loop/count", Toy::counted)
            .addWriteOnLoop("add", Method.POST, "/loop/count", Toy::added)
            .addLoop("now", Method.GET, "/loop/now", (request, captures) -> Toy.said("now"));

    private Response ask(String method, String target) {
        return views.dispatch(views.mount("/x"), Requests.of(method, target, ""), toy);
    }

    private String get(String target) {
        return Toy.text(ask("GET", target).status() == 200 ? ask("GET", target)
                : Response.text(200, String.valueOf(ask("GET", target).status())));
    }

    private static String problem(int status, String title, String detail, String instance) {
        return "{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status
                + ",\"detail\":\"" + detail + "\",\"instance\":\"" + instance + "\"}\n";
    }

    @Test
    void theFirstRouteThatTakesPathAndMethodAnswers() {
        assertEquals("note 7", get("/x/notes/7"));
        assertEquals("note new", get("/x/notes/new"));
        assertEquals("count=1", Toy.text(ask("POST", "/x/notes/new")));
    }

    @Test
    void theIndexIsThePrefixWithAndWithoutASlash() {
        assertEquals("index", get("/x"));
        assertEquals("index", get("/x/"));
        assertEquals("404", get("/x//"));
    }

    @Test
    void outsideThePrefixTheTableKnowsNothing() {
        for (String target : List.of("/", "/xapp", "/xapp/put", "/put", "/X/put", "/%78/put",
                "/x%2Fput")) {
            assertEquals("404", get(target), target);
        }
        assertEquals(404, ask("OPTIONS", "/xapp/put").status());
    }

    @Test
    void anUnknownPathIsAProblem() {
        Response answer = ask("DELETE", "/x/a%22b?q=1");
        assertEquals(404, answer.status());
        assertEquals("application/problem+json", answer.field("Content-Type"));
        assertEquals(problem(404, "Not Found", "No route leads here.", "/x/a%22b"),
                Toy.text(answer));
    }

    @Test
    void aWrongMethodIsAProblemWithWhatIsAllowed() {
        Response answer = ask("DELETE", "/x/put");
        assertEquals(405, answer.status());
        assertEquals("PUT, GET, HEAD, OPTIONS", answer.field("Allow"));
        assertEquals(problem(405, "Method Not Allowed",
                "This path takes PUT, GET, HEAD, OPTIONS.", "/x/put"), Toy.text(answer));
        assertEquals(405, ask("BREW", "/x/put").status());
    }

    @Test
    void whatIsAllowedStandsInTheOrderOfRegistration() {
        assertEquals("GET, HEAD, OPTIONS", ask("POST", "/x").field("Allow"));
        assertEquals("GET, HEAD, POST, OPTIONS", ask("PUT", "/x/notes/new").field("Allow"));
        assertEquals("GET, HEAD, OPTIONS", ask("PUT", "/x/notes/7").field("Allow"));
        assertEquals("GET, HEAD, OPTIONS", ask("PUT", "/x/own").field("Allow"));
        assertEquals("GET, HEAD, POST, OPTIONS", ask("PUT", "/x/loop/count").field("Allow"));
    }

    @Test
    void optionsOnAKnownPathSaysWhatIsAllowed() {
        Response answer = ask("OPTIONS", "/x/put");
        assertEquals(204, answer.status());
        assertEquals("PUT, GET, HEAD, OPTIONS", answer.field("Allow"));
        assertEquals(404, ask("OPTIONS", "/x/nothing").status());
    }

    @Test
    void headReachesTheViewOfGetUnlessItHasItsOwn() {
        assertEquals("got", Toy.text(ask("HEAD", "/x/put")));
        assertEquals("own head", Toy.text(ask("HEAD", "/x/own")));
        assertEquals("own get", Toy.text(ask("GET", "/x/own")));
        assertEquals(404, ask("HEAD", "/x/nothing").status());
    }

    @Test
    void aHeadOfALaterPatternDoesNotGoBeforeAnEarlierGet() {
        var overlapping = new Views<Toy, Toy>()
                .addRead("any", Method.GET, "/f/{any}", Toy.says("any"))
                .addRead("this", Method.HEAD, "/f/this", Toy.says("this"))
                .addRead("this", Method.GET, "/f/this", Toy.says("this"))
                .addRead("that", Method.GET, "/that", Toy.says("that"))
                .addRead("that", Method.HEAD, "/that", Toy.says("its own"))
                .addRead("rest", Method.HEAD, "/g/{rest}", Toy.says("head of rest"))
                .addRead("one", Method.GET, "/g/one", Toy.says("one"));
        Mount at = overlapping.mount("");
        assertEquals("any", Toy.text(overlapping.dispatch(at,
                Requests.of("HEAD", "/f/this", ""), toy)), "the head of what GET answers");
        assertEquals("its own", Toy.text(overlapping.dispatch(at,
                Requests.of("HEAD", "/that", ""), toy)));
        assertEquals("head of rest", Toy.text(overlapping.dispatch(at,
                Requests.of("HEAD", "/g/one", ""), toy)));
    }

    @Test
    void capturesAreDecodedOnceBehindTheSplit() {
        assertEquals("note a/b", get("/x/notes/a%2Fb"));
        assertEquals("note %2F", get("/x/notes/%252F"));
        assertEquals("note a+b", get("/x/notes/a+b"));
        assertEquals("404", get("/x/notes/a/b"));
    }

    @Test
    void aCaptureThatIsNoUtf8Is400() {
        Response answer = ask("GET", "/x/notes/%ff");
        assertEquals(400, answer.status());
        assertTrue(Toy.text(answer).contains("\"instance\":\"/x/notes/%ff\""), Toy.text(answer));
    }

    @Test
    void linksLeadWhereTheirNamesSay() {
        Mount at = views.mount("/x");
        assertEquals("/x/", at.urlFor("index"));
        assertEquals("/x/notes/a%2Fb%20%C3%A9", at.urlFor("note", "a/b \u00e9"));
        assertEquals("/notes/new", views.mount("").urlFor("new"));
        assertEquals("note a/b \u00e9", get(at.urlFor("note", "a/b \u00e9")));
        assertThrows(IllegalArgumentException.class, () -> at.urlFor("nowhere"));
        assertThrows(IllegalArgumentException.class, () -> at.urlFor("note"));
        assertThrows(IllegalArgumentException.class, () -> at.urlFor("note", ""));
    }

    @Test
    void whatIsNoPrefixIsRefused() {
        for (String bad : List.of("x", "/", "/x/", "/x//y", "/x y", "/%78", "/x?", "/x/..",
                "/{x}")) {
            assertThrows(IllegalArgumentException.class, () -> views.mount(bad), bad);
        }
        assertEquals("/a/b-1", views.mount("/a/b-1").prefix());
    }

    @Test
    void theLoopAnswersItsRoutesWithItsOwnState() {
        Mount at = views.mount("/x");
        toy.add();
        assertEquals("count=1",
                Toy.text(views.answerOnLoop(at, Requests.get("/x/loop/count"), toy)));
        assertEquals("count=2", Toy.text(
                views.answerOnLoop(at, Requests.of("POST", "/x/loop/count", ""), toy)));
        assertEquals("now", Toy.text(views.answerOnLoop(at, Requests.get("/x/loop/now"), toy)));
        assertNotNull(views.answerOnLoop(at, Requests.of("HEAD", "/x/loop/now", ""), toy));
    }

    @Test
    void theLoopLeavesEverythingElseToDispatch() {
        Mount at = views.mount("/x");
        for (String target : List.of("/x", "/x/put", "/x/notes/1", "/x/loop", "/x/loop/x",
                "/x/nothing", "/xapp/loop/now", "/loop/now", "/x/loop/now/")) {
            assertNull(views.answerOnLoop(at, Requests.get(target), toy), target);
        }
        for (String method : List.of("DELETE", "OPTIONS", "BREW")) {
            assertNull(views.answerOnLoop(at, Requests.of(method, "/x/loop/now", ""), toy),
                    method);
        }
    }

    @Test
    void withoutAStateTheLoopAnswersWhatNeedsNone() {
        Mount at = views.mount("/x");
        assertEquals("now", Toy.text(views.answerOnLoop(at, Requests.get("/x/loop/now"))));
        Request declined = Requests.get("/x/loop/count");
        assertNull(views.answerOnLoop(at, declined), "what needs a state");
        assertEquals(Toy.text(views.answerOnLoop(at, declined, toy)),
                Toy.text(views.dispatch(at, declined, toy)));
        assertEquals("now", Toy.text(views.dispatch(at, Requests.get("/x/loop/now"), toy)));
    }

    @Test
    void aRouteOfTheLoopDoesNotGoBeforeAnEarlierOne() {
        var overlapping = new Views<Toy, Toy>()
                .addRead("first", Method.GET, "/a/b", Toy.says("first"))
                .addReadOnLoop("second", Method.GET, "/a/{any}", Toy.says("second"));
        Mount at = overlapping.mount("");
        assertNull(overlapping.answerOnLoop(at, Requests.get("/a/b"), toy));
        assertEquals("second",
                Toy.text(overlapping.answerOnLoop(at, Requests.get("/a/c"), toy)));
        assertEquals("first", Toy.text(overlapping.dispatch(at, Requests.get("/a/b"), toy)));
    }

    @Test
    void aViewThatThrowsIsTheSame500WhereverItRan() {
        var throwing = new Views<Toy, Toy>()
                .addWriteOnLoop("throws", Method.GET, "/throws", (state, request, captures) -> {
                    throw new IOException("as asked");
                });
        Mount at = throwing.mount("");
        Request request = Requests.get("/throws");
        AnsweredFailure onLane = assertThrows(AnsweredFailure.class,
                () -> throwing.dispatch(at, request, toy));
        AnsweredFailure onLoop = assertThrows(AnsweredFailure.class,
                () -> throwing.answerOnLoop(at, request, toy));
        for (AnsweredFailure failure : List.of(onLane, onLoop)) {
            assertEquals("as asked", failure.getCause().getMessage());
            assertEquals(500, failure.answer().status());
            assertTrue(failure.answer().close(), "it closes");
            assertEquals(problem(500, "Internal Server Error",
                    "The view failed; the log says why.", "/throws"), Toy.text(failure.answer()));
        }
    }

    @Test
    void aViewsOwnAnswerToItsFailureStays() {
        Response own = Response.text(503, "its own words\n");
        var answering = new Views<Toy, Toy>()
                .addRead("a", Method.GET, "/a", (state, request, captures) -> {
                    throw new AnsweredFailure(own, new IOException("as asked"));
                });
        AnsweredFailure failure = assertThrows(AnsweredFailure.class,
                () -> answering.dispatch(answering.mount(""), Requests.get("/a"), toy));
        assertEquals("its own words\n", Toy.text(failure.answer()), "what the view answers");
        assertEquals("as asked", failure.getCause().getMessage());
    }

    @Test
    void anAnswerToAFailureIsAFailureInMemory() {
        for (Response wrong : List.of(Response.text(200, "fine"), Response.deferred(),
                Response.status(500).file(Path.of("a"), 0, 1).build())) {
            assertThrows(IllegalArgumentException.class,
                    () -> new AnsweredFailure(wrong, new IOException("as asked")));
        }
    }

    @Test
    void noResponseIsAFailureAndAnErrorIsTheHosts() {
        var broken = new Views<Toy, Toy>()
                .addRead("none", Method.GET, "/none", (state, request, captures) -> null)
                .addRead("error", Method.GET, "/error", (state, request, captures) -> {
                    throw new AssertionError("as asked");
                });
        Mount at = broken.mount("");
        assertThrows(AnsweredFailure.class,
                () -> broken.dispatch(at, Requests.get("/none"), toy));
        assertEquals("as asked", assertThrows(AssertionError.class,
                () -> broken.dispatch(at, Requests.get("/error"), toy)).getMessage());
    }

    @Test
    void aRefusalOfAViewIsAnsweredAsItStands() {
        var refusing = new Views<Toy, Toy>()
                .addRead("refuses", Method.GET, "/refuses", (state, request, captures) -> {
                    throw new ProblemException(409, "not now");
                });
        Response answer = refusing.dispatch(refusing.mount(""), Requests.get("/refuses"), toy);
        assertEquals(problem(409, "Conflict", "not now", "/refuses"), Toy.text(answer));
    }

    @Test
    void nothingFoundHasAViewOfItsOwnInsideThePrefix() {
        var kind = new Views<ToyReading, Toy>()
                .addRead("a", Method.GET, "/a", Toy.says("a"))
                .setNotFound((state, request, captures) ->
                        Response.text(404, "count=" + state.count()));
        Mount at = kind.mount("/x");
        assertEquals("count=0",
                Toy.text(kind.dispatch(at, Requests.get("/x/nothing"), toy)));
        assertTrue(Toy.text(kind.dispatch(at, Requests.get("/y"), toy)).startsWith("{"));
        assertEquals(405, kind.dispatch(at, Requests.of("PUT", "/x/a", ""), toy).status());
    }

    @Test
    void whatCannotBeRegisteredIsRefused() {
        var fresh = new Views<Toy, Toy>().addRead("a", Method.GET, "/a/{b}", Toy.says("a"));
        assertThrows(IllegalArgumentException.class,
                () -> fresh.addRead("a", Method.GET, "/a", Toy.says("a")));
        assertThrows(IllegalArgumentException.class,
                () -> fresh.addRead("b", Method.OTHER, "/b", Toy.says("b")));
        assertThrows(IllegalArgumentException.class,
                () -> fresh.addRead("b", Method.CONNECT, "/b", Toy.says("b")));
        assertThrows(IllegalArgumentException.class,
                () -> fresh.addRead("b", Method.GET, "b", Toy.says("b")));
    }

    @Test
    void nothingIsAddedToATableInUse() {
        assertSame(views, views.seal());
        assertThrows(IllegalStateException.class,
                () -> views.addRead("late", Method.GET, "/late", Toy.says("late")));
        assertThrows(IllegalStateException.class, () -> views.setNotFound(Toy.says("late")));
    }

    @Test
    void ownOptionsAreAskedAndListedLast() {
        var own = new Views<Toy, Toy>()
                .addRead("a", Method.OPTIONS, "/a", Toy.says("options"))
                .addRead("a", Method.GET, "/a", Toy.says("a"));
        Mount at = own.mount("");
        assertEquals("options",
                Toy.text(own.dispatch(at, Requests.of("OPTIONS", "/a", ""), toy)));
        assertEquals("GET, HEAD, OPTIONS",
                own.dispatch(at, Requests.of("PUT", "/a", ""), toy).field("Allow"));
    }
}
