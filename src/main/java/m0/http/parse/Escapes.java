package m0.http.parse;

import java.nio.charset.StandardCharsets;
import m0.bytes.Ascii;

/** Percent escapes (RFC 3986 §2.1): checked, compared and decoded. Threads: any. */
final class Escapes {
    /** The octets of one escape. */
    static final int LENGTH = 3;

    private Escapes() { }

    /** Whether a whole escape stands at {@code index}. */
    static boolean isEscape(byte[] array, int index, int to) {
        return to - index >= LENGTH && array[index] == '%'
                && Ascii.hexValue(array[index + 1]) >= 0 && Ascii.hexValue(array[index + 2]) >= 0;
    }

    /** Whether every {@code %} in {@code [from, to)} begins an escape. */
    static boolean areWellFormed(byte[] array, int from, int to) {
        for (int index = from; index < to; index++) {
            if (array[index] == '%') {
                if (!isEscape(array, index, to)) {
                    return false;
                }
                index += LENGTH - 1;
            }
        }
        return true;
    }

    /**
     * How far {@code [from, to)}, decoded, agrees with all of {@code text}, which is ASCII.
     *
     * @return the index after what agreed, or −1 where they differ
     */
    static int match(byte[] array, int from, int to, String text) {
        int index = from;
        for (int position = 0; position < text.length(); position++) {
            if (index == to) {
                return -1;
            }
            boolean escaped = isEscape(array, index, to);
            int octet = escaped ? decode(array, index) : array[index];
            if (octet != text.charAt(position)) {
                return -1;
            }
            index += escaped ? LENGTH : 1;
        }
        return index;
    }

    /**
     * {@code [from, to)} decoded once and read as UTF-8, malformed sequences replaced; a {@code %}
     * that begins no escape stands for itself.
     *
     * @param plusIsBlank whether {@code +} means a blank, as in a form's query
     */
    static String decode(byte[] array, int from, int to, boolean plusIsBlank) {
        byte[] decoded = new byte[to - from];
        int length = 0;
        int index = from;
        while (index < to) {
            if (isEscape(array, index, to)) {
                decoded[length++] = (byte) decode(array, index);
                index += LENGTH;
            } else {
                byte octet = array[index++];
                decoded[length++] = plusIsBlank && octet == '+' ? (byte) ' ' : octet;
            }
        }
        return new String(decoded, 0, length, StandardCharsets.UTF_8);
    }

    private static int decode(byte[] array, int index) {
        return Ascii.hexValue(array[index + 1]) << 4 | Ascii.hexValue(array[index + 2]);
    }
}
