package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import m0.bytes.Span;
import m0.http.Limits;
import m0.http.parse.Outcome;
import org.junit.jupiter.api.Test;

class InboundTest {
    @Test
    void holdsNoArrayOfALargeRequestOnceItIsCleared() {
        byte[] head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
                .getBytes(StandardCharsets.ISO_8859_1);
        Inbound inbound = new Inbound(Limits.DEFAULT);
        inbound.carry.append(head, 0, head.length);
        inbound.carry.append(new byte[1_000_000], 0, 1_000_000);
        inbound.head.begin(0);
        assertEquals(Outcome.DONE,
                inbound.head.parse(inbound.carry.array(), inbound.carry.length()));
        inbound.head.attachBody(inbound.carry.array(), inbound.head.position(), 1_000_000);

        inbound.clear();

        assertEquals(0, inbound.carry.capacity());
        Span span = new Span();
        inbound.head.body(span);
        assertEquals(0, span.array().length, "the body's array is still reachable");
        inbound.head.targetSpan(span);
        assertEquals(0, span.array().length, "the head's array is still reachable");
    }
}
