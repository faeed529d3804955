package m0.http.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.http.HttpDate;
import m0.http.Response;
import org.junit.jupiter.api.Test;

class ResponseHeadTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\n"
            + "Content-Type: text/plain; charset=utf-8\r\n"
            + "Server: m0\r\n"
            + "Content-Length: 2\r\n"
            + "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n";

    private final Response response = Response.text(200, "ok");
    private final byte[] dateLine = new HttpDate().line(0);

    @Test
    void saysNothingWhereTheConnectionStays() {
        assertEquals(HEAD + "\r\n", write(false, false));
    }

    @Test
    void saysCloseWhereItDoesNot() {
        assertEquals(HEAD + "Connection: close\r\n\r\n", write(true, false));
    }

    @Test
    void tellsAnOldClientThatItStays() {
        assertEquals(HEAD + "Connection: keep-alive\r\n\r\n", write(false, true));
    }

    @Test
    void closeIsStronger() {
        assertEquals(HEAD + "Connection: close\r\n\r\n", write(true, true));
    }

    @Test
    void takesAtMostTheSizeItNames() {
        int max = ResponseHead.sizeMax(response, ResponseHead.NO_LINES);
        assertEquals(write(false, true).length(), max);
        assertTrue(write(true, false).length() <= max);
        assertTrue(write(false, false).length() <= max);
    }

    @Test
    void anInterimAnswerIsOneLineAndAnEmptyOne() {
        ByteBuffer out = ByteBuffer.allocate(ResponseHead.continueSize());
        ResponseHead.writeContinue(out);
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", text(out));
    }

    private String write(boolean close, boolean keepAliveTold) {
        ByteBuffer out = ByteBuffer.allocate(ResponseHead.sizeMax(response, ResponseHead.NO_LINES));
        ResponseHead.write(out, response, dateLine, ResponseHead.NO_LINES, close, keepAliveTold);
        return text(out);
    }

    private static String text(ByteBuffer out) {
        return new String(out.array(), 0, out.position(), StandardCharsets.US_ASCII);
    }
}
