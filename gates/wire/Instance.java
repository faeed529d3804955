package wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.RawClient;

/** The answer of host_check's {@code /instance}: how often its handler has answered there. */
final class Instance {

    private static final Pattern COUNT = Pattern.compile("\"count\":([0-9]+)");

    private Instance() {
    }

    static int count(String body) {
        Matcher count = COUNT.matcher(body);
        if (!count.find()) {
            throw new AssertionError("no count in <" + body + ">");
        }
        return Integer.parseInt(count.group(1));
    }

    /** Asks for the count on a connection of its own business. */
    static int count(RawClient client) {
        return count(client.get("/instance").expect(200).text());
    }
}
