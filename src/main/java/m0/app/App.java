package m0.app;

import java.util.Set;

/**
 * One server's application: what it limits, what it needs, and how its handlers are made.
 *
 * <p>Threads: any; it is immutable. Errors: a throw in {@link #make} or {@link #producer} is one
 * {@code host:} line with its message, and the host exits with 78 before it has served anything.
 */
public interface App {
    /** Builds one handler, on the thread that will use it: each loop's, each pool thread's. */
    AppHandler make(HostContext context) throws Exception;

    /**
     * Builds the producer, or null for none. Asked once, for worker 0, on the spawning thread, after
     * every handler exists and before anything is served.
     */
    default Producer producer(HostContext context) throws Exception {
        return null;
    }

    /** How many worker processes it can be split over; 0 for any number. */
    default int maxWorkers() {
        return 0;
    }

    /** How many loops it can be split over in one process; 0 for any number. */
    default int maxThreads() {
        return maxWorkers();
    }

    /** Shared 64-bit words it wants, zero at the start. */
    default int pageSlots(int loops) {
        return 0;
    }

    /** Whether a lane may run it: false where its state lives in one handler (then 78). */
    default boolean poolAllowed() {
        return maxThreads() != 1;
    }

    /** Whether one pool handler may serve several jobs at once, as virtual threads need. */
    default boolean handlerShared() {
        return false;
    }

    /** The names of its own {@code M0_…} variables, so that they are not refused as unknown. */
    default Set<String> settings() {
        return Set.of();
    }
}
