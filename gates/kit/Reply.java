package kit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One response as it stood on the wire, framing checked by {@link RawClient}.
 *
 * <p>{@code fields} keeps order and spelling; look-ups ignore case.
 */
public record Reply(String version, int status, String reason, List<Field> fields, byte[] body) {

    /** A field line. */
    public record Field(String name, String value) {
    }

    /** The body, a character per byte. */
    public String text() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    /** The value of a field that may occur once; null when it does not occur. */
    public String header(String name) {
        List<String> values = headers(name);
        if (values.size() > 1) {
            throw new AssertionError(name + " occurs " + values.size() + " times in " + this);
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /** The values of a field, in order. */
    public List<String> headers(String name) {
        List<String> values = new ArrayList<>();
        for (Field field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                values.add(field.value());
            }
        }
        return values;
    }

    /** Whether a {@code Connection} field holds {@code token}. */
    public boolean connectionHas(String token) {
        for (String value : headers("Connection")) {
            for (String each : value.split(",")) {
                if (each.trim().toLowerCase(Locale.ROOT).equals(token)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the server says that it closes. */
    public boolean saysClose() {
        return connectionHas("close");
    }

    /** Fails unless the status is {@code expected}; returns this. */
    public Reply expect(int expected) {
        if (status != expected) {
            throw new AssertionError("expected " + expected + " and not " + this);
        }
        return this;
    }

    /** Fails unless the body is {@code expected}; returns this. */
    public Reply expectBody(String expected) {
        if (!text().equals(expected)) {
            throw new AssertionError("expected the body <" + RawClient.shown(expected)
                    + "> and not " + this);
        }
        return this;
    }

    /** Fails unless the server says that it closes; returns this. */
    public Reply expectClose() {
        if (!saysClose()) {
            throw new AssertionError("expected Connection: close in " + this);
        }
        return this;
    }

    /** Fails if the server says that it closes; returns this. */
    public Reply expectOpen() {
        if (saysClose()) {
            throw new AssertionError("expected no Connection: close in " + this);
        }
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(version).append(' ').append(status).append(' ').append(reason).append(" | ");
        for (Field field : fields) {
            text.append(field.name()).append(": ").append(field.value()).append(" | ");
        }
        return text.append(body.length).append(" bytes <")
                .append(RawClient.shown(text())).append('>').toString();
    }
}
