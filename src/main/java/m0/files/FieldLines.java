package m0.files;

import m0.http.Request;

/**
 * A request's fields over all their lines. Most requests have none of those that are asked for, and
 * then nothing is allocated. Threads: any.
 */
final class FieldLines {
    private FieldLines() { }

    /** The values of that field's lines as one list (RFC 9110 §5.3), or null without a line. */
    static String all(Request request, String name) {
        if (request.header(name) == null) {
            return null;
        }
        String joined = null;
        for (int index = 0; index < request.fieldCount(); index++) {
            if (request.fieldName(index).equalsIgnoreCase(name)) {
                String value = request.fieldValue(index);
                joined = joined == null ? value : joined + ", " + value;
            }
        }
        return joined;
    }

    /** The value of a field that is no list; null where it has no line, or more than one. */
    static String only(Request request, String name) {
        if (request.header(name) == null) {
            return null;
        }
        String found = null;
        for (int index = 0; index < request.fieldCount(); index++) {
            if (request.fieldName(index).equalsIgnoreCase(name)) {
                if (found != null) {
                    return null;
                }
                found = request.fieldValue(index);
            }
        }
        return found;
    }
}
