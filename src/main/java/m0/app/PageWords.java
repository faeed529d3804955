package m0.app;

/**
 * The application's words in the shared page: 64 bits each, one copy for all loops and workers.
 *
 * <p>Threads: any. Each call is atomic and ordered as a volatile access.
 */
public interface PageWords {
    /** How many there are: what {@link App#pageSlots} asked for. */
    int count();

    long get(int index);

    void set(int index, long value);

    /** Adds and returns the new value. */
    long add(int index, long delta);

    /**
     * That index, for whoever has so many words.
     *
     * @throws IndexOutOfBoundsException if it is none of theirs, and who says how many they are
     */
    static int checkIndex(int index, int count) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("word " + index + " of " + count
                    + ": App.pageSlots(int loops) says how many there are");
        }
        return index;
    }
}
