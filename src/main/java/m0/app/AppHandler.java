package m0.app;

import java.nio.ByteBuffer;
import m0.http.Request;
import m0.http.Response;
import m0.stream.StreamId;

/**
 * One instance of the application's behaviour: each loop has one, and each pool thread.
 *
 * <p>Threads: each instance is used by one thread, unless {@link App#handlerShared()}. Errors: a
 * throw in {@link #handle}, {@link #beforeRequest} or {@link #afterResponse} is 500, counted as any
 * answer, and the end of that connection, logged once with method and path; in {@link #tick} or a
 * stream's hook it is logged with the hook's name, and that stream is closed. An {@code Error} on a loop ends the loop.
 */
public interface AppHandler extends AutoCloseable {
    /** Answers a request: on the loop, or on the lane where there is one. */
    Response handle(Request request) throws Exception;

    /**
     * Sees each request once, on the loop's instance, before {@link #handle}.
     *
     * @return an answer, which then never becomes a job, or null to go on
     */
    default Response beforeRequest(Request request) {
        return null;
    }

    /** Sees each answer before it is written, on the thread and instance that answered. */
    default Response afterResponse(Request request, Response response) {
        return response;
    }

    /** Milliseconds between two calls of {@link #tick}; 0 for the setting's. */
    default long tickMs() {
        return 0;
    }

    /** Called on every loop at its interval, with the loop's clock in milliseconds. */
    default void tick(long nowMs) { }

    /** A stream was opened by that request. This and all below: the loop's instance only. */
    default void streamOpened(StreamId stream, Request request) { }

    /** A stream has ended, for whatever reason; said once. */
    default void streamClosed(StreamId stream) { }

    /**
     * A whole WebSocket message has come.
     *
     * @param opcode 1 text, 2 binary (RFC 6455 §5.2)
     * @param payload valid during the call
     * @return false for "not now": nothing more is read from this stream until it is resumed, and
     *     the same message is offered again then
     */
    default boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        return true;
    }

    /** The peer has closed the WebSocket, with this code (RFC 6455 §7.4). */
    default void webSocketClosed(StreamId stream, int code) { }

    /** A frame was published, here or elsewhere; its bytes are valid during the call. */
    default void peerFrame(String channel, long id, ByteBuffer frame) { }

    /** Called once, after the last use and before the thread ends. */
    @Override
    default void close() { }
}
