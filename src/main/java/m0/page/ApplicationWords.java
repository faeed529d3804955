package m0.page;

import m0.app.PageWords;

/** The application's part of a {@link Page}. Errors: an index outside it is refused. */
final class ApplicationWords implements PageWords {
    private final PageMemory memory;
    private final int first;
    private final int count;

    ApplicationWords(PageMemory memory, int first, int count) {
        this.memory = memory;
        this.first = first;
        this.count = count;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long get(int index) {
        return memory.get(position(index));
    }

    @Override
    public void set(int index, long value) {
        memory.set(position(index), value);
    }

    @Override
    public long add(int index, long delta) {
        return memory.addAndGet(position(index), delta);
    }

    private int position(int index) {
        return first + PageWords.checkIndex(index, count);
    }
}
