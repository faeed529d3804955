package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import kit.ClientFrames;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import kit.WsClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** I1, I7, I38, G101: a handshake is complete or there is no 101. */
@Gate
class WebSocketHandshakeGate {

    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String REST = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY
            + "\r\n";

    private static ServerProcess server;

    /** A request, {@code ~} for each line break and {@code VK} for two lines, and its status. */
    record Case(String name, int status, String request) {
        String bytes() {
            return request.replace("VK", REST).replace("~", "\r\n") + "\r\n";
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void start() {
        server = ServerProcess.app("host_check").set("M0_SSE_HEARTBEAT_MS", "0").start();
    }

    static List<Case> switched() {
        String get = "GET /ws HTTP/1.1~Host: a~";
        return List.of(
                new Case("a plain one", 101, get + "Upgrade: websocket~Connection: Upgrade~VK"),
                new Case("any letter case", 101,
                        get + "UPGRADE: WebSocket~connection: uPGRADE~VK"),
                new Case("lists of tokens", 101,
                        get + "Upgrade: h2c, websocket~Connection: keep-alive, Upgrade~VK"),
                new Case("lists over several lines", 101, get + "Upgrade: h2c~Upgrade: websocket~"
                        + "Connection: keep-alive~Connection: upgrade~VK"),
                new Case("any origin where none is listed", 101, get + "Origin: https://a.example~"
                        + "Upgrade: websocket~Connection: Upgrade~VK"),
                new Case("an extension that is not taken up", 101,
                        get + "Sec-WebSocket-Extensions: permessage-deflate~"
                                + "Upgrade: websocket~Connection: Upgrade~VK"));
    }

    static List<Case> refused() {
        String get = "GET /ws HTTP/1.1~Host: a~";
        String upgrade = "Upgrade: websocket~Connection: Upgrade~";
        String version = "Sec-WebSocket-Version: 13~";
        String key = "Sec-WebSocket-Key: " + KEY + "~";
        return List.of(
                new Case("POST", 405, "POST /ws HTTP/1.1~Host: a~Content-Length: 0~" + upgrade
                        + "VK"),
                new Case("no upgrade", 426, get + "Connection: Upgrade~VK"),
                new Case("another upgrade", 426, get + "Upgrade: h2c~Connection: Upgrade~VK"),
                new Case("part of a token", 426, get + "Upgrade: websockets~Connection: Upgrade~VK"),
                new Case("no connection", 426, get + "Upgrade: websocket~VK"),
                new Case("another connection", 426, get
                        + "Upgrade: websocket~Connection: keep-alive, upgraded~VK"),
                new Case("no version", 426, get + upgrade + key),
                new Case("version 8", 426, get + upgrade + "Sec-WebSocket-Version: 8~" + key),
                new Case("two versions", 426, get + upgrade + version + version + key),
                new Case("no key", 400, get + upgrade + version),
                new Case("a short key", 400, get + upgrade + version + "Sec-WebSocket-Key: AAAA~"),
                new Case("a long key", 400, get + upgrade + version
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAAAAA==~"),
                new Case("a key that is no base64", 400, get + upgrade + version
                        + "Sec-WebSocket-Key: ******************---==~"),
                new Case("two keys", 400, get + upgrade + version + key + key));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("switched")
    void switches(Case each) {
        try (RawClient client = RawClient.connect(server)) {
            WsClient socket = WsClient.over(client.send(each.bytes()), KEY);
            socket.text("served").expectText("served").close(1000).expectClose(1000);
            socket.expectEnd();
        } catch (AssertionError failure) {
            throw new AssertionError(each + ": " + failure.getMessage(), failure);
        }
    }

    /** One method for all rows, which ends with the first that fails. */
    @Test
    void everyGoodOneSwitches() {
        switched().forEach(this::switches);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void refuses(Case each) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.send(each.bytes()).read().expect(each.status());
            if (each.status() == 426) {
                assertEquals("13", reply.header("Sec-WebSocket-Version"), "the version named");
                assertEquals("websocket", reply.header("Upgrade"), "the upgrade named");
                assertTrue(reply.connectionHas("upgrade"), "no upgrade among the options: " + reply);
            }
        } catch (AssertionError failure) {
            throw new AssertionError(each + ": " + failure.getMessage(), failure);
        }
    }

    /** One method for all rows, which ends with the first that fails. */
    @Test
    void nothingElseSwitches() {
        refused().forEach(this::refuses);
    }

    @Test
    void headAndHttp10DoNotSwitch() {
        try (RawClient client = RawClient.connect(server)) {
            client.send(handshake("HEAD /ws HTTP/1.1")).read("HEAD").expect(405);
        }
        try (RawClient client = RawClient.connect(server)) {
            client.send(handshake("GET /ws HTTP/1.0")).read().expect(426);
        }
    }

    private static String handshake(String requestLine) {
        return WsClient.handshake("/ws", KEY, "").replace("GET /ws HTTP/1.1", requestLine);
    }

    @Test
    void whatIsBehindARefusedHandshakeIsNoRequest() {
        long before = instances();
        try (RawClient client = RawClient.connect(server)) {
            client.send(WsClient.handshake("/ws", KEY, "").replace(": 13", ": 12")
                    + "GET /instance HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(426).expectClose();
            client.expectEnd();
        }
        assertEquals(before + 1, instances(), "runs of the handler");
    }

    private static long instances() {
        try (RawClient client = RawClient.connect(server)) {
            String text = client.get("/instance").expect(200).text();
            return Long.parseLong(text.replaceAll("(?s).*\"count\":([0-9]+).*", "$1"));
        }
    }

    @Test
    void framesBehindTheHandshakeInOneWriteAreRead() {
        try (RawClient client = RawClient.connect(server)) {
            var frames = new ClientFrames().text("first").text("second").ping("p");
            client.send(joined(RawClient.bytes(WsClient.handshake("/ws", KEY, "")),
                    frames.bytes()));
            WsClient socket = WsClient.over(client, KEY);
            socket.expectText("first").expectText("second");
            socket.expect(ClientFrames.PONG, RawClient.bytes("p"));
        }
    }

    @Test
    void aHandshakeBehindARequestInOneWriteIsAnsweredAfterIt() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
                    + WsClient.handshake("/ws", KEY, ""));
            client.read().expect(200);
            WsClient.over(client, KEY).text("on").expectText("on");
        }
    }

