package m0.serve;

import java.util.Map;
import m0.app.HostContext;
import m0.app.PageWords;
import m0.app.Publisher;
import m0.app.Streams;

/**
 * What the host lends a mounted application: its prefix, its own part of the shared words, and
 * otherwise what it lends any.
 *
 * <p>Threads: those of the context it stands for.
 */
final class MountContext implements HostContext {
    private final HostContext host;
    private final String prefix;
    private final PageWords words;

    MountContext(HostContext host, String prefix, int firstWord, int wordCount) {
        this.host = host;
        this.prefix = prefix;
        words = new Words(host.page(), firstWord, wordCount);
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public int worker() {
        return host.worker();
    }

    @Override
    public int workers() {
        return host.workers();
    }

    @Override
    public boolean threaded() {
        return host.threaded();
    }

    @Override
    public Map<String, String> childEnvironment() {
        return host.childEnvironment();
    }

    @Override
    public int thread() {
        return host.thread();
    }

    @Override
    public int capacity() {
        return host.capacity();
    }

    @Override
    public PageWords page() {
        return words;
    }

    @Override
    public Publisher publisher() {
        return host.publisher();
    }

    @Override
    public Streams streams() {
        return host.streams();
    }

    @Override
    public String setting(String name) {
        return host.setting(name);
    }

    /** A window of the words that all mounts share. */
    private record Words(PageWords all, int first, int count) implements PageWords {
        @Override
        public long get(int index) {
            return all.get(position(index));
        }

        @Override
        public void set(int index, long value) {
            all.set(position(index), value);
        }

        @Override
        public long add(int index, long delta) {
            return all.add(position(index), delta);
        }

        private int position(int index) {
            return first + PageWords.checkIndex(index, count);
        }
    }
}
