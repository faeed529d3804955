package hello;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
 * One loop's (or pool thread's) answers, and that loop's beats.
 *
 * <p>Every loop's beats reach the pages on all loops. Nobody knows which loops have a page open, so
 * they are counted in the shared page: where there is none, nothing is published, and a host that
 * nobody looks at does nothing but look at that word once a second.
 *
 * <p>Threads: the one it was made on.
 */
final class HelloHandler implements AppHandler {
    private static final Response HEALTH = Response.text(200, "ok");
    private static final Response NOT_FOUND = Response.text(404, "Not found. Try / or /health.\n");
    private static final Response METHOD_NOT_ALLOWED = Response.status(405)
            .header("Allow", "GET, HEAD")
            .contentType("text/plain; charset=utf-8")
            .body("This page can be read, and nothing else.\n")
            .build();

    private static final String BEATS = "beats";
    private static final long BEAT_MS = 1000;

    private final HostContext context;
    private final long madeNs;
    private final List<byte[]> here;
    private long answered;
    private long beats;

    HelloHandler(HostContext context, long madeNs) {
        this.context = context;
        this.madeNs = madeNs;
        here = List.of(SseFrames.event("here", "{\"loop\":" + context.worker() + ",\"loops\":"
                + context.workers() + "}"));
    }

    /** Streams begin on the loop, also where a pool answers the rest; nor does health wait for it. */
    @Override
    public Response beforeRequest(Request request) {
        if (request.pathIs("/health")) {
            answered++;
            return isRead(request) ? HEALTH : METHOD_NOT_ALLOWED;
        }
        if (request.pathIs("/beats")) {
            return isRead(request) ? stream() : METHOD_NOT_ALLOWED;
        }
        return null;
    }

    @Override
    public Response handle(Request request) {
        answered++;
        if (request.pathIs("/")) {
            return isRead(request) ? page(System.nanoTime()) : METHOD_NOT_ALLOWED;
        }
        return NOT_FOUND;
    }

    private Response stream() {
        return Response.status(200).events(BEATS, StreamPolicy.LOG, true, here).build();
    }

    @Override
    public long tickMs() {
        return BEAT_MS;
    }

    @Override
    public void tick(long nowMs) {
        if (context.page().get(Hello.WATCHERS_WORD) > 0) {
            beats++;
            byte[] data = ("{\"loop\":" + context.worker() + ",\"count\":" + beats + "}")
                    .getBytes(StandardCharsets.US_ASCII);
            context.publisher().publish(BEATS, "beat", ByteBuffer.wrap(data));
        }
    }

    @Override
    public void streamOpened(StreamId stream, Request request) {
        context.page().add(Hello.WATCHERS_WORD, 1);
    }

    @Override
    public void streamClosed(StreamId stream) {
        context.page().add(Hello.WATCHERS_WORD, -1);
    }

    private static boolean isRead(Request request) {
        return request.method() == Method.GET || request.method() == Method.HEAD;
    }

    private Response page(long nowNs) {
        var html = new StringBuilder(HelloPage.BEGIN.length() + HelloPage.END.length() + 512)
                .append(HelloPage.BEGIN);
        String loops = context.threaded() || context.workers() == 1 ? "Loops" : "Worker processes";
        row(html, loops, context.workers() + ", this is number " + context.worker());
        row(html, "Connections a loop can hold", String.valueOf(context.capacity()));
        row(html, "Answered by", context.onLoop() ? "the loop" : "pool thread " + context.thread());
        row(html, "Requests it has answered", String.valueOf(answered));
        row(html, "Up for", uptime((nowNs - madeNs) / 1_000_000_000L));
        row(html, "Process", String.valueOf(ProcessHandle.current().pid()));
        row(html, "Java", System.getProperty("java.vm.name") + " "
                + System.getProperty("java.version"));
        html.append(HelloPage.END);
        return Response.status(200)
                .contentType("text/html; charset=utf-8")
                .header("Cache-Control", "no-store")
                .body(html.toString().getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static void row(StringBuilder html, String name, String value) {
        html.append("<dt>").append(name).append("</dt><dd>");
        for (int index = 0; index < value.length(); index++) {
            char c = value.charAt(index);
            switch (c) {
                case '<' -> html.append("&lt;");
                case '&' -> html.append("&amp;");
                default -> html.append(c);
            }
        }
        html.append("</dd>\n");
    }

    /** The two largest units that are not zero, such as {@code 3 h 12 min}. */
    static String uptime(long seconds) {
        long days = seconds / 86_400;
        long hours = seconds / 3600 % 24;
        long minutes = seconds / 60 % 60;
        if (days > 0) {
            return days + " d " + hours + " h";
        }
        if (hours > 0) {
            return hours + " h " + minutes + " min";
        }
        return minutes > 0 ? minutes + " min " + seconds % 60 + " s" : seconds + " s";
    }
}
