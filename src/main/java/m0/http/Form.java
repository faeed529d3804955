package m0.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import m0.bytes.Span;

/**
 * The fields of an {@code application/x-www-form-urlencoded} body, or of a query, which has the
 * same form: names and values in the order in which they came, a name as often as it came.
 *
 * <p>{@code +} is a blank, escapes are decoded once, and what they hide must be UTF-8.
 *
 * <p>Threads: any; it is immutable and holds nothing of the request. Limits: {@value #FIELDS_MAX}
 * fields, and {@value #BYTES_MAX} bytes of a body where the caller names no other bound (413).
 * Errors: a {@link ProblemException} for what a peer got wrong.
 */
public final class Form {
    public static final int FIELDS_MAX = 256;
    public static final int BYTES_MAX = 64 * 1024;
    private static final String TYPE = "application/x-www-form-urlencoded";

    /** Names and values by turns. */
    private final List<String> fields;

    private Form(List<String> fields) {
        this.fields = fields;
    }

    /** Reads the request's body. */
    public static Form body(Request request) throws ProblemException {
        return body(request, BYTES_MAX);
    }

    /**
     * Reads the request's body.
     *
     * @param bytesMax how long it may be; beyond it 413
     * @throws ProblemException 415 where it is no form, 413 or 400
     */
    public static Form body(Request request, int bytesMax) throws ProblemException {
        if (!isForm(request.header("Content-Type"))) {
            throw new ProblemException(415, "The body must be " + TYPE + ".");
        }
        if (request.bodyLength() > bytesMax) {
            throw new ProblemException(413, "The form has " + request.bodyLength()
                    + " bytes; it may have " + bytesMax + ".");
        }
        var body = new Span();
        request.body(body);
        return read("form", body.array(), body.offset(), body.offset() + body.length());
    }

    /** Reads the request's query; without one there are no fields. */
    public static Form query(Request request) throws ProblemException {
        byte[] query = request.query().getBytes(StandardCharsets.UTF_8);
        return read("query", query, 0, query.length);
    }

    private static boolean isForm(String contentType) {
        if (contentType == null) {
            return false;
        }
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip()
                .equalsIgnoreCase(TYPE);
    }

    private static Form read(String what, byte[] array, int from, int to)
            throws ProblemException {
        List<String> fields = new ArrayList<>();
        int at = from;
        while (at < to) {
            int end = indexOf(array, '&', at, to);
            if (end > at) {
                if (fields.size() == 2 * FIELDS_MAX) {
                    throw new ProblemException(400, "The " + what + " has more than " + FIELDS_MAX
                            + " fields.");
                }
                int nameEnd = indexOf(array, '=', at, end);
                fields.add(text(what, array, at, nameEnd));
                fields.add(nameEnd == end ? "" : text(what, array, nameEnd + 1, end));
            }
            at = end + 1;
        }
        return new Form(fields);
    }

    private static String text(String what, byte[] array, int from, int to)
            throws ProblemException {
        String text = UriCoding.decode(array, from, to, true);
        if (text == null) {
            throw new ProblemException(400, "The " + what
                    + " has an escape that is malformed or hides what is not UTF-8.");
        }
        return text;
    }

    private static int indexOf(byte[] array, char wanted, int from, int to) {
        for (int index = from; index < to; index++) {
            if (array[index] == wanted) {
                return index;
            }
        }
        return to;
    }

    /** How many fields there are. */
    public int count() {
        return fields.size() / 2;
    }

    /** Each name once, in the order in which they first came. */
    public List<String> names() {
        Set<String> names = new LinkedHashSet<>();
        for (int index = 0; index < fields.size(); index += 2) {
            names.add(fields.get(index));
        }
        return List.copyOf(names);
    }

    /** The first value of that name; {@code absent} where there is none. */
    public String text(String name, String absent) {
        for (int index = 0; index < fields.size(); index += 2) {
            if (fields.get(index).equals(name)) {
                return fields.get(index + 1);
            }
        }
        return absent;
    }

    /** The values of that name, in their order. */
    public List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (int index = 0; index < fields.size(); index += 2) {
            if (fields.get(index).equals(name)) {
                values.add(fields.get(index + 1));
            }
        }
        return values;
    }
}
