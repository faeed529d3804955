package operate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON value (RFC 8259) strictly, into maps that keep their order, lists, strings,
 * longs, booleans and null. A fraction, a name that occurs twice, or anything behind the value
 * fails.
 */
final class JsonText {
    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /** The object that {@code text} is. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        JsonText json = new JsonText(text);
        Object value = json.value();
        if (json.at != text.length() || !(value instanceof Map)) {
            throw json.malformed("one object and nothing else");
        }
        return (Map<String, Object>) value;
    }

    private Object value() {
        char next = peek();
        if (next == '{') {
            return object();
        }
        if (next == '[') {
            return list();
        }
        if (next == '"') {
            return string();
        }
        if (next == '-' || next >= '0' && next <= '9') {
            return number();
        }
        for (String word : List.of("true", "false", "null")) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return word.equals("null") ? null : (Object) word.equals("true");
            }
        }
        throw malformed("a value");
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        take('{');
        while (peek() != '}') {
            if (!object.isEmpty()) {
                take(',');
            }
            String name = string();
            take(':');
            if (object.containsKey(name)) {
                throw malformed("another name than " + name);
            }
            object.put(name, value());
        }
        take('}');
        return object;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        take('[');
        while (peek() != ']') {
            if (!list.isEmpty()) {
                take(',');
            }
            list.add(value());
        }
        take(']');
        return list;
    }

    private Long number() {
        int from = at;
        while (at < text.length() && (text.charAt(at) == '-' || Character.isDigit(text.charAt(at)))) {
            at++;
        }
        return Long.valueOf(text.substring(from, at));
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        take('"');
        while (peek() != '"') {
            char next = text.charAt(at++);
            if (next < ' ') {
                throw malformed("an escaped control character");
            }
            string.append(next == '\\' ? escaped() : next);
        }
        take('"');
        return string.toString();
    }

    private char escaped() {
        char kind = peek();
        at++;
        switch (kind) {
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'u':
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            case '"', '\\', '/':
                return kind;
            default:
                throw malformed("an escape");
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw malformed("more");
        }
        return text.charAt(at);
    }

    private void take(char wanted) {
        if (peek() != wanted) {
            throw malformed(String.valueOf(wanted));
        }
        at++;
    }

    private AssertionError malformed(String wanted) {
        return new AssertionError("expected " + wanted + " at " + at + " of <" + text + ">");
    }
}
