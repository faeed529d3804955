package host_check;

/**
 * The bytes of every generated body: byte {@code i} is {@code i mod 251}.
 *
 * <p>251 is a prime below 256, so no block of a power of two repeats another: a block that is sent
 * twice, skipped or swapped shows.
 */
final class Pattern {
    private static final int PERIOD = 251;

    private Pattern() { }

    /** Fills {@code into} with the pattern's bytes from position {@code from}. */
    static void fill(byte[] into, long from) {
        int value = (int) (from % PERIOD);
        for (int index = 0; index < into.length; index++) {
            into[index] = (byte) value;
            value = value + 1 == PERIOD ? 0 : value + 1;
        }
    }
}
