package m0.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import m0.files.Conditions.Outcome;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of RFC 9110 §13.2.2, one row a test case. */
class ConditionsTest {
    private static final long MODIFIED = 784111777;
    private static final long NOW = MODIFIED + 1000;
    private static final Validators CURRENT = new Validators("\"now\"", MODIFIED);
    private static final String BEFORE = HttpDates.text(MODIFIED - 1);
    private static final String THEN = HttpDates.text(MODIFIED);
    private static final String AFTER = HttpDates.text(MODIFIED + 1);

    /** {@code BEFORE}, {@code THEN} and {@code AFTER} stand for dates, {@code |} for a line's end. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', value = {
        "MET,          Accept: text/html",
        "FAILED,       If-Match: \"old\"",
        "FAILED,       If-Match: W/\"now\"",
        "MET,          If-Match: \"now\"",
        "MET,          If-Match: *",
        "MET,          If-Match: \"old\"|If-Match: \"now\"",
        "FAILED,       If-Unmodified-Since: BEFORE",
        "MET,          If-Unmodified-Since: THEN",
        "MET,          If-Unmodified-Since: AFTER",
        "MET,          If-Unmodified-Since: yesterday",
        "MET,          If-Match: \"now\"|If-Unmodified-Since: BEFORE",
        "NOT_MODIFIED, If-None-Match: \"now\"",
        "NOT_MODIFIED, If-None-Match: W/\"now\"",
        "NOT_MODIFIED, If-None-Match: *",
        "NOT_MODIFIED, If-None-Match: \"old\"|If-None-Match: \"now\"",
        "MET,          If-None-Match: \"old\"",
        "MET,          If-None-Match: nonsense",
        "NOT_MODIFIED, If-Modified-Since: THEN",
        "NOT_MODIFIED, If-Modified-Since: AFTER",
        "MET,          If-Modified-Since: BEFORE",
        "MET,          If-Modified-Since: yesterday",
        "MET,          If-Modified-Since: AFTER|If-Modified-Since: AFTER",
        "MET,          If-None-Match: \"old\"|If-Modified-Since: AFTER",
        "NOT_MODIFIED, If-None-Match: \"now\"|If-Modified-Since: BEFORE",
        "FAILED,       If-Match: \"old\"|If-None-Match: \"now\"",
        "NOT_MODIFIED, If-Match: \"now\"|If-None-Match: \"now\"",
        "FAILED,       If-Unmodified-Since: BEFORE|If-None-Match: \"now\"",
        "NOT_MODIFIED, If-Unmodified-Since: THEN|If-Modified-Since: THEN",
    })
    void conditionsAreJudgedInTheirOrder(Outcome expected, String fields) {
        assertEquals(expected, Conditions.check(Requests.of("GET", "/", lines(fields)), CURRENT,
                NOW), fields);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept: text/html", "If-Range: \"now\""})
    void theRangeHolds(String fields) {
        assertTrue(Conditions.rangeHolds(Requests.of("GET", "/", lines(fields)), CURRENT),
                fields);
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-Range: \"old\"", "If-Range: W/\"now\"", "If-Range: BEFORE",
        "If-Range: THEN", "If-Range: AFTER", "If-Range: *", "If-Range: now", "If-Range: \"now\"|If-Range: \"now\"",
        "If-Range: \"old\", \"now\"", "If-Range:"})
    void theRangeDoesNotHold(String fields) {
        assertFalse(Conditions.rangeHolds(Requests.of("GET", "/", lines(fields)), CURRENT),
                fields);
    }

    @Test
    void headHasNoRange() {
        assertFalse(Conditions.rangeHolds(Requests.of("HEAD", "/", ""), CURRENT),
                "a range of HEAD");
    }

    private static String lines(String fields) {
        return fields.replace("BEFORE", BEFORE).replace("THEN", THEN).replace("AFTER", AFTER)
                .replace("|", "\r\n") + "\r\n";
    }
}
