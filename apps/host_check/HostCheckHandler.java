package host_check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;
import m0.stream.StreamId;

/**
 * The routes. {@code /health}, {@code /begun}, {@code /deferred-told} and the streams'
 * ({@link StreamRoutes}) are answered in {@link #beforeRequest}, so they stay on the loop where
 * there is a pool; all others are answered by {@link #handle}.
 *
 * <pre>
 * /health             ok
 * /begun              how many of /slow were begun, on every instance together
 * /deferred-told      what became of all deferred answers, on every instance together
 * /pid                the process
 * /instance           process, loop and how often this handler has answered here
 * /slow?ms=N          holds its thread, spinning (200)
 * /bytes?n=N          N pattern bytes from one shared array (0)
 * /file?bytes=N&amp;from=K  N pattern bytes of a file, from its byte K (0, 0)
 * /file-short         announces 1,000 bytes of a file that has 10
 * /file-lost          a file that does not exist
 * /framed?status=S    sets a body, its length and a coding, whatever the status allows (200)
 * /deferred?ms=N&amp;times=T  an answer that comes later, see {@link Deferrals} (0, 1);
 *                     /deferred-on-loop is the same from beforeRequest
 * /throw, /throw-before, /throw-after, /null   fail in handle, the two hooks, or by no answer
 * /error              an Error, where the knob allows it
 * </pre>
 *
 * <p>Threads: the one it was made on. Limits: bodies and files 64 MiB, spins 60 s; 400 beyond.
 */
final class HostCheckHandler implements AppHandler {
    static final int BODY_BYTES_MAX = 64 * 1024 * 1024;
    static final int SLOW_MS_MAX = 60_000;
    private static final int SLOW_MS_DEFAULT = 200;
    private static final int FILE_SHORT_BYTES = 10;
    private static final int FILE_ANNOUNCED_BYTES = 1000;

    private static final Response HEALTH = Response.text(200, "ok");
    private static final Response THROWN_AFTER = Response.text(200, "this is never sent\n");
    private static final Response NOT_FOUND = Response.text(404, "no such route\n");
    private static final Response METHOD_NOT_ALLOWED =
            Response.status(405).header("Allow", "GET, HEAD").build();

    private final HostContext context;
    private final Knobs knobs;
    private final boolean errorAllowed;
    private final HookCounts counts;
    private final SocketCommands commands;
    private final StreamRoutes streams;
    private final Deferrals deferrals;
    private final long pid = ProcessHandle.current().pid();
    private final PatternFile file = new PatternFile();
    private final PatternFile fileShort = new PatternFile();
    private byte[] bytes = new byte[0];
    private long instanceCount;

    HostCheckHandler(HostContext context, Knobs knobs, boolean errorAllowed) {
        this.context = context;
        this.knobs = knobs;
        this.errorAllowed = errorAllowed;
        counts = new HookCounts(context, knobs);
        commands = new SocketCommands(context);
        streams = new StreamRoutes(context, counts, commands);
        deferrals = new Deferrals(context.page());
    }

    @Override
    public Response beforeRequest(Request request) {
        counts.called(Hook.BEFORE_REQUEST);
        if (request.pathIs("/health")) {
            return isRead(request) ? HEALTH : METHOD_NOT_ALLOWED;
        }
        if (request.pathIs("/throw-before")) {
            throw new IllegalStateException("beforeRequest was asked to throw");
        }
        if (request.pathIs("/deferred-on-loop")) {
            return isRead(request) ? deferrals.answer(request) : METHOD_NOT_ALLOWED;
        }
        if (request.pathIs("/begun")) {
            return isRead(request) ? begun() : METHOD_NOT_ALLOWED;
        }
        if (request.pathIs("/deferred-told")) {
            return isRead(request) ? deferrals.told() : METHOD_NOT_ALLOWED;
        }
        Response stream = streams.onLoop(request);
        return stream == null || isRead(request) ? stream : METHOD_NOT_ALLOWED;
    }

    @Override
    public Response handle(Request request) throws IOException {
        counts.called(Hook.HANDLE);
        return switch (request.path()) {
            case "/pid" -> isRead(request) ? Response.text(200, pid + "\n") : METHOD_NOT_ALLOWED;
            case "/instance" -> isRead(request) ? instance() : METHOD_NOT_ALLOWED;
            case "/slow" -> isRead(request) ? slow(request) : METHOD_NOT_ALLOWED;
            case "/bytes" -> isRead(request) ? bytes(request) : METHOD_NOT_ALLOWED;
            case "/file" -> isRead(request) ? file(request) : METHOD_NOT_ALLOWED;
            case "/file-short" -> isRead(request) ? fileShort() : METHOD_NOT_ALLOWED;
            case "/file-lost" -> isRead(request) ? fileLost() : METHOD_NOT_ALLOWED;
            case "/deferred" -> isRead(request) ? deferrals.answer(request) : METHOD_NOT_ALLOWED;
            case "/framed" -> isRead(request) ? framed(request) : METHOD_NOT_ALLOWED;
            case "/throw" -> throw new IllegalStateException("handle was asked to throw");
            case "/throw-after" -> THROWN_AFTER;
            case "/null" -> null;
            case "/error" -> error();
            default -> other(request);
        };
    }

