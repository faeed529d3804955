package m0.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDatesTest {
    private static final long NOW = Instant.parse("2026-11-30T00:00:00Z").getEpochSecond();

    @ParameterizedTest
    @ValueSource(strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    })
    void allThreeFormsAreRead(String text) {
        assertEquals(784111777L, HttpDates.parse(text, NOW), text);
    }

    @ParameterizedTest
    @CsvSource({"76, 2076", "77, 1977", "26, 2026", "00, 2000", "99, 1999"})
    void aYearOfTwoDigitsIsFiftyYearsAheadAtMost(String digits, int year) {
        long expected = Instant.parse(year + "-11-06T08:49:37Z").getEpochSecond();
        assertEquals(expected, HttpDates.parse("Sunday, 06-Nov-" + digits + " 08:49:37 GMT", NOW),
                "the second of year " + digits);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "yesterday", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Xxx, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"})
    void whatIsNoDateIsNone(String text) {
        assertEquals(HttpDates.NONE, HttpDates.parse(text, NOW), text);
    }

    @Test
    void whatIsWrittenIsRead() {
        for (long second : new long[] {0, 951_782_399, 951_782_400, 1_000_000_000, NOW,
            4_102_444_800L}) {
            assertEquals(second, HttpDates.parse(HttpDates.text(second), NOW));
        }
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDates.text(784111777L));
    }
}
