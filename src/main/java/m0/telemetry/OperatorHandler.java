package m0.telemetry;

import java.nio.ByteBuffer;
import m0.app.AppHandler;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.loop.Clock;
import m0.loop.StopWord;
import m0.page.Page;
import m0.stream.StreamId;

/**
 * {@code /__live}, {@code /__ready} and {@code /__metrics}, put around the application's handler on
 * a loop.
 *
 * <p>All are answered in {@link #beforeRequest}, and so on the loop whatever the lanes do; the
 * application sees nothing of them. <em>Live</em> asks whether to restart the process: 503 while
 * any loop of the page, another worker's too, has been inside one pass for longer than the stall
 * limit. A loop that is itself stuck does not answer, which says the same.
 * <em>Ready</em> asks whether to send traffic: 503 as soon as
 * a stop was asked for.
 *
 * <p>Threads: its loop's.
 */
public final class OperatorHandler implements AppHandler {
    private static final Response LIVE = answer(200, "live\n");
    private static final Response READY = answer(200, "ready\n");
    private static final Response STOPPING = answer(503, "stopping\n");
    private static final Response METHOD_NOT_ALLOWED = Response.status(405)
            .header("Allow", "GET, HEAD")
            .contentType("text/plain; charset=utf-8")
            .body("this route takes GET and HEAD\n")
            .build();

    private final AppHandler application;
    private final StopWord stop;
    private final Page page;
    private final long stallNs;
    private final Clock clock;
    private final MetricsText metrics;
    /** The last answer of ours, which the application's {@link #afterResponse} must not see. */
    private Response own;

    /**
     * @param page where all loops stand
     * @param stallMs how long one pass may take; 0 for no limit, and then a loop is always live
     */
    public OperatorHandler(AppHandler application, StopWord stop, Page page,
            long stallMs, Clock clock, MetricsText metrics) {
        this.application = application;
        this.stop = stop;
        this.page = page;
        this.stallNs = stallMs * 1_000_000L;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public Response beforeRequest(Request request) {
        if (request.pathStartsWith("/__")) {
            own = answer(request);
            if (own != null) {
                return own;
            }
        }
        return application.beforeRequest(request);
    }

    /** The answer where the path is one of ours, or null. */
    private Response answer(Request request) {
        boolean live = request.pathIs("/__live");
        boolean ready = request.pathIs("/__ready");
        if (!live && !ready && !request.pathIs("/__metrics")) {
            return null;
        }
        if (request.method() != Method.GET && request.method() != Method.HEAD) {
            return METHOD_NOT_ALLOWED;
        }
        if (live) {
            return live();
        }
        return ready ? ready() : metrics();
    }

    private Response ready() {
        return stop.asked() ? STOPPING : READY;
    }

    private Response metrics() {
        return Response.status(200)
                .contentType(MetricsText.CONTENT_TYPE)
                .header("Cache-Control", "no-store")
                .body(metrics.write())
                .build();
    }

    private Response live() {
        if (stallNs == 0) {
            return LIVE;
        }
        long nowNs = clock.nanoTime();
        for (int loop = 0; loop < page.loops(); loop++) {
            long sinceNs = page.line(loop).passSinceNs();
            if (sinceNs != 0 && nowNs - sinceNs > stallNs) {
                return answer(503, "loop=" + loop + " has been inside one pass for "
                        + (nowNs - sinceNs) / 1_000_000L + " ms\n");
            }
        }
        return LIVE;
    }

    private static Response answer(int status, String text) {
        return Response.status(status)
                .contentType("text/plain; charset=utf-8")
                .header("Cache-Control", "no-store")
                .body(text)
                .build();
    }

    @Override
    public Response afterResponse(Request request, Response response) {
        if (response == own) {
            own = null;
            return response;
        }
        return application.afterResponse(request, response);
    }

    @Override
    public Response handle(Request request) throws Exception {
        return application.handle(request);
    }

    @Override
    public long tickMs() {
        return application.tickMs();
    }

    @Override
    public void tick(long nowMs) {
        application.tick(nowMs);
    }

    @Override
    public void streamOpened(StreamId stream, Request request) {
        application.streamOpened(stream, request);
    }

    @Override
    public void streamClosed(StreamId stream) {
        application.streamClosed(stream);
    }

    @Override
    public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        return application.webSocketMessage(stream, opcode, payload);
    }

    @Override
    public void webSocketClosed(StreamId stream, int code) {
        application.webSocketClosed(stream, code);
    }

    @Override
    public void peerFrame(String channel, long id, ByteBuffer frame) {
        application.peerFrame(channel, id, frame);
    }

    @Override
    public void close() {
        application.close();
    }
}
