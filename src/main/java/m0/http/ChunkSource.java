package m0.http;

import java.nio.ByteBuffer;

/**
 * A response body that comes piece by piece, pulled on the loop as the socket drains.
 *
 * <p>One that has nothing for now is asked again every few milliseconds, unless it
 * {@link #wakesBy wakes} the loop itself.
 *
 * <p>Threads: the loop's; behind its end {@link #close} that of whoever brings the body. Errors: an
 * exception cuts the connection, since the head has gone out.
 */
public interface ChunkSource extends AutoCloseable {
    /**
     * Puts the next bytes into {@code into} and returns at once.
     *
     * @return whether more may come; false ends the body, with what was put in this call
     */
    boolean next(ByteBuffer into) throws Exception;

    /**
     * Asked once, before the first {@link #next}: whether it says itself that it has something.
     *
     * @param wake to be run, on any thread, whenever {@code next} had nothing and now there is
     *     something, or the end; more often does no harm, and behind {@link #close} nothing
     * @return true if it keeps {@code wake} and runs it: it is not asked again before that
     */
    default boolean wakesBy(Runnable wake) throws Exception {
        return false;
    }

    /**
     * Bytes of memory that it keeps for what has not been pulled yet. They count against what all
     * connections of a loop may hold together; beyond that the connection which is found with more
     * is cut. A source that keeps nothing of its own, or shares it with others, says 0.
     */
    default long heldBytes() {
        return 0;
    }

    /** Called once, when the body has ended or its connection has. */
    @Override
    default void close() { }
}
