package m0.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class FormTest {
    private static final String TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";

    private static Request posted(String fields, String body) {
        return Requests.withBody("POST", "/", fields, body.getBytes(StandardCharsets.US_ASCII));
    }

    private static Form form(String body) throws ProblemException {
        return Form.body(posted(TYPE, body));
    }

    private static Problem refusal(Request request) {
        return assertThrows(ProblemException.class, () -> Form.body(request),
                "a form of " + request.bodyLength() + " bytes").problem();
    }

    @Test
    void readsNamesAndValuesInTheirOrder() throws ProblemException {
        Form form = form("b=1&a=2&b=3&empty=&bare");
        assertEquals(5, form.count());
        assertEquals(List.of("b", "a", "empty", "bare"), form.names());
        assertEquals("1", form.text("b", null));
        assertEquals(List.of("1", "3"), form.all("b"));
        assertEquals("", form.text("empty", null));
        assertEquals("", form.text("bare", null));
        assertNull(form.text("c", null));
        assertEquals(List.of(), form.all("c"));
    }

    @Test
    void decodesNamesAndValuesOnce() throws ProblemException {
        Form form = form("%c3%a9+x=a%2Bb+c%26d%3De&t=%2541&v=a=b");
        assertEquals("a+b c&d=e", form.text("\u00e9 x", null));
        assertEquals("%41", form.text("t", null));
        assertEquals("a=b", form.text("v", null));
    }

    @Test
    void emptyFieldsAreNone() throws ProblemException {
        assertEquals(0, form("").count());
        assertEquals(0, form("&&").count());
        assertEquals(1, form("&a&").count());
        assertEquals("x", form("=x").text("", null));
    }

    @Test
    void aBadEscapeIs400() {
        for (String bad : List.of("a=%4", "a=%zz", "%=1", "a=%ff", "a=%c3%28")) {
            Problem problem = refusal(posted(TYPE, bad));
            assertEquals(400, problem.status(), bad);
            assertTrue(problem.detail().contains("escape"), problem.detail());
        }
    }

    @Test
    void anotherTypeIs415() {
        for (String fields : List.of("", "Content-Type: text/plain\r\n",
                "Content-Type: application/x-www-form-urlencodedx\r\n")) {
            assertEquals(415, refusal(posted(fields, "a=1")).status(), fields);
        }
    }

    @Test
    void theTypeIsReadInAnyLetterCaseAndWithoutItsParameters() throws ProblemException {
        Request request = posted("Content-Type: Application/X-WWW-Form-Urlencoded ;charset=utf-8"
                + "\r\n", "a=1");
        assertEquals("1", Form.body(request).text("a", null));
    }

    @Test
    void itsLengthIsBounded() throws ProblemException {
        assertEquals(1, form("a=" + "x".repeat(Form.BYTES_MAX - 2)).count());
        Problem problem = refusal(posted(TYPE, "a=" + "x".repeat(Form.BYTES_MAX - 1)));
        assertEquals(413, problem.status());
        assertTrue(problem.detail().contains("65537") && problem.detail().contains("65536"),
                problem.detail());
        assertEquals(413, assertThrows(ProblemException.class,
                () -> Form.body(posted(TYPE, "a=12"), 3)).problem().status());
    }

    @Test
    void itsFieldsAreBounded() throws ProblemException {
        assertEquals(Form.FIELDS_MAX, form("a&".repeat(Form.FIELDS_MAX)).count());
        Problem problem = refusal(posted(TYPE, "a&".repeat(Form.FIELDS_MAX + 1)));
        assertEquals(400, problem.status());
        assertTrue(problem.detail().contains("256"), problem.detail());
    }

    @Test
    void aQueryIsAFormToo() throws ProblemException {
        assertEquals("x y", Form.query(Requests.get("/?a=x+y&a=z")).text("a", null));
        assertEquals(0, Form.query(Requests.get("/")).count());
        assertEquals(400, assertThrows(ProblemException.class,
                () -> Form.query(Requests.get("/?a=%4"))).problem().status());
    }
}
