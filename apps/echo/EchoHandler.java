package echo;

import java.nio.ByteBuffer;
import java.util.List;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.sse.SseFrames;
import m0.stream.StreamId;

/**
 * The routes; each takes one method (GET takes HEAD too) and answers 405 to the others.
 *
 * <p>Streams are answered in {@link #beforeRequest}: a stream begins on the loop, also where a pool
 * answers the rest.
 *
 * <p>Threads: the one it was made on. Owns: the count of its loop's open streams.
 */
final class EchoHandler implements AppHandler {
    /** The longest {@code /slow} sleeps, in milliseconds; beyond it 400. */
    static final int SLOW_MS_MAX = 60_000;
    private static final int SLOW_MS_DEFAULT = 300;
    private static final String REST = "/path/";
    private static final long TICK_MS = 100;
    /** One a second. */
    private static final int SSE_TICKS = 10;
    /** The first not before 1.5 s, also where a tick comes late by one. */
    private static final int EVENTS_TICKS = 18;
    private static final List<byte[]> AT_ONCE =
            List.of(SseFrames.event("", "at once"));

    private static final Response INDEX = Response.text(200, "echo");
    private static final Response HELLO = Response.text(200, "hello");
    private static final Response NOT_READ = Response.text(200, "not read");
    private static final Response NO_CONTENT = Response.empty(204);
    private static final Response NOT_MODIFIED =
            Response.status(304).header("ETag", "\"echo\"").build();
    private static final Response NOT_FOUND = Response.text(404, "no such route\n");
    /** Whatever is no handshake is answered by the host. */
    private static final Response WEB_SOCKET = Response.status(200).webSocket("", 0).build();
    private static final Response ONLY_GET = notAllowed("GET, HEAD");
    private static final Response ONLY_POST = notAllowed("POST");
    private static final Response ONLY_PUT = notAllowed("PUT");

    private final HostContext context;
    private final TimedEvents sse;
    private final TimedEvents events;
    private int streamsOpen;

    EchoHandler(HostContext context) {
        this.context = context;
        sse = new TimedEvents("sse", context.worker(), SSE_TICKS);
        events = new TimedEvents("events", context.worker(), EVENTS_TICKS);
    }

    @Override
    public Response beforeRequest(Request request) {
        if (request.pathIs("/stream")) {
            return isRead(request) ? threeParts() : ONLY_GET;
        }
        if (request.pathIs("/sse")) {
            return isRead(request) ? stream(sse.channel(), AT_ONCE) : ONLY_GET;
        }
        if (request.pathIs("/events")) {
            return isRead(request) ? stream(events.channel(), List.of()) : ONLY_GET;
        }
        return request.pathIs("/ws") ? WEB_SOCKET : null;
    }

    @Override
    public Response handle(Request request) throws InterruptedException {
        String path = request.path();
        return switch (path) {
            case "/" -> isRead(request) ? INDEX : ONLY_GET;
            case "/hello" -> isRead(request) ? HELLO : ONLY_GET;
            case "/echo" -> request.method() == Method.POST ? echo(request) : ONLY_POST;
            case "/noread" -> request.method() == Method.PUT ? NOT_READ : ONLY_PUT;
            case "/s204" -> isRead(request) ? NO_CONTENT : ONLY_GET;
            case "/s304" -> isRead(request) ? NOT_MODIFIED : ONLY_GET;
            case "/slow" -> isRead(request) ? slow(request) : ONLY_GET;
            case "/hdrs" -> isRead(request) ? fields(request) : ONLY_GET;
            case "/inject" -> isRead(request) ? inject(request) : ONLY_GET;
            default -> path.startsWith(REST) ? rest(request, path) : NOT_FOUND;
        };
    }

    @Override
    public long tickMs() {
        return TICK_MS;
    }

    @Override
    public void tick(long nowMs) {
        sse.tick(context.publisher(), streamsOpen > 0);
        events.tick(context.publisher(), streamsOpen > 0);
    }

    @Override
    public void streamOpened(StreamId stream, Request request) {
        streamsOpen++;
    }

    @Override
    public void streamClosed(StreamId stream) {
        streamsOpen--;
    }

    /** Sends it back; while there is no room for it, nothing more is read. */
    @Override
    public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        return context.streams().send(stream, opcode, payload);
    }

    private static Response threeParts() {
        return Response.status(200)
                .contentType("text/plain; charset=utf-8")
                .chunks(new ThreeParts())
                .build();
    }

    private static Response stream(String channel, List<byte[]> initialFrames) {
        return Response.status(200)
                .events(channel, StreamPolicy.LOG, false, initialFrames)
                .build();
    }

    private static boolean isRead(Request request) {
        return request.method() == Method.GET || request.method() == Method.HEAD;
    }

    private static Response notAllowed(String methods) {
        return Response.status(405)
                .header("Allow", methods)
                .contentType("text/plain; charset=utf-8")
                .body("this route takes " + methods + "\n")
                .build();
    }

    private static Response echo(Request request) {
        return Response.status(200)
                .contentType("application/octet-stream")
                .body(request.body())
                .build();
    }

    private static Response slow(Request request) throws InterruptedException {
        int ms = milliseconds(request.queryParameter("ms"));
        if (ms < 0) {
            return Response.text(400, "ms is 0 to " + SLOW_MS_MAX + "\n");
        }
        Thread.sleep(ms);
        return Response.text(200, "slow " + ms + "\n");
    }

    /** The number, the default where there is none, or −1 where it cannot be used. */
    private static int milliseconds(String text) {
        if (text == null) {
            return SLOW_MS_DEFAULT;
        }
        try {
            int ms = Integer.parseInt(text);
            return ms <= SLOW_MS_MAX ? ms : -1;
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    /** The field lines as this handler sees them, one a line. */
    private static Response fields(Request request) {
        var lines = new StringBuilder();
        for (int index = 0; index < request.fieldCount(); index++) {
            lines.append(request.fieldName(index)).append(": ")
                    .append(request.fieldValue(index)).append('\n');
        }
        return Response.text(200, lines.toString());
    }

    /** Tries to send a decoded value as a field's; what must not leave is refused. */
    private static Response inject(Request request) {
        String value = request.queryParameter("v");
        if (value == null) {
            return Response.text(400, "v is missing\n");
        }
        try {
            return Response.status(200)
                    .header("X-Echo", value)
                    .contentType("text/plain; charset=utf-8")
                    .body("sent as X-Echo\n")
                    .build();
        } catch (IllegalArgumentException refused) {
            return Response.text(400, "refused: " + refused.getMessage() + "\n");
        }
    }

    private static Response rest(Request request, String path) {
        return isRead(request) ? Response.text(200, path.substring(REST.length())) : ONLY_GET;
    }
}
