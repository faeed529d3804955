package m0.host;

/**
 * One worker's process, as its supervisor deals with it.
 *
 * <p>Threads: the supervising one, but for {@link #kill}, which any may call.
 */
interface WorkerProcess {
    long pid();

    /** It may begin to serve: all workers are armed. */
    void serve();

    /** It is to drain and go, be it that it has not come to the control socket yet. */
    void stop();

    /** Ends it at once. */
    void kill();
}
