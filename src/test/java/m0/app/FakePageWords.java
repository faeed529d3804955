package m0.app;

/** The words of a page, for tests of one thread. */
public final class FakePageWords implements PageWords {
    private final long[] words;

    public FakePageWords(int count) {
        words = new long[count];
    }

    @Override
    public int count() {
        return words.length;
    }

    @Override
    public long get(int index) {
        return words[index];
    }

    @Override
    public void set(int index, long value) {
        words[index] = value;
    }

    @Override
    public long add(int index, long delta) {
        words[index] += delta;
        return words[index];
    }
}
