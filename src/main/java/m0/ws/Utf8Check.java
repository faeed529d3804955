package m0.ws;

/**
 * Whether bytes that arrive bit by bit are well-formed UTF-8 (RFC 3629 §4).
 *
 * <p>It remembers what a character still needs, so a character may be split anywhere, and it stops
 * at the first byte that no well-formed text could have there: overlong forms, surrogates and what
 * is above U+10FFFF are told by the second byte already, whose range depends on the first.
 *
 * <p>Threads: one at a time.
 */
final class Utf8Check {
    private static final int LOWEST = 0x80;
    private static final int HIGHEST = 0xbf;

    /** How many bytes the character that is begun still needs. */
    private int missing;
    private int lowest = LOWEST;
    private int highest = HIGHEST;

    void reset() {
        missing = 0;
        lowest = LOWEST;
        highest = HIGHEST;
    }

    /** Whether the text may end here: no character is begun. */
    boolean isComplete() {
        return missing == 0;
    }

    /**
     * Goes on with {@code [from, to)}.
     *
     * @return the index of the first byte that is wrong, or {@code to}
     */
    int check(byte[] array, int from, int to) {
        for (int at = from; at < to; at++) {
            int octet = array[at];
            if (missing == 0 && octet >= 0) {
                continue;
            }
            octet &= 0xff;
            if (missing > 0) {
                if (octet < lowest || octet > highest) {
                    return at;
                }
                missing--;
                lowest = LOWEST;
                highest = HIGHEST;
            } else if (!begin(octet)) {
                return at;
            }
        }
        return to;
    }

    /** Begins a character of two to four bytes; false where none begins with {@code octet}. */
    private boolean begin(int octet) {
        if (octet < 0xc2 || octet > 0xf4) {
            return false;
        }
        missing = octet < 0xe0 ? 1 : octet < 0xf0 ? 2 : 3;
        lowest = octet == 0xe0 ? 0xa0 : octet == 0xf0 ? 0x90 : LOWEST;
        highest = octet == 0xed ? 0x9f : octet == 0xf4 ? 0x8f : HIGHEST;
        return true;
    }
}
