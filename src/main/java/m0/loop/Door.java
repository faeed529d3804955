package m0.loop;

import java.io.IOException;

/**
 * A way into the process that a loop watches beside its listener and its connections.
 *
 * <p>Threads: the loop's. Errors: what {@link #open} throws ends the loop.
 */
public interface Door {
    /** The loop begins: time to {@link Loop#register} what is to be watched. */
    void open(Loop loop) throws IOException;

    /**
     * Does what is due, once a pass.
     *
     * @param nowNs the pass's time
     * @return nanoseconds from then to the next thing due, or {@link PassWork#NEVER}
     */
    default long runTimers(long nowNs) {
        return PassWork.NEVER;
    }

    /** The drain begins, or the loop ends without one: nothing more is watched. Once. */
    void close();
}
