package m0.telemetry;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A moment as RFC 3339 text with milliseconds, in UTC: {@code 2026-01-31T23:59:59.999Z}.
 *
 * <p>Only what has changed since the last call is written: a new second allocates, a millisecond
 * does not.
 *
 * <p>Threads: its owner's. Limits: the years 0 to 9999.
 */
final class UtcText {
    private final byte[] text = "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.US_ASCII);
    private long second = Long.MIN_VALUE;

    /** The text for that moment, valid until the next call. */
    byte[] of(long epochMillis) {
        long now = Math.floorDiv(epochMillis, 1000L);
        if (now != second) {
            second = now;
            writeSecond(LocalDateTime.ofEpochSecond(now, 0, ZoneOffset.UTC));
        }
        digits(20, 3, Math.floorMod(epochMillis, 1000));
        return text;
    }

    private void writeSecond(LocalDateTime time) {
        digits(0, 4, time.getYear());
        digits(5, 2, time.getMonthValue());
        digits(8, 2, time.getDayOfMonth());
        digits(11, 2, time.getHour());
        digits(14, 2, time.getMinute());
        digits(17, 2, time.getSecond());
    }

    private void digits(int at, int count, int value) {
        int rest = value;
        for (int index = at + count - 1; index >= at; index--) {
            text[index] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
