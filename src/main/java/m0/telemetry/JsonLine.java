package m0.telemetry;

import java.nio.charset.StandardCharsets;

/**
 * One JSON object on one line, in a buffer that is used again.
 *
 * <p>Strings are a peer's bytes: valid UTF-8 stays as it is, save for what {@link Escape} names;
 * a byte that is not part of valid UTF-8 becomes {@code \}{@code u00XX}. So every line is valid
 * JSON and valid UTF-8, whatever was sent.
 *
 * <p>Threads: its owner's. Limits: {@link #string} takes the most bytes its caller allows; the sum
 * of what a record may hold stays under the capacity, which its encoder sees to.
 */
final class JsonLine {
    private static final byte[] CUT_MARK = "…".getBytes(StandardCharsets.UTF_8);
    private static final int UNIT_BYTES_MAX = 6;

    private final byte[] bytes;
    private int length;

    JsonLine(int capacity) {
        bytes = new byte[capacity];
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    /** Adds text that needs no escape, such as keys and punctuation. */
    void raw(byte[] text) {
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
    }

    void number(long value) {
        long rest = value;
        if (rest < 0) {
            bytes[length++] = '-';
            rest = -rest;
        }
        int digits = 1;
        for (long above = rest / 10; above != 0; above /= 10) {
            digits++;
        }
        length += digits;
        int at = length;
        do {
            bytes[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
    }

    /**
     * Adds a quoted string, cut with an ellipsis at its end where it would take more.
     *
     * @param bytesMax the most bytes between the quotes, escapes and ellipsis included
     */
    void string(byte[] source, int offset, int count, int bytesMax) {
        bytes[length++] = '"';
        int limit = length + bytesMax - CUT_MARK.length;
        int end = offset + count;
        int at = offset;
        while (at < end) {
            if (length + UNIT_BYTES_MAX > limit) {
                raw(CUT_MARK);
                break;
            }
            at += unit(source, at, end);
        }
        bytes[length++] = '"';
    }

    /** Adds one character, or one byte that belongs to none; returns how many bytes it took. */
    private int unit(byte[] source, int at, int end) {
        byte first = source[at];
        if (first >= 0) {
            ascii(first);
            return 1;
        }
        int count = Utf8.sequenceLength(source, at, end);
        if (count == 0) {
            escape(first & 0xff);
            return 1;
        }
        int codePoint = Utf8.codePoint(source, at, count);
        if (Escape.isNeeded(codePoint)) {
            escape(codePoint);
        } else {
            System.arraycopy(source, at, bytes, length, count);
            length += count;
        }
        return count;
    }

    private void ascii(byte c) {
        if (Escape.isNeeded(c)) {
            escape(c);
            return;
        }
        if (c == '"' || c == '\\') {
            bytes[length++] = '\\';
        }
        bytes[length++] = c;
    }

    /** {@code \}{@code uXXXX} for a code of 16 bits. */
    private void escape(int code) {
        bytes[length++] = '\\';
        bytes[length++] = 'u';
        for (int shift = 12; shift >= 0; shift -= 4) {
            bytes[length++] = Escape.hexDigit(code >> shift);
        }
    }
}