    private Response other(Request request) {
        Response stream = streams.anywhere(request);
        if (stream == null) {
            return NOT_FOUND;
        }
        return isRead(request) ? stream : METHOD_NOT_ALLOWED;
    }

    @Override
    public Response afterResponse(Request request, Response response) {
        counts.called(Hook.AFTER_RESPONSE);
        if (response == THROWN_AFTER) {
            throw new IllegalStateException("afterResponse was asked to throw");
        }
        return response;
    }

    @Override
    public long tickMs() {
        return knobs.tickMs();
    }

    @Override
    public void tick(long nowMs) {
        counts.called(Hook.TICK);
        commands.tick(nowMs);
    }

    @Override
    public void streamOpened(StreamId stream, Request request) {
        counts.called(Hook.STREAM_OPENED, stream);
    }

    @Override
    public void streamClosed(StreamId stream) {
        commands.closed(stream);
        counts.called(Hook.STREAM_CLOSED, stream);
    }

    @Override
    public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        counts.called(Hook.WEB_SOCKET_MESSAGE, stream);
        return commands.message(stream, opcode, payload);
    }

    @Override
    public void webSocketClosed(StreamId stream, int code) {
        counts.closedByPeer(stream, code);
    }

    @Override
    public void peerFrame(String channel, long id, ByteBuffer frame) {
        counts.called(Hook.PEER_FRAME);
    }

    @Override
    public void close() {
        try {
            file.close();
            fileShort.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        deferrals.close();
        counts.called(Hook.CLOSE);
    }

    private static boolean isRead(Request request) {
        return request.method() == Method.GET || request.method() == Method.HEAD;
    }

    private Response instance() {
        instanceCount++;
        return Response.status(200)
                .contentType("application/json")
                .header("X-Worker", String.valueOf(context.worker()))
                .body("{\"pid\":" + pid + ",\"loop\":" + context.worker()
                        + ",\"count\":" + instanceCount + "}\n")
                .build();
    }

    private Response begun() {
        return Response.text(200, "begun=" + context.page().get(HostCheck.BEGUN_WORD) + "\n");
    }

    private Response slow(Request request) {
        int ms = Parameters.number(request, "ms", SLOW_MS_DEFAULT, SLOW_MS_MAX);
        if (ms < 0) {
            return Response.text(400, "ms is 0 to " + SLOW_MS_MAX + "\n");
        }
        context.page().add(HostCheck.BEGUN_WORD, 1);
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < ms * 1_000_000L) {
            Thread.onSpinWait();
        }
        return Response.text(200, "slow " + ms + "\n");
    }

    private Response bytes(Request request) {
        int count = Parameters.number(request, "n", 0, BODY_BYTES_MAX);
        if (count < 0) {
            return Response.text(400, "n is 0 to " + BODY_BYTES_MAX + "\n");
        }
        if (bytes.length < count) {
            byte[] longer = new byte[count];
            Pattern.fill(longer, 0);
            bytes = longer;
        }
        return octets().body(bytes, 0, count).build();
    }

    private Response file(Request request) throws IOException {
        int count = Parameters.number(request, "bytes", 0, BODY_BYTES_MAX);
        int from = Parameters.number(request, "from", 0, BODY_BYTES_MAX);
        if (count < 0 || from < 0) {
            return Response.text(400, "bytes and from are 0 to " + BODY_BYTES_MAX + "\n");
        }
        return octets().file(file.atLeast((long) from + count), from, count).build();
    }

    private Response fileShort() throws IOException {
        return octets().file(fileShort.atLeast(FILE_SHORT_BYTES), 0, FILE_ANNOUNCED_BYTES).build();
    }

    private static Response fileLost() {
        Path nowhere = Path.of("host-check-no-such-directory", "no-such-file");
        return octets().file(nowhere, 0, FILE_ANNOUNCED_BYTES).build();
    }

    /** An answer whose handler sets everything a status may forbid (A21). */
    private static Response framed(Request request) {
        int status = Parameters.number(request, "status", 200, 599);
        if (status < 200) {
            return Response.text(400, "status is 200 to 599\n");
        }
        return Response.status(status)
                .contentType("text/plain; charset=utf-8")
                .header("Content-Length", "6")
                .header("Transfer-Encoding", "chunked")
                .body("framed")
                .build();
    }

    private Response error() {
        if (errorAllowed) {
            throw new AssertionError("host_check was asked for an Error");
        }
        return NOT_FOUND;
    }

    private static Response.Builder octets() {
        return Response.status(200).contentType("application/octet-stream");
    }
}
