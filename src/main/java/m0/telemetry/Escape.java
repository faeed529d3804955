package m0.telemetry;

/** Which characters no log line may carry as they are. */
final class Escape {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
            'a', 'b', 'c', 'd', 'e', 'f'};

    private Escape() { }

    /**
     * Controls, of which C1 steers terminals too, and Unicode's two line separators, at which some
     * readers of logs break a line.
     */
    static boolean isNeeded(int codePoint) {
        return codePoint < ' ' || codePoint >= 0x7f && codePoint < 0xa0
                || codePoint == 0x2028 || codePoint == 0x2029;
    }

    /** The digit of the lowest four bits. */
    static byte hexDigit(int value) {
        return HEX[value & 0xf];
    }
}
