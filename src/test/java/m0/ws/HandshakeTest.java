package m0.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.http.Limits;
import m0.http.Request;
import m0.http.parse.RequestHead;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
    private static final String UPGRADE = "Upgrade: websocket\r\n";
    private static final String CONNECTION = "Connection: Upgrade\r\n";
    private static final String VERSION = "Sec-WebSocket-Version: 13\r\n";
    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    private static final String WHOLE = UPGRADE + CONNECTION + VERSION + KEY;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "a plain one              | Upgrade: websocket~Connection: Upgrade~V~K",
        "in any letter case       | upgrade: WebSocket~connection: UPGRADE~V~K",
        "in a list of tokens      | Upgrade: h2c, websocket~Connection: keep-alive, Upgrade~V~K",
        "over several lines       | Upgrade: h2c~Upgrade: websocket~Connection: keep-alive~"
                + "Connection: upgrade~V~K",
        "extensions are not taken | Upgrade: websocket~Connection: Upgrade~V~K~"
                + "Sec-WebSocket-Extensions: permessage-deflate",
        "every base64 letter      | Upgrade: websocket~Connection: Upgrade~V~"
                + "Sec-WebSocket-Key: AZaz09+/AAAAAAAAAAAAAA==",
    })
    void switches(String what, String fields) {
        assertEquals(HandshakeVerdict.SWITCH, check("GET", lines(fields)));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', value = {
        "NOT_AN_UPGRADE | no upgrade            | Connection: Upgrade~V~K",
        "NOT_AN_UPGRADE | no connection         | Upgrade: websocket~V~K",
        "NOT_AN_UPGRADE | another upgrade       | Upgrade: h2c~Connection: Upgrade~V~K",
        "NOT_AN_UPGRADE | part of a token       | Upgrade: websockets~Connection: Upgrade~V~K",
        "NOT_AN_UPGRADE | another connection    | Upgrade: websocket~Connection: keep-alive~V~K",
        "NOT_AN_UPGRADE | part of its token     | Upgrade: websocket~Connection: upgraded~V~K",
        "WRONG_VERSION  | no version            | Upgrade: websocket~Connection: Upgrade~K",
        "WRONG_VERSION  | version 8             | Upgrade: websocket~Connection: Upgrade~"
                + "Sec-WebSocket-Version: 8~K",
        "WRONG_VERSION  | version 130           | Upgrade: websocket~Connection: Upgrade~"
                + "Sec-WebSocket-Version: 130~K",
        "WRONG_VERSION  | a list of versions    | Upgrade: websocket~Connection: Upgrade~"
                + "Sec-WebSocket-Version: 8, 13~K",
        "WRONG_VERSION  | two versions          | Upgrade: websocket~Connection: Upgrade~V~V~K",
        "BAD_KEY        | no key                | Upgrade: websocket~Connection: Upgrade~V",
        "BAD_KEY        | two keys              | Upgrade: websocket~Connection: Upgrade~V~K~K",
        "BAD_KEY        | an empty key          | Upgrade: websocket~Connection: Upgrade~V~"
                + "Sec-WebSocket-Key:",
        "BAD_KEY        | a key of 15 bytes     | Upgrade: websocket~Connection: Upgrade~V~"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j",
        "BAD_KEY        | a key of 17 bytes     | Upgrade: websocket~Connection: Upgrade~V~"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAA=",
        "BAD_KEY        | a key of 25 letters   | Upgrade: websocket~Connection: Upgrade~V~"
                + "Sec-WebSocket-Key: AdGhlIHNhbXBsZSBub25jZQ==",
        "BAD_KEY        | a key with a blank    | Upgrade: websocket~Connection: Upgrade~V~"
                + "Sec-WebSocket-Key: dGhlIHNhb BsZSBub25jZQ==",
        "BAD_KEY        | a key of another base | Upgrade: websocket~Connection: Upgrade~V~"
                + "Sec-WebSocket-Key: dGhlIHNhb-BsZSBub25jZQ==",
    })
    void refuses(HandshakeVerdict verdict, String what, String fields) {
        assertEquals(verdict, check("GET", lines(fields)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "OPTIONS", "get", "PATCH"})
    void refusesEveryMethodButGet(String method) {
        assertEquals(HandshakeVerdict.NOT_GET, check(method, WHOLE));
    }

    @Test
    void refusesHttp10() {
        byte[] bytes = ("GET / HTTP/1.0\r\nHost: a\r\n" + WHOLE + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        var head = new RequestHead(Limits.DEFAULT);
        head.parse(bytes, bytes.length);
        assertEquals(HandshakeVerdict.NOT_AN_UPGRADE, Handshake.check(head, Origins.ANY));
    }

    @Test
    void theProofIsTheOneOfTheRfc() {
        assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                Handshake.accept("dGhlIHNhbXBsZSBub25jZQ=="));
    }

    @Test
    void refusalsSayWhatWouldDo() {
        assertNull(HandshakeVerdict.SWITCH.response());
        assertEquals(405, HandshakeVerdict.NOT_GET.response().status());
        assertEquals("GET", HandshakeVerdict.NOT_GET.response().field("Allow"));
        assertEquals(426, HandshakeVerdict.NOT_AN_UPGRADE.response().status());
        assertEquals("websocket", HandshakeVerdict.NOT_AN_UPGRADE.response().field("Upgrade"));
        assertEquals(426, HandshakeVerdict.WRONG_VERSION.response().status());
        assertEquals("13",
                HandshakeVerdict.WRONG_VERSION.response().field("Sec-WebSocket-Version"));
        assertEquals(400, HandshakeVerdict.BAD_KEY.response().status());
        assertEquals(403, HandshakeVerdict.ORIGIN_REFUSED.response().status());
    }

    @Test
    void whoMaySendFramesBehindARefusalIsClosed() {
        assertTrue(HandshakeVerdict.WRONG_VERSION.response().close());
        assertTrue(HandshakeVerdict.BAD_KEY.response().close());
        assertTrue(HandshakeVerdict.ORIGIN_REFUSED.response().close());
        assertFalse(HandshakeVerdict.NOT_GET.response().close());
        assertFalse(HandshakeVerdict.NOT_AN_UPGRADE.response().close());
    }

    @Test
    void aListedOriginIsAdmitted() {
        Origins origins = Origins.of(List.of("https://App.example", "http://localhost:8080"));
        assertTrue(admits(origins, "Origin: https://app.example\r\n"));
        assertTrue(admits(origins, "origin: HTTPS://APP.EXAMPLE\r\n"));
        assertTrue(admits(origins, "Origin: http://localhost:8080\r\n"));
    }

    @Test
    void anOriginThatIsNotListedIsRefused() {
        Origins origins = Origins.of(List.of("https://app.example"));
        for (String fields : new String[] {"", "Origin: null\r\n", "Origin:\r\n",
                "Origin: http://app.example\r\n", "Origin: https://app.example:444\r\n",
                "Origin: https://app.example.evil\r\n", "Origin: https://evil.app.example\r\n",
                "Origin: https://app.example\r\nOrigin: https://app.example\r\n"}) {
            assertFalse(admits(origins, fields), fields);
            assertEquals(HandshakeVerdict.ORIGIN_REFUSED,
                    Handshake.check(Requests.of("GET", "/", WHOLE + fields), origins));
        }
    }

    @Test
    void withoutAListEverybodyIsAdmitted() {
        assertTrue(admits(Origins.of(List.of()), ""));
        assertTrue(admits(Origins.ANY, "Origin: https://any.example\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "app.example", "https://", "https://app.example/", "://a",
        "https://a b", "https://*.example", "https://app.example/path", "*"})
    void anOriginThatCouldMatchNothingIsNoList(String origin) {
        assertThrows(IllegalArgumentException.class, () -> Origins.of(List.of(origin)));
    }

    private static boolean admits(Origins origins, String fields) {
        return Handshake.check(Requests.of("GET", "/", WHOLE + fields), origins)
                == HandshakeVerdict.SWITCH;
    }

    private static HandshakeVerdict check(String method, String fields) {
        Request request = Requests.of(method, "/", fields);
        return Handshake.check(request, Origins.ANY);
    }

    /** {@code V} and {@code K} for version and key, {@code ~} for a line break. */
    private static String lines(String fields) {
        var lines = new StringBuilder();
        for (String line : fields.split("~")) {
            lines.append(line.equals("V") ? VERSION : line.equals("K") ? KEY : line + "\r\n");
        }
        return lines.toString();
    }
}
