package m0.host;

import java.util.Map;
import java.util.Set;
import m0.app.HostContext;
import m0.app.PageWords;
import m0.app.Publisher;
import m0.app.Streams;

/**
 * What the host lends the handler of one loop, or of a pool thread behind it. What it cannot lend
 * it refuses by name.
 *
 * <p>Threads: that handler's.
 */
final class LoopContext implements HostContext {
    /** The thread of a handler that is the loop's own. */
    static final int ON_LOOP = -1;

    private final int loop;
    private final int thread;
    private final Place place;
    private final ServerConfig config;
    private final Set<String> applicationSettings;
    private final PageWords words;
    private final Publisher publisher;
    private final Streams streams;
    private final ChildPublishing children;

    /** @param thread the pool thread's index, or {@link #ON_LOOP} */
    LoopContext(int loop, int thread, Place place, ServerConfig config,
            Set<String> applicationSettings, PageWords words, Publisher publisher, Streams streams, ChildPublishing children) {
        this.loop = loop;
        this.thread = thread;
        this.place = place;
        this.config = config;
        this.applicationSettings = applicationSettings;
        this.words = words;
        this.publisher = publisher;
        this.streams = streams;
        this.children = children;
    }

    @Override
    public String prefix() {
        return "";
    }

    @Override
    public int worker() {
        return loop;
    }

    @Override
    public int workers() {
        return place.allLoops();
    }

    @Override
    public boolean threaded() {
        return place.loops() > 1;
    }

    @Override
    public int thread() {
        return thread;
    }

    @Override
    public int capacity() {
        return (int) config.number(Setting.MAX_CONNECTIONS);
    }

    @Override
    public String setting(String name) {
        Setting setting = Setting.ofVariable(name);
        if (setting != null) {
            return config.text(setting);
        }
        return applicationSettings.contains(name) ? config.applicationVariable(name) : null;
    }

    @Override
    public Map<String, String> childEnvironment() {
        return children.environment();
    }

    @Override
    public PageWords page() {
        return words;
    }

    @Override
    public Publisher publisher() {
        return publisher;
    }

    @Override
    public Streams streams() {
        if (thread != ON_LOOP) {
            throw new IllegalStateException("streams belong to the loop, and this handler is that of"
                    + " thread " + thread + " of loop " + loop
                    + " (reach them from beforeRequest or from a hook)");
        }
        return streams;
    }
}
