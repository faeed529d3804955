package m0.telemetry;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads one flat JSON object strictly (RFC 8259), to check what was written as one. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The members in order: a String or a Long each. Throws where it is not exactly that. */
    static Map<String, Object> object(byte[] utf8, int length) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8.newDecoder()
                .decode(ByteBuffer.wrap(utf8, 0, length)).toString();
        var json = new Json(text);
        Map<String, Object> members = json.members();
        if (json.at != text.length()) {
            throw new IllegalStateException("text after the object: " + text);
        }
        return members;
    }

    private Map<String, Object> members() {
        var members = new LinkedHashMap<String, Object>();
        expect('{');
        do {
            String name = string();
            expect(':');
            Object value = text.charAt(at) == '"' ? string() : number();
            if (members.put(name, value) != null) {
                throw new IllegalStateException("twice: " + name);
            }
        } while (take(','));
        expect('}');
        return members;
    }

    private String string() {
        expect('"');
        var value = new StringBuilder();
        while (!take('"')) {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw new IllegalStateException("a control character stands at " + (at - 1));
            }
            value.append(c == '\\' ? escaped() : c);
        }
        return value.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        if (c == '"' || c == '\\') {
            return c;
        }
        if (c != 'u') {
            throw new IllegalStateException("an escape is not known: " + c);
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private Long number() {
        int from = at;
        while (text.charAt(at) == '-' || Character.isDigit(text.charAt(at))) {
            at++;
        }
        String digits = text.substring(from, at);
        Long value = Long.valueOf(digits);
        if (!value.toString().equals(digits)) {
            throw new IllegalStateException("not a plain number: " + digits);
        }
        return value;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw new IllegalStateException("no " + c + " at " + at + " of " + text);
        }
    }

    private boolean take(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }
}
