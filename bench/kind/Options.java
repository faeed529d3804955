package kind;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The command line.
 *
 * @param kind  which bench
 * @param brief a short run, to see that it works: its figures prove nothing
 * @param floor the floor also stands where ours does: every ratio must come out at 1
 * @param pairs alternated pairs, or 0 for the kind's own number
 */
record Options(String kind, boolean brief, boolean floor, int pairs) {
    /** What may follow the kind; {@code --no-build} is taken by {@code bench/run} itself. */
    static final String USAGE = "[--short] [--floor] [--pairs N] [--no-build]";

    static Options parse(String[] arguments) {
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        String kind = "";
        boolean brief = false;
        boolean floor = false;
        int pairs = 0;
        while (!words.isEmpty()) {
            String word = words.removeFirst();
            switch (word) {
                case "--short" -> brief = true;
                case "--floor" -> floor = true;
                case "--pairs" ->
                    pairs = Integer.parseInt(words.isEmpty() ? "" : words.removeFirst());
                default -> {
                    if (!kind.isEmpty() || word.startsWith("-")) {
                        throw new IllegalArgumentException("not understood: " + word);
                    }
                    kind = word;
                }
            }
        }
        return new Options(kind, brief, floor, pairs);
    }

    /** The number of pairs: as asked for, else three in a short run, else the kind's own. */
    int pairsOr(int whole) {
        return pairs > 0 ? pairs : brief ? 3 : whole;
    }
}
