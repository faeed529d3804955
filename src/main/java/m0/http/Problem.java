package m0.http;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What went wrong with a request, as a document that programs can read (RFC 9457).
 *
 * <p>Threads: any; it is immutable. Errors: a status outside 400 to 599 is refused.
 *
 * @param type a URI of the kind of problem; {@code about:blank} says no more than the status
 * @param title the kind in words, the same for each problem of that type
 * @param status 400 to 599
 * @param detail what went wrong this time, or empty
 * @param instance a URI reference of what it went wrong with, or empty
 */
public record Problem(String type, String title, int status, String detail, String instance) {
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final String NO_TYPE = "about:blank";
    private static final int STATUS_MIN = 400;
    private static final String HEX = "0123456789abcdef";

    public Problem {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(instance, "instance");
        if (status < STATUS_MIN || status > Status.HIGHEST) {
            throw new IllegalArgumentException("status=" + status + " is not in 400..599");
        }
    }

    /** A problem that its status says all of but the detail. */
    public static Problem of(int status, String detail) {
        return new Problem(NO_TYPE, Status.reason(status), status, detail, "");
    }

    /** This problem, with that instance where it has none. */
    public Problem at(String where) {
        return instance.isEmpty() ? new Problem(type, title, status, detail, where) : this;
    }

    /** A response that says it, to which fields may be added. */
    public Response.Builder answer() {
        return Response.status(status).contentType(CONTENT_TYPE)
                .body(json().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * One object: type, title, status, detail and instance, in this order; what is empty is left
     * out.
     */
    public String json() {
        var json = new StringBuilder(160);
        member(json, '{', "type", type);
        member(json, ',', "title", title);
        json.append(",\"status\":").append(status);
        if (!detail.isEmpty()) {
            member(json, ',', "detail", detail);
        }
        if (!instance.isEmpty()) {
            member(json, ',', "instance", instance);
        }
        return json.append("}\n").toString();
    }

    private static void member(StringBuilder json, char before, String name, String value) {
        json.append(before).append('"').append(name).append("\":\"");
        for (int index = 0; index < value.length(); index++) {
            char c = value.charAt(index);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || isHalf(value, index)) {
                json.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    json.append(HEX.charAt(c >> shift & 0xf));
                }
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    /** Whether half a surrogate pair stands there, which UTF-8 cannot say. */
    private static boolean isHalf(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c)
                && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }
}
