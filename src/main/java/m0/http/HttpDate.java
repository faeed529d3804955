package m0.http;

/**
 * The {@code Date} field line (RFC 9110 §6.6.1), made once a second.
 *
 * <p>Threads: the loop that owns it. Owns: the line's bytes, which change with the second.
 */
public final class HttpDate {
    private static final String DAYS = "ThuFriSatSunMonTueWed";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final int TEXT_AT = 6;

    private final byte[] line = new byte[TEXT_AT + 29 + 2];
    private long second = Long.MIN_VALUE;

    public HttpDate() {
        text(0, "Date: ");
        text(TEXT_AT, "Xxx, 00 Xxx 0000 00:00:00 GMT\r\n");
    }

    /**
     * The whole line with its CRLF for that moment; valid until the next call.
     *
     * @param epochMillis milliseconds since 1970, not negative
     */
    public byte[] line(long epochMillis) {
        long now = Math.floorDiv(epochMillis, 1000L);
        if (now != second) {
            second = now;
            write(now);
        }
        return line;
    }

    /** Civil date from a day number, after the proleptic Gregorian calendar. */
    private void write(long epochSecond) {
        long days = Math.floorDiv(epochSecond, 86_400L);
        int ofDay = (int) Math.floorMod(epochSecond, 86_400L);
        int weekday = (int) Math.floorMod(days, 7L);
        // The year is counted from 1 March of year 0, so that a leap day comes last.
        long shifted = days + 719_468;
        long era = Math.floorDiv(shifted, 146_097L);
        int dayOfEra = (int) (shifted - era * 146_097);
        int yearOfEra =
                (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        int month = monthFromMarch < 10 ? monthFromMarch + 2 : monthFromMarch - 10;
        int year = (int) (yearOfEra + era * 400) + (month <= 1 ? 1 : 0);
        part(TEXT_AT, DAYS, weekday);
        digits(TEXT_AT + 5, day);
        part(TEXT_AT + 8, MONTHS, month);
        digits(TEXT_AT + 12, year / 100);
        digits(TEXT_AT + 14, year % 100);
        digits(TEXT_AT + 17, ofDay / 3600);
        digits(TEXT_AT + 20, ofDay / 60 % 60);
        digits(TEXT_AT + 23, ofDay % 60);
    }

    private void part(int at, String names, int index) {
        for (int i = 0; i < 3; i++) {
            line[at + i] = (byte) names.charAt(3 * index + i);
        }
    }

    private void digits(int at, int value) {
        line[at] = (byte) ('0' + value / 10);
        line[at + 1] = (byte) ('0' + value % 10);
    }

    private void text(int at, String text) {
        for (int i = 0; i < text.length(); i++) {
            line[at + i] = (byte) text.charAt(i);
        }
    }
}
