package m0.app;

import java.util.Map;

/**
 * What the host tells and lends one handler, or the producer.
 *
 * <p>Threads: that handler's.
 */
public interface HostContext {
    /** The prefix it is mounted under, or empty. */
    String prefix();

    /** The index of its loop or worker, from 0. */
    int worker();

    /** How many loops or workers there are. */
    int workers();

    /** Whether the siblings that {@link #workers} counts are threads of this process. */
    boolean threaded();

    /** The environment a child process needs to publish. */
    Map<String, String> childEnvironment();

    /** −1 on the loop, else the pool thread's index. */
    int thread();

    /** Connections its loop can hold. */
    int capacity();

    /** The application's shared words. */
    PageWords page();

    Publisher publisher();

    /** The loop's streams; only meaningful on the loop. */
    Streams streams();

    /** The value of a setting or of one of the application's own variables, or null if unset. */
    String setting(String name);

    default boolean onLoop() {
        return thread() < 0;
    }

    /** Whether this is the one instance that owns what happens once: loop 0's of worker 0. */
    default boolean tickOwner() {
        return worker() == 0 && onLoop();
    }
}
