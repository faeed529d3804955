package m0.views;

import java.nio.ByteBuffer;
import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Producer;
import m0.http.Request;
import m0.http.Response;
import m0.stream.StreamId;

/**
 * What a {@link ViewsApp} has beside its table: how the state of a handler is made, what the
 * application limits, and what its states hear of the host.
 *
 * <p>Each method but {@link #make} is the one of that name in {@link App} or {@link AppHandler},
 * and means, and by default does, the same; where it is a handler's, the handler's state comes with
 * it.
 *
 * <p>Threads: any; it keeps nothing itself. A state belongs to the thread it was made on.
 *
 * @param <S> the state
 */
@FunctionalInterface
public interface ViewState<S> {
    /**
     * Makes the state of one handler, on the thread that will use it.
     *
     * @param at where the table is mounted, for links
     */
    S make(Mount at, HostContext context) throws Exception;

    default Producer producer(HostContext context) throws Exception {
        return null;
    }

    default int maxWorkers() {
        return 0;
    }

    default int maxThreads() {
        return maxWorkers();
    }

    default int pageSlots(int loops) {
        return 0;
    }

    default boolean poolAllowed() {
        return maxThreads() != 1;
    }

    default boolean handlerShared() {
        return false;
    }

    default Set<String> settings() {
        return Set.of();
    }

    default Response afterResponse(S state, Request request, Response response) {
        return response;
    }

    default long tickMs(S state) {
        return 0;
    }

    default void tick(S state, long nowMs) { }

    default void streamOpened(S state, StreamId stream, Request request) { }

    default void streamClosed(S state, StreamId stream) { }

    default boolean webSocketMessage(S state, StreamId stream, int opcode, ByteBuffer payload) {
        return true;
    }

    default void webSocketClosed(S state, StreamId stream, int code) { }

    default void peerFrame(S state, String channel, long id, ByteBuffer frame) { }

    default void close(S state) { }
}
