package load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A figure must never rest on answers that were wrong. */
class ClosedLoopTest {
    private static final byte[] REQUEST = bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    private static final byte[] ANSWER = bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

    @Test
    void countsExactlyTheRequestsAskedFor() throws Exception {
        Peer peer = new Peer(REQUEST.length, ANSWER);
        try (peer;
                ClosedLoop loop = new ClosedLoop(peer.address(), 1, 4, REQUEST, ANSWER.length)) {
            Slice slice = loop.runRequests(400);
            assertEquals(400, slice.requests());
            assertEquals(100, slice.latencyNs().getTotalCount());
        }
        assertTrue(peer.answeredToTheEnd(), "bytes were left unread");
    }

    @Test
    void stopsAfterItsTime() throws Exception {
        try (Peer peer = new Peer(REQUEST.length, ANSWER);
                ClosedLoop loop = new ClosedLoop(peer.address(), 1, 1, REQUEST, ANSWER.length)) {
            Slice slice = loop.runFor(20_000_000);
            // A pause as long as all of its time, before the first request, leaves no time for one.
            for (int round = 0; round < 20 && slice.requests() == 0; round++) {
                slice = loop.runFor(20_000_000);
            }
            assertTrue(slice.requests() > 0, "requests=" + slice.requests());
            assertTrue(slice.elapsedNs() >= 20_000_000, "elapsedNs=" + slice.elapsedNs());
        }
    }

    @Test
    void refusesAnAnswerLongerThanExpected() throws Exception {
        assertFails(bytes("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok!"), "bytes more");
    }

    @Test
    void refusesAnAnswerOfAnotherStatus() throws Exception {
        assertFails(bytes("HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nok"), "does not begin");
    }

    @Test
    void refusesTheEndOfTheConnection() throws Exception {
        assertFails(new byte[0], "closed by the server");
    }

    @Test
    void fetchesOneAnswerWhole() throws Exception {
        try (Peer peer = new Peer(REQUEST.length, ANSWER)) {
            assertEquals(text(ANSWER), text(OneAnswer.fetch(peer.address(), REQUEST)));
        }
    }

    private static void assertFails(byte[] answer, String words) throws Exception {
        try (Peer peer = new Peer(REQUEST.length, answer);
                ClosedLoop loop = new ClosedLoop(peer.address(), 1, 1, REQUEST, ANSWER.length)) {
            IOException failure = assertThrows(IOException.class, () -> loop.runRequests(2));
            assertTrue(failure.getMessage().contains(words), failure.getMessage());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
