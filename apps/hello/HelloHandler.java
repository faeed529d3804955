package hello;

import java.nio.charset.StandardCharsets;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.http.Method;
import m0.http.Request;
import m0.http.Response;

/** One loop's (or pool thread's) answers. Threads: that one. */
final class HelloHandler implements AppHandler {
    private static final Response HEALTH = Response.text(200, "ok");
    private static final Response NOT_FOUND = Response.text(404, "Not found. Try / or /health.\n");
    private static final Response METHOD_NOT_ALLOWED = Response.status(405)
            .header("Allow", "GET, HEAD")
            .contentType("text/plain; charset=utf-8")
            .body("This page can be read, and nothing else.\n")
            .build();

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>m0 host</title>
            <link rel="icon" href="data:,">
            <style>
            :root { color-scheme: light dark; --line: #8884; --accent: #0a7d5a; }
            body { font: 1.05rem/1.6 system-ui, sans-serif; margin: 12vh auto; max-width: 34rem;
              padding: 0 1.5rem; }
            h1 { font-size: 2rem; margin: 0; }
            h1::after { content: ""; display: block; width: 3rem; height: .25rem;
              margin: .6rem 0 1rem; background: var(--accent); border-radius: 2px; }
            dl { display: grid; grid-template-columns: max-content 1fr; margin: 1.5rem 0;
              border-top: 1px solid var(--line); }
            dt, dd { padding: .45rem 0; margin: 0; border-bottom: 1px solid var(--line); }
            dt { opacity: .7; padding-right: 2rem; }
            dd { text-align: right; font-variant-numeric: tabular-nums; }
            code { font: .95em ui-monospace, monospace; }
            a { color: var(--accent); }
            </style>
            </head>
            <body>
            <h1>It serves.</h1>
            <p>This page was answered by <strong>m0 host for Java</strong>: a selector loop and a
            parser of its own, no framework. The application behind it is <code>hello</code>.</p>
            <dl>
            """;
    private static final String PAGE_END = """
            </dl>
            <p><a href="/health"><code>/health</code></a> answers <code>ok</code>. Another
            application is served with <code>M0_APP=NAME</code> or <code>--app NAME</code>;
            <code>--help</code> lists the rest.</p>
            </body>
            </html>
            """;

    private final HostContext context;
    private final long madeNs;
    private long answered;

    HelloHandler(HostContext context, long madeNs) {
        this.context = context;
        this.madeNs = madeNs;
    }

    @Override
    public Response handle(Request request) {
        answered++;
        if (request.pathIs("/health")) {
            return isRead(request) ? HEALTH : METHOD_NOT_ALLOWED;
        }
        if (request.pathIs("/")) {
            return isRead(request) ? page(System.nanoTime()) : METHOD_NOT_ALLOWED;
        }
        return NOT_FOUND;
    }

    private static boolean isRead(Request request) {
        return request.method() == Method.GET || request.method() == Method.HEAD;
    }

    private Response page(long nowNs) {
        var html = new StringBuilder(PAGE.length() + PAGE_END.length() + 512).append(PAGE);
        String loops = context.threaded() || context.workers() == 1 ? "Loops" : "Worker processes";
        row(html, loops, context.workers() + ", this is number " + context.worker());
        row(html, "Connections a loop can hold", String.valueOf(context.capacity()));
        row(html, "Answered by", context.onLoop() ? "the loop" : "pool thread " + context.thread());
        row(html, "Requests it has answered", String.valueOf(answered));
        row(html, "Up for", uptime((nowNs - madeNs) / 1_000_000_000L));
        row(html, "Process", String.valueOf(ProcessHandle.current().pid()));
        row(html, "Java", System.getProperty("java.vm.name") + " "
                + System.getProperty("java.version"));
        html.append(PAGE_END);
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
