package m0.http.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.bytes.GrowableBytes;
import m0.bytes.Span;
import m0.http.HttpDate;
import m0.http.Limits;
import m0.http.Response;
import m0.http.write.ResponseHead;
import org.junit.jupiter.api.Test;

/** What a loop does for each request allocates nothing, compiled or not. */
class AllocationTest {
    private static final int ROUNDS = 2_000;

    private final ThreadMXBean threads =
            (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final RequestHead head = new RequestHead(Limits.DEFAULT);
    private final Span span = new Span();
    private int seen;

    @Test
    void parsingAHeadAllocatesNothing() {
        byte[] plain = octets("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        byte[] rich = octets("OPTIONS http://[::1]:80/a%20b?c=d HTTP/1.1\r\nHost: a.example\r\n"
                + "Content-Length: 5\r\nConnection: x, keep-alive\r\nExpect: 100-continue\r\n"
                + "X: " + "y".repeat(300) + "\r\n\r\n");
        byte[] refused = octets("GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n");
        allocatesNothing(() -> {
            parse(plain);
            parse(rich);
            parse(refused);
            seen += head.framing().ordinal() + (head.keepAlive() ? 1 : 0);
        });
    }

    @Test
    void lookUpsAllocateNothing() {
        parse(octets("GET /a%20b/c?x HTTP/1.1\r\nHost: a\r\nAccept: text/html, */*\r\n"
                + "Connection: close\r\nX-Long-Name: value\r\n\r\n"));
        allocatesNothing(() -> {
            seen += head.pathIs("/a b/c") ? 1 : 0;
            seen += head.pathIs("/health") ? 1 : 0;
            seen += head.pathStartsWith("/a b") ? 1 : 0;
            seen += head.header("x-long-name", span) ? span.length() : 0;
            seen += head.header("absent", span) ? 1 : 0;
            seen += head.headerIs("connection", "close") ? 1 : 0;
            seen += head.headerHasToken("accept", "*/*") ? 1 : 0;
            seen += head.methodName().length();
            head.body(span);
            head.targetSpan(span);
            seen += span.length();
        });
    }

    @Test
    void decodingChunksAllocatesNothingOnceTheBufferHasGrown() {
        byte[] body = octets("5;x=y\r\nhello\r\n5\r\nworld\r\n0\r\nTrailer: x\r\n\r\n");
        var chunked = new ChunkedBody();
        var out = new GrowableBytes();
        allocatesNothing(() -> {
            chunked.begin(Limits.DEFAULT);
            out.clear();
            chunked.decode(body, 0, body.length, out);
            seen += out.length();
        });
    }

    @Test
    void writingAHeadAllocatesNothing() {
        Response response = Response.text(200, "ok");
        var date = new HttpDate();
        ByteBuffer out = ByteBuffer.allocate(ResponseHead.sizeMax(response, ResponseHead.NO_LINES));
        allocatesNothing(() -> {
            out.clear();
            // Another second each time: the date is written anew.
            ResponseHead.write(out, response, date.line(1000L * seen++),
                    ResponseHead.NO_LINES, true, false);
        });
    }

    private void parse(byte[] bytes) {
        head.begin(0);
        seen += head.parse(bytes, bytes.length).ordinal();
    }

    /** The first rounds load classes; the ones after it are counted. */
    private void allocatesNothing(Runnable work) {
        rounds(work);
        long self = Thread.currentThread().getId();
        // The JVM itself allocates now and then on a thread: a turn without is what is asked for.
        long least = Long.MAX_VALUE;
        for (int turn = 0; turn < 10 && least > 0; turn++) {
            long before = threads.getThreadAllocatedBytes(self);
            rounds(work);
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertEquals(0, least, "bytes in " + ROUNDS + " rounds");
    }

    private static void rounds(Runnable work) {
        for (int n = 0; n < ROUNDS; n++) {
            work.run();
        }
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
