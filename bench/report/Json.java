package report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as indented JSON. */
final class Json {
    private final StringBuilder text = new StringBuilder();

    private Json() {
    }

    static String write(Object value) {
        Json json = new Json();
        json.value(value, "\n");
        return json.text.append('\n').toString();
    }

    private void value(Object value, String lineBreak) {
        if (value instanceof Map<?, ?> map) {
            object(map, lineBreak);
        } else if (value instanceof List<?> list) {
            array(list, lineBreak);
        } else if (value instanceof Double number) {
            text.append(String.format(Locale.ROOT, "%.4f", number));
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof String string) {
            string(string);
        } else {
            throw new IllegalArgumentException("not a JSON value: " + value);
        }
    }

    private void object(Map<?, ?> map, String lineBreak) {
        String separator = "";
        String inner = lineBreak + "  ";
        text.append('{');
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(separator).append(inner);
            string((String) entry.getKey());
            text.append(": ");
            value(entry.getValue(), inner);
            separator = ",";
        }
        text.append(map.isEmpty() ? "" : lineBreak).append('}');
    }

    private void array(List<?> list, String lineBreak) {
        boolean flat = list.stream().noneMatch(item -> item instanceof Map || item instanceof List);
        String inner = flat ? " " : lineBreak + "  ";
        String separator = "";
        text.append('[');
        for (Object item : list) {
            text.append(separator.isEmpty() && flat ? "" : separator + inner);
            value(item, inner);
            separator = ",";
        }
        text.append(flat || list.isEmpty() ? "" : lineBreak).append(']');
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                default -> {
                    if (c < ' ') {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
