package kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gates' reader of event streams against streams that are right and wrong on purpose. */
class SseClientTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    @Test
    void readsEventsThatLieAcrossChunks() {
        chunked(chunk("id: 1\nevent: be") + chunk("at\ndata: a\nda")
                + chunk("ta: b\n\nid: 2\ndata: \n") + chunk("\n") + chunk(""), stream -> {
                    SseClient.Block first = stream.event();
                    assertEquals(1, first.id());
                    assertEquals("beat", first.event());
                    assertEquals("a\nb", first.data());
                    assertEquals("id: 1\nevent: beat\ndata: a\ndata: b\n\n", first.raw());
                    SseClient.Block second = stream.event();
                    assertEquals(2, second.id());
                    assertEquals("", second.data());
                    assertEquals(List.of(), stream.rest(WAIT));
                    assertTrue(stream.isEnded());
                });
    }

    @Test
    void readsAStreamThatEndsWithItsConnection() {
        serve("Connection: close\r\n\r\nretry: 500\n: closing\n\n", stream -> {
            List<SseClient.Block> rest = stream.rest(WAIT);
            assertEquals(1, rest.size());
            assertEquals(500, rest.get(0).retryMs());
            assertEquals(List.of("closing"), rest.get(0).comments());
            assertFalse(rest.get(0).isEvent());
        });
    }

    @Test
    void keepsCommentsBesideEvents() {
        chunked(chunk(": heartbeat\n\n") + chunk("data: x\n\n: heartbeat\n\n") + chunk(""),
                stream -> {
                    assertEquals("x", stream.event().data());
                    assertNull(stream.tryEvent(WAIT));
                    assertEquals(2, stream.comments().size());
                    assertTrue(stream.comments().get(0).isComment("heartbeat"));
                });
    }

    @Test
    void leavesWhatIsBehindTheStream() {
        chunked(chunk("data: x\n\n") + chunk("") + "next", stream -> {
            stream.rest(WAIT);
            assertEquals("next", stream.connection().readUntilClosed(WAIT).text());
        });
    }

    @Test
    void waitsNoLongerThanItsBound() {
        chunked(chunk("data: x\n\n") + "5\r\nhal", stream -> {
            assertEquals("x", stream.event().data());
            assertThrows(AssertionError.class, () -> stream.event(Duration.ofMillis(50)));
        });
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "a line that ends in cr    | data: x^~~           | line <",
        "an id that is no number   | id: x~data: x~~      | number <",
        "an unknown field          | datum: x~~           | line <",
        "a field without its blank | data:x~~             | line <",
        "an end within a block     | data: x~             | within a block",
    })
    void refuses(String what, String block, String words) {
        String text = block.trim().replace("~", "\n").replace("^", "\r");
        chunked(chunk(text) + chunk(""), stream -> fails(stream, words));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "an end without a last chunk  | 9~data: x^^~           | without a last chunk",
        "a chunk without its end      | 9~data: x^^xx          | behind a chunk",
        "a chunk size that is none    | x~                     | chunk size",
    })
    void refusesChunks(String what, String chunks, String words) {
        chunked(chunks.trim().replace("~", "\r\n").replace("^", "\n"),
                stream -> fails(stream, words));
    }

    @Test
    void refusesWhatIsNoStream() {
        CannedServer.serve("HTTP/1.1 200 OK\r\n" + date() + "Content-Length: 0\r\n\r\n",
                client -> assertThrows(AssertionError.class, () -> SseClient.over(client)));
    }

    private static void fails(SseClient stream, String words) {
        AssertionError failure = assertThrows(AssertionError.class, () -> stream.rest(WAIT));
        assertTrue(failure.getMessage().contains(words), failure.getMessage());
    }

    private static void chunked(String body, Consumer<SseClient> exchange) {
        serve("Transfer-Encoding: chunked\r\n\r\n" + body, exchange);
    }

    private static void serve(String rest, Consumer<SseClient> exchange) {
        CannedServer.serve("HTTP/1.1 200 OK\r\n" + date() + "Content-Type: text/event-stream\r\n"
                + "X-Worker: 1\r\n" + rest, client -> {
                    SseClient stream = SseClient.over(client);
                    assertEquals(1, stream.worker());
                    exchange.accept(stream);
                });
    }

    private static String chunk(String data) {
        return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
    }

    private static String date() {
        return "Date: " + DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'",
                Locale.ROOT).format(ZonedDateTime.now(ZoneOffset.UTC)) + "\r\n";
    }
}
