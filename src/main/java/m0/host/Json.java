package m0.host;

/**
 * Writes one JSON value as a line of ASCII, from left to right; it puts the commas.
 *
 * <p>Threads: one.
 */
final class Json {
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder(4096);
    /** Whether a value stands before the place that is written next. */
    private boolean comma;

    Json open(char bracket) {
        separate();
        out.append(bracket);
        comma = false;
        return this;
    }

    Json close(char bracket) {
        out.append(bracket);
        comma = true;
        return this;
    }

    Json name(String name) {
        separate();
        quote(name);
        out.append(':');
        comma = false;
        return this;
    }

    /** A string, or null. */
    Json value(String text) {
        separate();
        if (text == null) {
            out.append("null");
        } else {
            quote(text);
        }
        comma = true;
        return this;
    }

    Json value(long number) {
        separate();
        out.append(number);
        comma = true;
        return this;
    }

    Json value(boolean truth) {
        separate();
        out.append(truth);
        comma = true;
        return this;
    }

    private void separate() {
        if (comma) {
            out.append(',');
        }
    }

    private void quote(String text) {
        out.append('"');
        for (int index = 0; index < text.length(); index++) {
            char next = text.charAt(index);
            if (next == '"' || next == '\\') {
                out.append('\\').append(next);
            } else if (next < ' ' || next > '~') {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEX.charAt(next >> shift & 0xF));
                }
            } else {
                out.append(next);
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
