package m0.telemetry;

/** Well-formed UTF-8 beyond ASCII, by the table of RFC 3629 §4. */
final class Utf8 {
    private Utf8() { }

    /** The length of the well-formed sequence at {@code at}, 2 to 4, or 0 where there is none. */
    static int sequenceLength(byte[] source, int at, int end) {
        int first = source[at] & 0xff;
        if (first < 0xc2 || first > 0xf4) {
            return 0;
        }
        int count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (end - at < count) {
            return 0;
        }
        int second = source[at + 1] & 0xff;
        // No overlong forms, no surrogates, nothing above U+10FFFF.
        int lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int index = 2; index < count; index++) {
            if ((source[at + index] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return count;
    }

    /** The character of a well-formed sequence of that length. */
    static int codePoint(byte[] source, int at, int count) {
        int value = source[at] & 0xff >> count + 1;
        for (int index = 1; index < count; index++) {
            value = value << 6 | source[at + index] & 0x3f;
        }
        return value;
    }
}
