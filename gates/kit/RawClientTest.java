package kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reader of the gates against answers that are right and wrong on purpose. */
class RawClientTest {

    @Test
    void readsTwoAnswersAndTheOrderlyEnd() {
        String now = date();
        Reply[] replies = new Reply[2];
        serve("HTTP/1.1 200 OK\r\n" + now + "Content-Length: 2\r\n\r\nhi"
                + "HTTP/1.1 404 Not Found\r\n" + now + "Transfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n", client -> {
                    replies[0] = client.read();
                    replies[1] = client.read();
                    client.expectEnd();
                });
        replies[0].expect(200).expectBody("hi").expectOpen();
        replies[1].expect(404).expectBody("abc").expectClose();
    }

    @Test
    void readsNoBodyAfterHeadAnd204And304() {
        String now = date();
        serve("HTTP/1.1 200 OK\r\n" + now + "Content-Length: 5\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\n" + now + "\r\n"
                + "HTTP/1.1 304 Not Modified\r\n" + now + "Content-Length: 5\r\n\r\n", client -> {
                    assertEquals("5", client.read("HEAD").header("content-length"));
                    client.read().expect(204);
                    client.read().expect(304);
                    client.expectEnd();
                });
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "no date                 | HTTP/1.1 200 OK~Content-Length: 0~~ | 0 Date fields",
            "two dates               | HTTP/1.1 200 OK~D~D~Content-Length: 0~~ | 2 Date fields",
            "an old date             | HTTP/1.1 200 OK~Date: Thu, 01 Jan 1970 00:00:00 GMT~~"
                    + " | s away",
            "two servers             | HTTP/1.1 200 OK~D~Server: a~Server: a~Content-Length: 0~~"
                    + " | more than one Server",
            "two lengths             | HTTP/1.1 200 OK~D~Content-Length: 0~Content-Length: 0~~"
                    + " | more than one Content-Length",
            "a length and a coding   | HTTP/1.1 200 OK~D~Content-Length: 0~"
                    + "Transfer-Encoding: chunked~~0~~ | Content-Length and Transfer-Encoding",
            "a length with 204       | HTTP/1.1 204 No Content~D~Content-Length: 0~~"
                    + " | a length or a coding",
            "no end without close    | HTTP/1.1 200 OK~D~~body | a body without end",
            "a body that is short    | HTTP/1.1 200 OK~D~Content-Length: 5~~body"
                    + " | closed after 4 of 5",
            "a chunk without its end | HTTP/1.1 200 OK~D~Transfer-Encoding: chunked~~3~abcd~0~~"
                    + " | <d> behind a chunk",
            "a blank before a colon  | HTTP/1.1 200 OK~D~Content-Length : 0~~ | field line",
            "another version         | HTTP/1.0 200 OK~D~Content-Length: 0~~ | status line",
            "a bare line feed        | HTTP/1.1 200 OK^D~Content-Length: 0~~ | a bare LF",
    })
    void refuses(String what, String answer, String words) {
        String bytes = answer.trim().replace("~", "\r\n").replace("\r\nD\r\n", "\r\n" + date())
                .replace("\r\nD\r\n", "\r\n" + date()).replace("^D", "\n" + date().trim());
        serve(bytes, client -> {
            AssertionError failure = assertThrows(AssertionError.class, client::read);
            assertTrue(failure.getMessage().contains(words), failure.getMessage());
        });
    }

    @Test
    void seesAnEndThatComesTooEarly() {
        serve("", client -> {
            long sinceNs = System.nanoTime();
            AssertionError failure = assertThrows(AssertionError.class,
                    () -> client.closedWithin(sinceNs, 20_000, 60_000));
            assertTrue(failure.getMessage().contains("before the 20000 ms"));
        });
    }

    @Test
    void seesSilenceAndItsEnd() {
        String now = date();
        serve("HTTP/1.1 200 OK\r\n" + now, client -> {
            client.awaitBytes();
            assertThrows(AssertionError.class, () -> client.expectSilence(50));
            assertThrows(AssertionError.class,
                    () -> client.read("GET", Duration.ofMillis(300)));
        });
    }

    @Test
    void awaitsWhatArrivesAndWhatIsTaken() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
                RawClient client = RawClient.connect("127.0.0.1", listener.getLocalPort(), 0)) {
            client.send("ab").awaitArrived();
            assertTrue(client.isLetGo(), "it waits in the backlog, where nobody holds it");
            try (Socket server = listener.accept()) {
                assertFalse(client.isLetGo());
                Thread waiting = new Thread(client::awaitTaken);
                waiting.start();
                assertEquals('a', server.getInputStream().read());
                waiting.join(200);
                assertTrue(waiting.isAlive(), "half of it was not read");
                assertEquals('b', server.getInputStream().read());
                client.awaitTaken();
                client.shutdownOutput().awaitArrived();
                assertEquals(-1, server.getInputStream().read());
                client.awaitTaken();
            }
            assertTrue(client.isLetGo());
            client.awaitTaken();
        }
    }

    private static String date() {
        return "Date: " + DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'",
                Locale.ROOT).format(ZonedDateTime.now(ZoneOffset.UTC)) + "\r\n";
    }

    private static void serve(String answer, Consumer<RawClient> exchange) {
        CannedServer.serve(answer, exchange);
    }
}
