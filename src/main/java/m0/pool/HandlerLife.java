package m0.pool;

/**
 * The first and the last act of a lane's handlers: each is made on the thread that will use it, and
 * closed there behind its last call.
 *
 * <p>Threads: each handler its own. Errors: one that cannot be made is told to whoever waits for it;
 * what its closing throws, to the observer.
 */
final class HandlerLife {
    private final int lane;
    private final JobHandlers handlers;
    private final LaneMuster muster;
    private final LaneObserver observer;

    HandlerLife(int lane, JobHandlers handlers, LaneMuster muster, LaneObserver observer) {
        this.lane = lane;
        this.handlers = handlers;
        this.muster = muster;
        this.observer = observer;
    }

    /** Makes that thread's handler; null where it cannot be, and then the thread ends. */
    JobHandler tryMake(int thread) {
        try {
            JobHandler made = handlers.make(thread);
            if (made == null) {
                throw new IllegalStateException("make returned no handler");
            }
            return made;
        } catch (Throwable thrown) {
            // Here the thread ends; whoever waits for it has to know why.
            muster.failed(thread, thrown);
            return null;
        }
    }

    /** The last thing that is done with it, and with its thread. */
    void close(int thread, JobHandler handler) {
        try {
            handler.close();
        } catch (Throwable thrown) {
            // Its last word before the thread ends.
            observer.onCloseFailed(lane, thread, thrown);
        }
    }
}
