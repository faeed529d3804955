package m0.host;

import java.util.Map;
import java.util.Set;
import m0.app.HostContext;
import m0.app.PageWords;
import m0.app.Publisher;
import m0.app.Streams;

/**
 * What the host lends the handler of one loop. What it does not serve yet it refuses by name.
 *
 * <p>Threads: that handler's.
 */
final class LoopContext implements HostContext {
    private final int loop;
    private final int loops;
    private final ServerConfig config;
    private final Set<String> applicationSettings;

    LoopContext(int loop, int loops, ServerConfig config, Set<String> applicationSettings) {
        this.loop = loop;
        this.loops = loops;
        this.config = config;
        this.applicationSettings = applicationSettings;
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
        return loops;
    }

    @Override
    public boolean threaded() {
        return loops > 1;
    }

    @Override
    public int thread() {
        return -1;
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
        throw new UnsupportedOperationException("publishing from a child is not served yet");
    }

    @Override
    public PageWords page() {
        throw new UnsupportedOperationException("shared words are not served yet");
    }

    @Override
    public Publisher publisher() {
        throw new UnsupportedOperationException("publishing is not served yet");
    }

    @Override
    public Streams streams() {
        throw new UnsupportedOperationException("streams are not served yet");
    }
}
