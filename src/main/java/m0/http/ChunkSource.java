package m0.http;

import java.nio.ByteBuffer;

/**
 * A response body of unknown length, pulled on the loop as the socket drains.
 *
 * <p>Threads: the loop's. Errors: an exception cuts the connection, since the head has gone out.
 */
public interface ChunkSource extends AutoCloseable {
    /**
     * Puts the next bytes into {@code into} and returns at once.
     *
     * @return whether more may come; false ends the body, with what was put in this call
     */
    boolean next(ByteBuffer into) throws Exception;

    /** Called once, when the body has ended or its connection has. */
    @Override
    default void close() { }
}
