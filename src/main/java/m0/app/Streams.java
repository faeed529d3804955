package m0.app;

import java.nio.ByteBuffer;
import m0.stream.StreamId;

/**
 * This loop's open streams, as an application may use them.
 *
 * <p>Threads: the loop's alone. Errors: a call from another thread is an
 * {@code IllegalStateException}; a stream that is gone, or another loop's, is no error but false.
 */
public interface Streams {
    /** Adds a channel to those whose frames the stream carries; false if it has closed. */
    boolean subscribe(StreamId stream, String channel);

    /**
     * Sends one WebSocket message; false if the stream has closed or is full.
     *
     * @param opcode 1 for text, 2 for bytes
     * @throws IllegalArgumentException for another opcode, and for a payload over
     *     {@code M0_MAX_MESSAGE}
     */
    boolean send(StreamId stream, int opcode, ByteBuffer payload);

    /** Closes it: an SSE stream at once, a WebSocket with this code and a wait for the echo. */
    boolean close(StreamId stream, int code);

    /** Reads on after a message was answered "not now". */
    boolean resume(StreamId stream);
}
