package m0.files;

import java.util.Locale;

/**
 * Which bytes of a file are sent.
 *
 * @param first the first one
 * @param length how many
 */
record ByteRange(Kind kind, long first, long length) {
    /** What a {@code Range} field comes to. */
    enum Kind { WHOLE, PART, UNSATISFIABLE }

    private static final String UNIT = "bytes=";
    private static final int DIGITS_MAX = 18;
    private static final ByteRange NOWHERE = new ByteRange(Kind.UNSATISFIABLE, 0, 0);

    static ByteRange whole(long size) {
        return new ByteRange(Kind.WHOLE, 0, size);
    }

    /**
     * Reads a {@code Range} field (RFC 9110 §14.1.2).
     *
     * <pre>
     * bytes=2-5    from the third to the sixth      bytes=2-    from the third on
     * bytes=-5     the last five
     * </pre>
     *
     * <p>Another unit, several ranges and what is malformed are the whole file. What begins behind the
     * end, or is the last none, cannot be satisfied.
     *
     * @param field the field's value, or null for none
     * @param size the file's, in bytes
     */
    static ByteRange of(String field, long size) {
        String spec = field == null ? "" : single(field);
        int dash = spec.indexOf('-');
        if (dash < 0) {
            return whole(size);
        }
        String first = spec.substring(0, dash);
        String last = spec.substring(dash + 1);
        if (!isNumber(first) && !first.isEmpty() || !isNumber(last) && !last.isEmpty()
                || first.isEmpty() && last.isEmpty()) {
            return whole(size);
        }
        return first.isEmpty() ? suffix(number(last), size)
                : between(number(first), last.isEmpty() ? Long.MAX_VALUE : number(last), size);
    }

    /** The only element of the list, without the blanks around it; empty where there is not one. */
    private static String single(String field) {
        if (!field.toLowerCase(Locale.ROOT).startsWith(UNIT)) {
            return "";
        }
        String only = "";
        for (String element : field.substring(UNIT.length()).split(",")) {
            String spec = element.strip();
            if (!spec.isEmpty()) {
                if (!only.isEmpty()) {
                    return "";
                }
                only = spec;
            }
        }
        return only;
    }

    private static ByteRange suffix(long count, long size) {
        if (count == 0) {
            return NOWHERE;
        }
        // No Content-Range can name a part of nothing.
        return size == 0 ? whole(size)
                : new ByteRange(Kind.PART, Math.max(0, size - count), Math.min(count, size));
    }

    private static ByteRange between(long first, long last, long size) {
        if (last < first) {
            return whole(size);
        }
        return first >= size ? NOWHERE
                : new ByteRange(Kind.PART, first, Math.min(last, size - 1) - first + 1);
    }

    private static boolean isNumber(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (text.charAt(index) < '0' || text.charAt(index) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** The number; one with more digits than any file has bytes is beyond all of them. */
    private static long number(String digits) {
        int from = 0;
        while (from < digits.length() && digits.charAt(from) == '0') {
            from++;
        }
        int count = digits.length() - from;
        return count == 0 ? 0
                : count > DIGITS_MAX ? Long.MAX_VALUE : Long.parseLong(digits.substring(from));
    }

    /** The value of {@code Content-Range}, for a part. */
    String contentRange(long size) {
        return "bytes " + first + '-' + (first + length - 1) + '/' + size;
    }
}
