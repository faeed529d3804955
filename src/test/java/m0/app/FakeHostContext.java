package m0.app;

import java.util.HashMap;
import java.util.Map;

/** A context for one loop's handler, for tests; what it lends keeps what is asked of it. */
public final class FakeHostContext implements HostContext {
    private static final int WORDS = 8;

    private final int worker;
    private final int workers;
    private final int thread;
    private final Map<String, String> settings = new HashMap<>();
    private final FakePublisher publisher;
    private final FakePageWords page;
    private final FakeStreams streams = new FakeStreams();
    private String prefix = "";

    /** The only loop. */
    public FakeHostContext() {
        this(0, 1, -1);
    }

    public FakeHostContext(int worker, int workers, int thread) {
        this(worker, workers, thread, new FakePublisher(), new FakePageWords(WORDS));
    }

    private FakeHostContext(int worker, int workers, int thread, FakePublisher publisher,
            FakePageWords page) {
        this.worker = worker;
        this.workers = workers;
        this.thread = thread;
        this.publisher = publisher;
        this.page = page;
    }

    /** A context of another loop of the same host: it shares publisher and page. */
    public FakeHostContext sibling(int ofWorker) {
        return new FakeHostContext(ofWorker, workers, thread, publisher, page);
    }

    public FakeHostContext with(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /** A context of what is mounted there. */
    public FakeHostContext withPrefix(String mountedAt) {
        prefix = mountedAt;
        return this;
    }

    @Override
    public String prefix() {
        return prefix;
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
    public FakePageWords page() {
        return page;
    }

    @Override
    public FakePublisher publisher() {
        return publisher;
    }

    @Override
    public FakeStreams streams() {
        return streams;
    }

    @Override
    public String setting(String name) {
        return settings.get(name);
    }
}
