package m0.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HttpDateTest {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);
    /** 31 December 9999, the last second that four digits of a year can tell. */
    private static final long LAST_SECOND = 253_402_300_799L;

    private final HttpDate date = new HttpDate();

    @Test
    void agreesWithJavaTimeOverRandomSeconds() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int n = 0; n < 50_000; n++) {
            check(random.nextLong(LAST_SECOND + 1), "seed=" + seed);
        }
    }

    @Test
    void agreesWithJavaTimeAroundTheEndsOfMonthsAndYears() {
        for (int year = 1970; year <= 2400; year++) {
            for (int month = 1; month <= 12; month++) {
                long first = Instant.parse(String.format("%04d-%02d-01T00:00:00Z", year, month))
                        .getEpochSecond();
                check(first, "first second");
                check(Math.max(first - 1, 0), "second before");
            }
        }
    }

    @Test
    void isMadeOnceASecond() {
        byte[] line = date.line(1_000_000_000_000L);
        line[0] = 'X';
        assertSame(line, date.line(1_000_000_000_999L));
        assertEquals('X', line[0]);
        assertEquals("Xate: Sun, 09 Sep 2001 01:46:41 GMT\r\n", text(date.line(1_000_000_001_000L)));
    }

    private void check(long second, String hint) {
        String expected = "Date: " + FORMAT.format(Instant.ofEpochSecond(second)) + "\r\n";
        assertEquals(expected, text(date.line(second * 1000 + 999)), hint);
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.US_ASCII);
    }
}
