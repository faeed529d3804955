package m0.app;

/**
 * The one source of events of an application: built before serving, stepped on a thread of its own.
 *
 * <p>It keeps a fixed rate and never catches up: a step that overran is followed by the next due
 * one. Errors: a step that throws ends the producer; it is logged, and the server serves on.
 */
public interface Producer extends AutoCloseable {
    /**
     * Does one step.
     *
     * @return nanoseconds from this step's scheduled start to the next one's; 0 or less: at once
     */
    long step() throws Exception;

    /** Called once, after the last step. */
    @Override
    default void close() { }
}