    @Test
    void theHeadNamesItsLoopAndNoLength() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            assertEquals(0, socket.worker());
            assertNull(socket.head().header("Content-Length"), "a length");
            assertNull(socket.head().header("Sec-WebSocket-Protocol"), "a protocol nobody asked for");
        }
    }

    @Test
    void theProtocolIsTheOneTheApplicationNames() {
        try (WsClient socket = WsClient.open(RawClient.connect(server), "/ws?protocol=chat",
                "Sec-WebSocket-Protocol: superchat, chat\r\n")) {
            assertEquals("chat", socket.head().header("Sec-WebSocket-Protocol"));
        }
    }

    @Test
    void anOriginThatIsNotListedIsRefused() {
        try (ServerProcess listed = ServerProcess.app("host_check")
                .set("M0_ORIGINS", "https://app.example,http://localhost:3000").start()) {
            for (String origin : List.of("https://app.example", "HTTPS://APP.example",
                    "http://localhost:3000")) {
                WsClient.open(RawClient.connect(listed), "/ws", "Origin: " + origin + "\r\n")
                        .text("in").expectText("in").close();
            }
            for (String fields : List.of("", "Origin: https://evil.example\r\n",
                    "Origin: http://app.example\r\n", "Origin: https://app.example.evil\r\n",
                    "Origin: null\r\n")) {
                try (RawClient client = RawClient.connect(listed)) {
                    client.send(WsClient.handshake("/ws", KEY, fields)).read().expect(403)
                            .expectClose();
                    client.expectEnd();
                } catch (AssertionError failure) {
                    throw new AssertionError("origin <" + fields.strip() + ">: "
                            + failure.getMessage(), failure);
                }
            }
        }
    }

    private static byte[] joined(byte[] one, byte[] two) {
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        return both;
    }
}
