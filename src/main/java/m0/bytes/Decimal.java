package m0.bytes;

/** Decimal numbers read strictly: digits alone, no sign, no blank. Threads: any. */
public final class Decimal {
    /** The longest number that {@link #parse} reads, so that a {@code long} always holds it. */
    public static final int DIGITS_MAX = 18;

    private Decimal() { }

    /** The number written in {@code [from, to)}, or −1 where it is not 1 to 18 digits. */
    public static long parse(byte[] array, int from, int to) {
        if (to - from < 1 || to - from > DIGITS_MAX) {
            return -1;
        }
        long value = 0;
        for (int index = from; index < to; index++) {
            if (!Ascii.is(array[index], Ascii.DIGIT)) {
                return -1;
            }
            value = 10 * value + (array[index] - '0');
        }
        return value;
    }
}
