package fragment_notes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.FakeHostContext;
import m0.http.Body;
import m0.http.Response;
import m0.http.UriCoding;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotesViewsTest {
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";

    private final App app = new FragmentNotes();
    private final AppHandler handler = made(app);

    private static AppHandler made(App app) {
        try {
            return app.make(new FakeHostContext());
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private Response get(String target) throws Exception {
        return handler.handle(Requests.get(target));
    }

    private Response post(String target, String body) throws Exception {
        return handler.handle(Requests.withBody("POST", target, FORM,
                body.getBytes(StandardCharsets.US_ASCII)));
    }

    private Response add(String title, String text) throws Exception {
        return post("/notes", "title=" + UriCoding.encode(title) + "&text="
                + UriCoding.encode(text));
    }

    private static String text(Response answer) {
        return answer.body() instanceof Body.Bytes bytes ? new String(bytes.array(), bytes.offset(),
                bytes.length(), StandardCharsets.UTF_8) : "";
    }

    @Test
    void itsNotesLiveInOneHandler() {
        assertEquals(1, app.maxWorkers());
        assertEquals(1, app.maxThreads());
        assertFalse(app.poolAllowed());
    }

    @Test
    void aNoteIsAddedListedShownAndDeleted() throws Exception {
        assertTrue(text(get("/")).contains("No notes yet."));
        Response added = add("Milk", "two\r\nbottles");
        assertEquals(303, added.status());
        assertEquals("/", added.field("Location"));
        assertTrue(text(get("/")).contains("<a href=\"/notes/1\" data-part>Milk</a>"));
        assertTrue(text(get("/notes/1")).contains("<div class=\"text\">two\nbottles</div>"));
        Response deleted = post("/notes/1/delete", "");
        assertEquals(303, deleted.status());
        assertEquals("/?deleted=1", deleted.field("Location"));
        assertFalse(text(get("/")).contains("Milk"));
        assertEquals(404, get("/notes/1").status());
        assertEquals(404, post("/notes/1/delete", "").status());
    }

    @Test
    void whatWasDeletedLastCanBeHadBack() throws Exception {
        add("Milk", "");
        add("Bread", "");
        post("/notes/1/delete", "");
        assertTrue(text(get("/?deleted=1")).contains("action=\"/notes/1/restore\""));
        assertFalse(text(get("/")).contains("restore"));
        assertEquals(303, post("/notes/1/restore", "").status());
        String list = text(get("/"));
        assertTrue(list.indexOf("Bread") < list.indexOf("Milk"), list);
        assertEquals(404, post("/notes/1/restore", "").status());
    }

    @Test
    void whatPeopleWriteIsTextWhereverItStands() throws Exception {
        add("<b>\"&amp;' x", "</textarea><script>1</script>");
        String escaped = "&lt;b&gt;&quot;&amp;amp;&#39; x";
        for (String page : List.of(text(get("/")), text(get("/notes/1")))) {
            assertTrue(page.contains(escaped), page);
            assertFalse(page.contains("<b>") || page.contains("<script>1"), page);
        }
        String again = text(add(" ", "</textarea><script>1</script>"));
        assertTrue(again.contains("&lt;/textarea&gt;&lt;script&gt;1"), again);
    }

    @Test
    void whatIsTooMuchIsSaidAndTheFormKeepsIt() throws Exception {
        assertEquals(303, add("x".repeat(100), "y".repeat(4000)).status());
        Response title = add("x".repeat(101), "kept");
        assertEquals(422, title.status());
        assertTrue(text(title).contains("A title has at most 100 characters; this one has 101."));
        assertTrue(text(title).contains("kept</textarea>"), text(title));
        Response body = add("t", "y".repeat(4001));
        assertEquals(422, body.status());
        assertTrue(text(body).contains("A note has at most 4000 characters; this one has 4001."));
        Response none = add(" \r\n ", "kept");
        assertEquals(422, none.status());
        assertTrue(text(none).contains("A note needs a title."));
        assertEquals(413, add("t", "y".repeat(70_000)).status());
        assertEquals(415, handler.handle(Requests.withBody("POST", "/notes", "",
                "title=x".getBytes(StandardCharsets.US_ASCII))).status());
    }

    /** A browser counts a line break as one character and sends two. */
    @Test
    void lineBreaksCountOnce() throws Exception {
        assertEquals(303, add("t", "y\r\n".repeat(1999) + "y").status());
    }

    @Test
    void theNumberOfNotesIsBounded() throws Exception {
        for (int count = 0; count < Notes.NOTES_MAX; count++) {
            assertEquals(303, add("n" + count, "").status());
        }
        Response full = add("one more", "kept");
        assertEquals(409, full.status());
        assertTrue(text(full).contains("There is room for 200 notes, and so many are here."));
        assertTrue(text(full).contains("kept</textarea>"));
        post("/notes/7/delete", "");
        assertEquals(303, add("one more", "").status());
        assertEquals(409, post("/notes/7/restore", "").status());
    }

    @Test
    void aFragmentIsThePartOfThePageThatChanges() throws Exception {
        add("Milk", "");
        Response part = handler.handle(Requests.of("GET", "/", "Fragment: main\r\n"));
        assertEquals("main", part.field("Fragment"));
        assertFalse(text(part).contains("<html"), text(part));
        assertTrue(text(get("/")).contains("<main>\n" + text(part) + "</main>"), text(part));
        assertEquals("Fragment", part.field("Vary"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
        "Origin: http://evil.example", "Origin: null", "Origin: http://notes.example:3000",
        "Origin: http://notes.example.evil.example", "Origin: ftp://notes.example"})
    void pagesOfOtherSitesDoNotWrite(String field) throws Exception {
        assertEquals(403, postFrom(field).status(), "of a note from " + field);
        assertTrue(text(get("/")).contains("No notes yet."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-Fetch-Site: same-origin", "Origin: http://notes.example",
        "Origin: https://notes.example", "Accept: text/html"})
    void itsOwnPageWrites(String field) throws Exception {
        assertEquals(303, postFrom(field).status(), "of a note from " + field);
    }

    private Response postFrom(String field) throws Exception {
        return handler.handle(Requests.withBody("POST", "http://notes.example/notes",
                FORM + field + "\r\n", "title=x".getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void aTitleHasSomethingToSee() throws Exception {
        for (String title : List.of("\u200b", "\u00a0", "\u2060\u3000\u00ad")) {
            assertEquals(422, add(title, "").status(), "of a title that nobody sees");
        }
        assertEquals(303, add("\u00a0x", "").status());
    }

    /** What a query holds is the client's mistake whatever was deleted before. */
    @Test
    void aQueryThatIsNoTextIsRefusedAlways() throws Exception {
        assertEquals(400, get("/?%ff").status());
        add("x", "");
        post("/notes/1/delete", "");
        assertEquals(400, get("/?%ff").status());
    }

    @Test
    void aPageRunsNoScriptButItsOwn() throws Exception {
        assertTrue(get("/").field("Content-Security-Policy").startsWith("default-src 'none';"
                + " script-src 'self'; style-src 'self';"));
        String page = text(get("/"));
        assertFalse(page.contains("onclick") || page.contains("<style") || page.contains("style="),
                page);
        assertEquals("text/javascript; charset=utf-8", get("/notes.js").field("Content-Type"));
        assertEquals("text/css; charset=utf-8", get("/notes.css").field("Content-Type"));
    }

    @Test
    void whatIsNoNumberIsNoNote() throws Exception {
        for (String path : List.of("/notes/0", "/notes/x", "/notes/01", "/notes/99999999999",
                "/notes/a%2Fb", "/elsewhere")) {
            Response answer = get(path);
            assertEquals(404, answer.status(), path);
            assertTrue(text(answer).contains("There is no such note."), path);
        }
        assertEquals(405, get("/notes").status());
    }
}
