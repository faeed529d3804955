package m0.http.parse;

import java.nio.charset.StandardCharsets;
import m0.http.Limits;
import m0.http.Request;

/** Requests for the tests of those who answer them, read from bytes as the host reads them. */
public final class Requests {
    private Requests() { }

    public static Request get(String target) {
        return of("GET", target, "");
    }

    /** A request with the field lines of {@code fields}, each ending in CRLF, and no body. */
    public static Request of(String method, String target, String fields) {
        return withBody(method, target, fields, new byte[0]);
    }

    public static Request withBody(String method, String target, String fields, byte[] body) {
        byte[] bytes = (method + " " + target + " HTTP/1.1\r\nHost: test\r\n" + fields + "\r\n")
                .getBytes(StandardCharsets.UTF_8);
        var head = new RequestHead(Limits.DEFAULT);
        Outcome outcome = head.parse(bytes, bytes.length);
        if (outcome != Outcome.DONE) {
            throw new IllegalArgumentException(outcome + " " + head.violation());
        }
        head.attachBody(body, 0, body.length);
        return head;
    }
}
