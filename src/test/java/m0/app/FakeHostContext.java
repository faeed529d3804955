package m0.app;

import java.util.HashMap;
import java.util.Map;

/** A context for one loop's handler, for tests; it lends nothing that only a host has. */
public final class FakeHostContext implements HostContext {
    private final int worker;
    private final int workers;
    private final int thread;
    private final Map<String, String> settings = new HashMap<>();

    /** The only loop. */
    public FakeHostContext() {
        this(0, 1, -1);
    }

    public FakeHostContext(int worker, int workers, int thread) {
        this.worker = worker;
        this.workers = workers;
        this.thread = thread;
    }

    public FakeHostContext with(String name, String value) {
        settings.put(name, value);
        return this;
    }

    @Override
    public String prefix() {
        return "";
    }

    @Override
    public int worker() {
        return worker;
    }

    @Override
    public int workers() {
        return workers;
    }

    @Override
    public boolean threaded() {
        return workers > 1;
    }

    @Override
    public Map<String, String> childEnvironment() {
        return Map.of();
    }

    @Override
    public int thread() {
        return thread;
    }

    @Override
    public int capacity() {
        return 16_384;
    }

    @Override
    public PageWords page() {
        throw new UnsupportedOperationException("no page in this test");
    }

    @Override
    public Publisher publisher() {
        throw new UnsupportedOperationException("no publisher in this test");
    }

    @Override
    public Streams streams() {
        throw new UnsupportedOperationException("no streams in this test");
    }

    @Override
    public String setting(String name) {
        return settings.get(name);
    }
}
