package lane;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.RawClient;
import kit.Reply;

/** Numbers by name in what an application answers, {@code name=N} or {@code "name":N}. */
final class Said {
    private Said() {
    }

    /** The first number of that name; the answer must be a 200. */
    static long number(Reply answer, String name) {
        return number(answer.expect(200).text(), name);
    }

    static long number(String text, String name) {
        Matcher number = Pattern.compile("\\b" + name + "\"?[=:](-?[0-9]+)").matcher(text);
        if (!number.find()) {
            throw new AssertionError("no " + name + " in <" + text + ">");
        }
        return Long.parseLong(number.group(1));
    }

    /** Asks a connection for it. */
    static long number(RawClient client, String target, String name) {
        return number(client.get(target), name);
    }

    /** The pool thread that answered, −1 for the loop. */
    static int thread(Reply answer) {
        return (int) number(answer, "thread");
    }

    static int loop(Reply answer) {
        return (int) number(answer, "loop");
    }
}
