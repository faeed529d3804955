package host_check;

import m0.http.Request;

/** Query parameters as the routes read them. */
final class Parameters {
    private Parameters() { }

    /** A parameter from 0 to {@code max}, {@code absent} without one, −1 where it is neither. */
    static int number(Request request, String name, int absent, int max) {
        String text = request.queryParameter(name);
        if (text == null) {
            return absent;
        }
        try {
            int number = Integer.parseInt(text);
            return number <= max ? number : -1;
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    /** A parameter's text, or {@code absent} without one. */
    static String text(Request request, String name, String absent) {
        String text = request.queryParameter(name);
        return text == null ? absent : text;
    }
}
