package m0.bytes;

import java.util.Arrays;

/**
 * What an octet may be in HTTP: one table, and comparisons that ignore letter case.
 *
 * <p>Each octet has a set of class bits, so that a scanner asks one question per octet.
 *
 * <p>Threads: any; nothing changes after the class is loaded.
 */
public final class Ascii {
    /** {@code tchar} of RFC 9110 §5.6.2. */
    public static final int TOKEN = 1;
    /** Visible and without a meaning of its own in a request target: neither %, ? nor #. */
    public static final int TARGET = 2;
    /** What a field value may hold: visible, blank, TAB and above ASCII (RFC 9110 §5.5). */
    public static final int VALUE = 4;
    /** {@code unreserved} and {@code sub-delims} of RFC 3986 §2: a registered name's octets. */
    public static final int REG_NAME = 8;
    public static final int DIGIT = 16;

    private static final byte[] CLASSES = classes();
    private static final byte[] HEX = hex();

    private Ascii() { }

    /** Whether {@code octet} belongs to one of these classes. */
    public static boolean is(byte octet, int classes) {
        return (CLASSES[octet & 0xff] & classes) != 0;
    }

    /** As {@link #is(byte, int)}, for a character; false above ASCII. */
    public static boolean is(char character, int classes) {
        return character < 0x80 && (CLASSES[character] & classes) != 0;
    }

    /** The value of a hexadecimal digit in either case, or −1. */
    public static int hexValue(byte octet) {
        return HEX[octet & 0xff];
    }

    /** The small letter for a capital one, anything else as it is. */
    public static int lower(int octet) {
        return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
    }

    /** Whether the octets in {@code [from, to)} are exactly {@code text}, which is ASCII. */
    public static boolean equal(byte[] array, int from, int to, String text) {
        return to - from == text.length() && startsWith(array, from, to, text);
    }

    /** Whether the octets in {@code [from, to)} begin with {@code text}, which is ASCII. */
    public static boolean startsWith(byte[] array, int from, int to, String text) {
        int length = text.length();
        if (to - from < length) {
            return false;
        }
        for (int index = 0; index < length; index++) {
            if (array[from + index] != text.charAt(index)) {
                return false;
            }
        }
        return true;
    }

    /** As {@link #equal}, letter case ignored on both sides. */
    public static boolean equalIgnoringCase(byte[] array, int from, int to, String text) {
        int length = text.length();
        if (to - from != length) {
            return false;
        }
        for (int index = 0; index < length; index++) {
            int octet = array[from + index];
            int character = text.charAt(index);
            if (octet != character && lower(octet) != lower(character)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] classes() {
        byte[] table = new byte[256];
        for (int octet = 0x21; octet < 0x7f; octet++) {
            table[octet] = VALUE | TARGET;
        }
        for (int octet = 0x80; octet < 0x100; octet++) {
            table[octet] = VALUE;
        }
        table[' '] = VALUE;
        table['\t'] = VALUE;
        mark(table, "%?#", 0, TARGET);
        String letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        String digits = "0123456789";
        mark(table, letters, TOKEN | REG_NAME, 0);
        mark(table, digits, TOKEN | REG_NAME | DIGIT, 0);
        mark(table, "!#$%&'*+-.^_`|~", TOKEN, 0);
        mark(table, "-._~!$&'()*+,;=", REG_NAME, 0);
        return table;
    }

    private static void mark(byte[] table, String octets, int add, int remove) {
        for (int index = 0; index < octets.length(); index++) {
            int octet = octets.charAt(index);
            table[octet] = (byte) (table[octet] & ~remove | add);
        }
    }

    private static byte[] hex() {
        byte[] table = new byte[256];
        Arrays.fill(table, (byte) -1);
        String digits = "0123456789abcdef";
        for (int value = 0; value < 16; value++) {
            table[digits.charAt(value)] = (byte) value;
            table[Character.toUpperCase(digits.charAt(value))] = (byte) value;
        }
        return table;
    }
}
