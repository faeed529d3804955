package host_check;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.app.HostContext;
import m0.app.Published;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.stream.StreamId;

/**
 * The routes of streams, of the bus and of the hooks' counts. Those of the first list are answered
 * on the loop, in whose handler the streams live; those of the second wherever requests are handled.
 *
 * <pre>
 * /events?channel=NAME&amp;policy=log|latest&amp;replay=0|1   an event stream (beats, log, 1)
 * /ws?protocol=NAME&amp;max=BYTES   a WebSocket, see {@link SocketCommands} (none, the setting's)
 * /hooks          what this loop's handler was called for
 * /resume         ends every hold: on this loop now, on the others in their next tick
 * /close?code=N   closes every stream of this loop (1000)
 * /chunks?bytes=N&amp;piece=P&amp;gap=MS&amp;throw=K   N pattern bytes of no known length, in pieces of P
 *                 that are MS apart, until byte K, where the source throws (0, 8192, 0, never)
 *
 * /events-from-func, /ws-from-func, /chunks-from-func   as /events, /ws and /chunks
 * /hooks-from-func    what the handler that answers was called for
 * /publish?channel=NAME&amp;event=NAME&amp;data=TEXT|size=BYTES&amp;count=N
 *                 publishes N times (beats, published, {}, 1); the last frame's id, how many loops
 *                 took and refused all together, and the last reason
 * </pre>
 *
 * Where it is mounted, {@code /events} lies below its prefix; the others do not.
 *
 * <p>Threads: its handler's. Limits: data 1 MiB, 100,000 frames, chunks of 256 MiB in pieces of
 * 1 MiB; 400 beyond.
 */
final class StreamRoutes {
    static final int DATA_BYTES_MAX = 1024 * 1024;
    static final int FRAMES_MAX = 100_000;
    static final int CHUNKS_BYTES_MAX = 256 * 1024 * 1024;
    private static final int PIECE_BYTES = 8192;
    private static final int GAP_MS_MAX = 60_000;
    private static final int CLOSE_CODE = 1000;

    private final HostContext context;
    private final String events;
    private final HookCounts counts;
    private final SocketCommands commands;
    private final PatternSource.Counts sources = new PatternSource.Counts();

    StreamRoutes(HostContext context, HookCounts counts, SocketCommands commands) {
        this.context = context;
        events = context.prefix() + "/events";
        this.counts = counts;
        this.commands = commands;
    }

    /** The answer to a route of the first list, or null. */
    Response onLoop(Request request) {
        if (request.pathIs(events)) {
            return events(request);
        }
        if (request.pathIs("/ws")) {
            return webSocket(request);
        }
        if (request.pathIs("/hooks")) {
            return hooks();
        }
        if (request.pathIs("/resume")) {
            return Response.text(200, "resumed " + commands.resumeAll() + "\n");
        }
        if (request.pathIs("/chunks")) {
            return chunks(request, sources);
        }
        return request.pathIs("/close") ? closeAll(request) : null;
    }

    /** The answer to a route of the second list, or null. */
    Response anywhere(Request request) {
        return switch (request.path()) {
            case "/events-from-func" -> events(request);
            case "/ws-from-func" -> webSocket(request);
            // The loop pulls it, so it is not counted with what this handler's thread reads.
            case "/chunks-from-func" -> chunks(request, new PatternSource.Counts());
            case "/hooks-from-func" -> hooks();
            case "/publish" -> publish(request);
            default -> null;
        };
    }

    private static Response events(Request request) {
        String policy = Parameters.text(request, "policy", "log");
        int replay = Parameters.number(request, "replay", 1, 1);
        if (!policy.equals("log") && !policy.equals("latest") || replay < 0) {
            return Response.text(400, "policy is log or latest, replay 0 or 1\n");
        }
        return Response.status(200)
                .events(Parameters.text(request, "channel", Beats.CHANNEL),
                        policy.equals("log") ? StreamPolicy.LOG : StreamPolicy.LATEST,
                        replay == 1, List.of())
                .build();
    }

    private static Response webSocket(Request request) {
        int max = Parameters.number(request, "max", 0, Integer.MAX_VALUE);
        if (max < 0) {
            return Response.text(400, "max is 0 to " + Integer.MAX_VALUE + "\n");
        }
        return Response.status(200)
                .webSocket(Parameters.text(request, "protocol", ""), max)
                .build();
    }

    private Response hooks() {
        return json("{\"hooks\":" + counts.json() + ",\"socket\":" + commands.json()
                + ",\"sources\":" + sources.json() + "}\n");
    }

    private static Response chunks(Request request, PatternSource.Counts sources) {
        int bytes = Parameters.number(request, "bytes", 0, CHUNKS_BYTES_MAX);
        int piece = Parameters.number(request, "piece", PIECE_BYTES, DATA_BYTES_MAX);
        int gapMs = Parameters.number(request, "gap", 0, GAP_MS_MAX);
        boolean fails = request.queryParameter("throw") != null;
        int throwsAt = Parameters.number(request, "throw", 0, CHUNKS_BYTES_MAX);
        if (bytes < 0 || piece < 1 || gapMs < 0 || throwsAt < 0) {
            return Response.text(400, "bytes and throw are 0 to " + CHUNKS_BYTES_MAX
                    + ", piece 1 to " + DATA_BYTES_MAX + ", gap 0 to " + GAP_MS_MAX + "\n");
        }
        var source = new PatternSource(sources, bytes, piece, gapMs, fails ? throwsAt : -1);
        return Response.status(200).contentType("application/octet-stream").chunks(source).build();
    }

    private Response closeAll(Request request) {
        int code = Parameters.number(request, "code", CLOSE_CODE, 65_535);
        if (code < 0) {
            return Response.text(400, "code is 0 to 65535\n");
        }
        int closed = 0;
        for (StreamId stream : counts.open()) {
            if (context.streams().close(stream, code)) {
                closed++;
            }
        }
        return Response.text(200, "closed " + closed + "\n");
    }

    private Response publish(Request request) {
        int count = Parameters.number(request, "count", 1, FRAMES_MAX);
        int size = Parameters.number(request, "size", 0, DATA_BYTES_MAX);
        if (count < 0 || size < 0) {
            return Response.text(400, "count is 0 to " + FRAMES_MAX + ", size 0 to "
                    + DATA_BYTES_MAX + "\n");
        }
        String channel = Parameters.text(request, "channel", Beats.CHANNEL);
        String event = Parameters.text(request, "event", "published");
        byte[] data = size > 0 ? letters(size)
                : Parameters.text(request, "data", "{}").getBytes(StandardCharsets.UTF_8);
        long id = 0;
        long taken = 0;
        long refused = 0;
        String reason = "";
        for (int index = 0; index < count; index++) {
            Published published =
                    context.publisher().publish(channel, event, ByteBuffer.wrap(data));
            id = published.id();
            taken += published.taken();
            refused += published.refused();
            if (!published.reason().isEmpty()) {
                reason = published.reason();
            }
        }
        return json("{\"id\":" + id + ",\"taken\":" + taken + ",\"refused\":" + refused
                + ",\"reason\":\"" + reason.replaceAll("[^ -!#-\\[\\]-~]", "?") + "\"}\n");
    }

    /** One line of letters: a to z, over and over. */
    private static byte[] letters(int count) {
        byte[] letters = new byte[count];
        for (int index = 0; index < count; index++) {
            letters[index] = (byte) ('a' + index % 26);
        }
        return letters;
    }

    private static Response json(String text) {
        return Response.status(200).contentType("application/json").body(text).build();
    }
}
