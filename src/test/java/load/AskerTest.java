package load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** One request at a time, and answers that must be right for their time to count. */
class AskerTest {
    private static final byte[] REQUEST = bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    private static final byte[] ANSWER = bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    private static final byte[] REFUSAL =
        bytes("HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nok");

    @Test
    void timesAnAnswerFromItsRequestToItsLastByte() throws Exception {
        try (Peer peer = new Peer(REQUEST.length, ANSWER, 30, Integer.MAX_VALUE);
                Asker asker = new Asker(peer.address(), REQUEST, ANSWER.length)) {
            long firstNs = asker.askNs();
            asker.send();
            asker.takeAnswer();
            assertTrue(firstNs >= 30_000_000, "ns=" + firstNs);
        }
    }

    @Test
    void refusesAnAnswerLongerThanExpected() throws Exception {
        assertFails(bytes("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok!"), "bytes more");
    }

    @Test
    void refusesAnAnswerOfAnotherStatus() throws Exception {
        assertFails(REFUSAL, "does not begin");
    }

    @Test
    void refusesTheEndOfTheConnection() throws Exception {
        assertFails(new byte[0], "closed by the server");
    }

    @Test
    void blockersAskAgainUntilTheyAreClosed() throws Exception {
        try (Peer peer = new Peer(REQUEST.length, ANSWER, 0, 3)) {
            Blockers blockers = new Blockers(peer.address(), 1, REQUEST, ANSWER.length);
            peer.awaitAnswered();
            // It waits for its fourth answer, which does not come.
            blockers.close();
            assertEquals(3, blockers.answered());
        }
    }

    @Test
    void aBlockerThatFailsIsToldOf() throws Exception {
        try (Peer peer = new Peer(REQUEST.length, REFUSAL)) {
            Blockers blockers = new Blockers(peer.address(), 1, REQUEST, ANSWER.length);
            peer.awaitAnswered();
            IOException failure = assertThrows(IOException.class, blockers::close);
            assertTrue(failure.getCause().getMessage().contains("does not begin"),
                String.valueOf(failure.getCause()));
        }
    }

    private static void assertFails(byte[] answer, String words) throws Exception {
        try (Peer peer = new Peer(REQUEST.length, answer);
                Asker asker = new Asker(peer.address(), REQUEST, ANSWER.length)) {
            IOException failure = assertThrows(IOException.class, asker::askNs);
            assertTrue(failure.getMessage().contains(words), failure.getMessage());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
