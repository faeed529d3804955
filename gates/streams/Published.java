package streams;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.RawClient;

/**
 * What host_check's {@code /publish} answered.
 *
 * @param id the last frame's, or 0 where none was published
 * @param taken how often a loop took one of them
 * @param refused how often a loop refused one
 * @param reason the last refusal's
 */
record Published(long id, long taken, long refused, String reason) {
    private static final Pattern ANSWER = Pattern.compile(
            "\\{\"id\":([0-9]+),\"taken\":([0-9]+),\"refused\":([0-9]+),\"reason\":\"(.*)\"}\n");

    static Published ask(RawClient connection, String query) {
        String text = connection.get("/publish?" + query).expect(200).text();
        Matcher answer = ANSWER.matcher(text);
        if (!answer.matches()) {
            throw new AssertionError("no answer of /publish: " + text);
        }
        return new Published(Long.parseLong(answer.group(1)), Long.parseLong(answer.group(2)),
                Long.parseLong(answer.group(3)), answer.group(4));
    }

    /** Publishes what every loop must take; the last frame's id. */
    static long all(RawClient connection, String query) {
        Published published = ask(connection, query);
        if (published.id == 0 || published.refused > 0) {
            throw new AssertionError(query + " was refused: " + published);
        }
        return published.id;
    }
}
