package m0.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProblemTest {
    @Test
    void membersStandInTheirOrder() {
        assertEquals("{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
                + "\"detail\":\"gone\",\"instance\":\"/a/b\"}\n",
                Problem.of(404, "gone").at("/a/b").json());
    }

    @Test
    void whatIsEmptyIsLeftOut() {
        assertEquals("{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409}\n",
                Problem.of(409, "").json());
    }

    @Test
    void textIsEscapedAsJson() {
        assertEquals("{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
                + "\"detail\":\"a \\\"quote\\\", a \\\\, a \\u000aline and \\u007f\","
                + "\"instance\":\"/\\u0001\"}\n",
                Problem.of(400, "a \"quote\", a \\, a \nline and \u007f").at("/\u0001").json());
    }

    @Test
    void halfASurrogatePairIsEscapedAndAPairIsNot() {
        assertEquals("{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
                + "\"detail\":\"\\ud83d \ud83d\ude00 \\ude00\"}\n",
                Problem.of(400, "\ud83d \ud83d\ude00 \ude00").json());
    }

    @Test
    void anInstanceThatIsThereStays() {
        assertEquals("/a", Problem.of(400, "x").at("/a").at("/b").instance());
    }

    @Test
    void answersWithItsStatusAndType() {
        Response answer = Problem.of(405, "no").answer().header("Allow", "GET").build();
        assertEquals(405, answer.status());
        assertEquals("application/problem+json", answer.field("Content-Type"));
        assertEquals("GET", answer.field("Allow"));
        Body.Bytes body = (Body.Bytes) answer.body();
        assertEquals(Problem.of(405, "no").json(),
                new String(body.array(), body.offset(), body.length(), StandardCharsets.UTF_8));
    }

    @Test
    void refusesAStatusThatIsNoProblem() {
        assertThrows(IllegalArgumentException.class, () -> Problem.of(399, "x"));
        assertThrows(IllegalArgumentException.class, () -> Problem.of(600, "x"));
    }
}
