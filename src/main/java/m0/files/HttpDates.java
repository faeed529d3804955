package m0.files;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates in fields (RFC 9110 §5.6.7): one form is written, three are read. Threads: any. */
final class HttpDates {
    /** What {@link #parse} returns for a text that is no date. */
    static final long NONE = Long.MIN_VALUE;

    private static final DateTimeFormatter WRITTEN =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
                    .withZone(ZoneOffset.UTC);
    private static final List<String> MONTHS = List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun",
            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final String DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
    private static final String LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
    private static final String MONTH = "(?<month>[A-Z][a-z]{2})";
    private static final String TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
    private static final List<Pattern> FORMS = List.of(
            Pattern.compile(DAY + ", (?<day>\\d\\d) " + MONTH + " (?<year>\\d{4}) " + TIME
                    + " GMT"),
            Pattern.compile(LONG_DAY + ", (?<day>\\d\\d)-" + MONTH + "-(?<year>\\d\\d) " + TIME
                    + " GMT"),
            Pattern.compile(DAY + " " + MONTH + " (?<day>[ \\d]\\d) " + TIME
                    + " (?<year>\\d{4})"));
    /** A year of two digits is at most so far ahead. */
    private static final int YEARS_AHEAD_MAX = 50;

    private HttpDates() { }

    /** The form that is written, {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
    static String text(long epochSecond) {
        return WRITTEN.format(Instant.ofEpochSecond(epochSecond));
    }

    /**
     * Seconds since 1970, or {@link #NONE}.
     *
     * @param nowSecond tells the century of a year of two digits
     */
    static long parse(String text, long nowSecond) {
        for (Pattern form : FORMS) {
            Matcher date = form.matcher(text);
            if (date.matches()) {
                return second(date, nowSecond);
            }
        }
        return NONE;
    }

    private static long second(Matcher date, long nowSecond) {
        int month = MONTHS.indexOf(date.group("month")) + 1;
        int year = number(date, "year");
        if (date.group("year").length() == 2) {
            int thisYear = Instant.ofEpochSecond(nowSecond).atOffset(ZoneOffset.UTC).getYear();
            year += thisYear - thisYear % 100;
            year -= year > thisYear + YEARS_AHEAD_MAX ? 100 : 0;
        }
        try {
            return LocalDateTime.of(year, month, number(date, "day"), number(date, "hour"),
                    number(date, "minute"), number(date, "second")).toEpochSecond(ZoneOffset.UTC);
        } catch (DateTimeException noSuchDay) {
            return NONE;
        }
    }

    private static int number(Matcher date, String group) {
        return Integer.parseInt(date.group(group).strip());
    }
}
