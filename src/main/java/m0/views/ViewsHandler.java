package m0.views;

import java.nio.ByteBuffer;
import m0.app.AppHandler;
import m0.http.Request;
import m0.http.Response;
import m0.stream.StreamId;

/**
 * One handler: the table, and the state of this thread.
 *
 * <p>Threads: the one it was made on, unless the handler is shared.
 */
final class ViewsHandler<R, S extends R> implements AppHandler {
    private final Views<R, S> views;
    private final Mount at;
    private final ViewState<S> states;
    private final S state;

    ViewsHandler(Views<R, S> views, Mount at, ViewState<S> states, S state) {
        this.views = views;
        this.at = at;
        this.states = states;
        this.state = state;
    }

    @Override
    public Response beforeRequest(Request request) {
        return views.answerOnLoop(at, request, state);
    }

    @Override
    public Response handle(Request request) {
        return views.dispatch(at, request, state);
    }

    @Override
    public Response afterResponse(Request request, Response response) {
        return states.afterResponse(state, request, response);
    }

    @Override
    public long tickMs() {
        return states.tickMs(state);
    }

    @Override
    public void tick(long nowMs) {
        states.tick(state, nowMs);
    }

    @Override
    public void streamOpened(StreamId stream, Request request) {
        states.streamOpened(state, stream, request);
    }

    @Override
    public void streamClosed(StreamId stream) {
        states.streamClosed(state, stream);
    }

    @Override
    public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        return states.webSocketMessage(state, stream, opcode, payload);
    }

    @Override
    public void webSocketClosed(StreamId stream, int code) {
        states.webSocketClosed(state, stream, code);
    }

    @Override
    public void peerFrame(String channel, long id, ByteBuffer frame) {
        states.peerFrame(state, channel, id, frame);
    }

    @Override
    public void close() {
        states.close(state);
    }
}
