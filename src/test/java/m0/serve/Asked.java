package m0.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.Outcome;
import m0.http.parse.RequestHead;

/** One exchange and what became of it: its answer, where that went, and what was told. */
final class Asked {
    static final InetSocketAddress REMOTE = new InetSocketAddress("127.0.0.1", 4711);
    static final InetSocketAddress LOCAL = new InetSocketAddress("127.0.0.1", 80);
    private static final int LIMIT = 1 << 20;

    final List<String> told = Collections.synchronizedList(new ArrayList<>());
    final List<Response> early = Collections.synchronizedList(new ArrayList<>());
    final HttpContext context = new ServedContext(new HostedServer(), "/", exchange -> { });
    final HostExchange exchange;
    private final byte[] bytes;

    private Asked(String head, String body) {
        bytes = (head + body).getBytes(StandardCharsets.ISO_8859_1);
        Request request = request(bytes, head.length());
        exchange = new HostExchange(context, request, URI.create(request.target()), early::add,
                (where, failure) -> told.add(where + ": " + failure.getMessage()));
    }

    /** A request line and field lines, each without its end. */
    static Asked of(String... lines) {
        return new Asked(String.join("\r\n", lines) + "\r\n\r\n", "");
    }

    static Asked post(String body) {
        return new Asked("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length()
                + "\r\n\r\n", body);
    }

    static Asked get() {
        return of("GET /a?b=c HTTP/1.1", "Host: a");
    }

    /** A request as a lane gets it. */
    static Request request(String line) {
        byte[] bytes = (line + "\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        return request(bytes, bytes.length);
    }

    private static Request request(byte[] bytes, int headLength) {
        RequestHead head = new RequestHead(new Limits(LIMIT, LIMIT, LIMIT));
        head.begin(0);
        assertEquals(Outcome.DONE, head.parse(bytes, headLength));
        head.attachBody(bytes, headLength, bytes.length - headLength);
        head.attachAddresses(REMOTE, LOCAL);
        return head;
    }

    /** Runs a handler as a lane does; what the lane is to answer, or null. */
    Response run(HttpHandler handler) {
        try {
            handler.handle(exchange);
        } catch (IOException | RuntimeException thrown) {
            return exchange.onThrown(thrown);
        }
        return exchange.onReturned();
    }

    /** The loop has the request's memory back. */
    void reuse() {
        Arrays.fill(bytes, (byte) '!');
    }

    /** The answer that was given while the handler ran. */
    Response given() {
        assertEquals(1, early.size(), "answers given early");
        return early.get(0);
    }

    /** A body as a client would have it. */
    static String body(Response response) throws Exception {
        if (response.body() instanceof Body.Bytes body) {
            return new String(body.array(), body.offset(), body.length(),
                    StandardCharsets.ISO_8859_1);
        }
        return response.body() instanceof Body.Chunks chunks ? drained(chunks.source()) : "";
    }

    /** All that a source brings, which has an end. */
    static String drained(ChunkSource source) throws Exception {
        source.wakesBy(() -> { });
        StringBuilder all = new StringBuilder();
        ByteBuffer into = ByteBuffer.allocate(1000);
        boolean more = true;
        while (more) {
            into.clear();
            more = source.next(into);
            all.append(new String(into.array(), 0, into.position(),
                    StandardCharsets.ISO_8859_1));
        }
        return all.toString();
    }

    /** The announced length of a body that comes piece by piece, or of one that HEAD does not have. */
    static long announced(Response response) {
        return response.body() instanceof Body.Untold ? -1 : ((Body.Chunks) response.body()).length();
    }
}
