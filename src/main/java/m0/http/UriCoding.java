package m0.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import m0.bytes.Ascii;

/**
 * Percent escapes of a path's segment or of a form's name or value (RFC 3986 §2.1), read strictly and
 * written so that what was written is what is read.
 *
 * <p>Threads: any.
 */
public final class UriCoding {
    /** The octets of one escape. */
    private static final int LENGTH = 3;
    private static final String HEX = "0123456789ABCDEF";
    private static final String UNRESERVED_MARKS = "-._~";

    private UriCoding() { }

    /**
     * The octets {@code [from, to)} decoded once and read as UTF-8.
     *
     * @param plusIsBlank whether {@code +} means a blank, as in a form
     * @return null where an escape is malformed, or what it hides is not UTF-8
     */
    public static String decode(byte[] array, int from, int to, boolean plusIsBlank) {
        byte[] decoded = new byte[to - from];
        int length = 0;
        for (int index = from; index < to; index = next(array, index)) {
            int octet = octet(array, index, to);
            if (octet < 0) {
                return null;
            }
            boolean blank = plusIsBlank && array[index] == '+';
            decoded[length++] = blank ? (byte) ' ' : (byte) octet;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(decoded, 0, length)).toString();
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    /** The octet that stands at {@code index}, decoded; −1 where its escape is malformed. */
    public static int octet(byte[] array, int index, int to) {
        if (array[index] != '%') {
            return array[index] & 0xff;
        }
        if (to - index < LENGTH) {
            return -1;
        }
        int high = Ascii.hexValue(array[index + 1]);
        int low = Ascii.hexValue(array[index + 2]);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    /** The index behind the octet that stands at {@code index}. */
    public static int next(byte[] array, int index) {
        return index + (array[index] == '%' ? LENGTH : 1);
    }

    /**
     * {@code text} with everything escaped but letters, digits and {@code -._~}; it may stand in a
     * segment, in a query, and in a form.
     *
     * @throws IllegalArgumentException for half a surrogate pair, which UTF-8 cannot say
     */
    public static String encode(String text) {
        ByteBuffer octets;
        try {
            octets = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException half) {
            throw new IllegalArgumentException("the text holds half a surrogate pair", half);
        }
        var encoded = new StringBuilder(octets.remaining() + 16);
        while (octets.hasRemaining()) {
            int octet = octets.get() & 0xff;
            if (isUnreserved(octet)) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 0xf));
            }
        }
        return encoded.toString();
    }

    private static boolean isUnreserved(int octet) {
        int letter = Ascii.lower(octet);
        return letter >= 'a' && letter <= 'z' || octet >= '0' && octet <= '9'
                || UNRESERVED_MARKS.indexOf(octet) >= 0;
    }
}
