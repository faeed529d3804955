package m0.bus;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The texts of the names that came last, so that a name which comes again costs no new object.
 *
 * <p>A table of {@value #SLOTS} places, the place taken from the bytes: two names that meet in one
 * place take turns, and each turn costs an object. Threads: one.
 */
final class RecentTexts {
    private static final int SLOTS = 64;

    private final byte[][] keys = new byte[SLOTS][];
    private final String[] texts = new String[SLOTS];

    /** The text of {@code bytes[from, to)}, which are UTF-8. */
    String text(byte[] bytes, int from, int to) {
        if (from == to) {
            return "";
        }
        int slot = slot(bytes, from, to);
        byte[] key = keys[slot];
        if (key == null || !Arrays.equals(key, 0, key.length, bytes, from, to)) {
            keys[slot] = Arrays.copyOfRange(bytes, from, to);
            texts[slot] = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        return texts[slot];
    }

    private static int slot(byte[] bytes, int from, int to) {
        int hash = 0;
        for (int index = from; index < to; index++) {
            hash = 31 * hash + bytes[index];
        }
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }
}
