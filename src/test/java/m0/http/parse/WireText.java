package m0.http.parse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Octets written as text: {@code \r \n \t \0 \\ \xNN} for one octet, <code>{N*text}</code> for a
 * text N times; everything else stands for its UTF-8 octets.
 */
final class WireText {
    private WireText() {
    }

    static byte[] read(String text) {
        var out = new ByteArrayOutputStream();
        int index = 0;
        while (index < text.length()) {
            char c = text.charAt(index);
            if (c == '\\') {
                index = readEscape(text, index, out);
            } else if (c == '{' && repetitionEnd(text, index) > 0) {
                int star = text.indexOf('*', index);
                int end = repetitionEnd(text, index);
                byte[] part = read(text.substring(star + 1, end));
                for (int n = Integer.parseInt(text.substring(index + 1, star)); n > 0; n--) {
                    out.writeBytes(part);
                }
                index = end + 1;
            } else {
                int end = text.offsetByCodePoints(index, 1);
                out.writeBytes(text.substring(index, end).getBytes(StandardCharsets.UTF_8));
                index = end;
            }
        }
        return out.toByteArray();
    }

    private static int readEscape(String text, int index, ByteArrayOutputStream out) {
        char kind = text.charAt(index + 1);
        switch (kind) {
            case 'r' -> out.write('\r');
            case 'n' -> out.write('\n');
            case 't' -> out.write('\t');
            case '0' -> out.write(0);
            case '\\' -> out.write('\\');
            case 'x' -> out.write(Integer.parseInt(text.substring(index + 2, index + 4), 16));
            default -> throw new IllegalArgumentException("escape \\" + kind + " in " + text);
        }
        return index + (kind == 'x' ? 4 : 2);
    }

    /** The index of the brace that ends a repetition at {@code index}, or −1 if there is none. */
    private static int repetitionEnd(String text, int index) {
        int digit = index + 1;
        while (digit < text.length() && Character.isDigit(text.charAt(digit))) {
            digit++;
        }
        boolean begins = digit > index + 1 && digit < text.length() && text.charAt(digit) == '*';
        return begins ? text.indexOf('}', digit) : -1;
    }

    /** The text that {@link #read} turns into these octets; printable ASCII stays as it is. */
    static String write(byte[] octets) {
        var text = new StringBuilder();
        for (byte octet : octets) {
            switch (octet) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '\\' -> text.append("\\\\");
                default -> {
                    if (octet >= ' ' && octet < 0x7f && octet != '{') {
                        text.append((char) octet);
                    } else {
                        text.append(String.format("\\x%02x", octet & 0xff));
                    }
                }
            }
        }
        return text.toString();
    }
}
