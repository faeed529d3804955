package streams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.ClientFrames;
import kit.Gate;
import kit.ServerProcess;
import kit.WsClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * I2 to I6, I16, I34 to I37, C103: frames that are none end a WebSocket with the code that says
 * why, and what was whole before them has come back by then.
 */
@Gate
class WebSocketFramesGate {

    private static final int TEXT = ClientFrames.TEXT;
    private static final int BINARY = ClientFrames.BINARY;
    private static final int MESSAGE_BYTES_MAX = 1_000_000;
    private static final int FRAGMENTS_MAX = 1024;
    private static final int CONTROL_FRAMES_MAX = 100;
    private static final byte[] NONE = new byte[0];

    private static ServerProcess server;

    /** Frames behind a good text, and the code they are to end in. */
    record Row(String name, ClientFrames frames, int closeCode) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void start() {
        // A ping would be one frame too many, on a machine where answers take long.
        server = ServerProcess.app("echo").set("M0_SSE_HEARTBEAT_MS", "0")
                .set("M0_MAX_MESSAGE", String.valueOf(MESSAGE_BYTES_MAX)).start();
    }

    static List<Row> wrong() {
        var rows = new ArrayList<Row>();
        wrongHeads(rows);
        wrongControls(rows);
        wrongMessages(rows);
        wrongTexts(rows);
        return rows;
    }

    private static void wrongHeads(List<Row> rows) {
        for (int bit : new int[] {0x40, 0x20, 0x10}) {
            rows.add(new Row("reserved bit " + bit,
                    frames().head(0x80 | bit | TEXT, true, 1, 0).masked(utf8("a")), 1002));
        }
        for (int opcode : new int[] {3, 7, 11, 15}) {
            rows.add(new Row("opcode " + opcode,
                    frames().frame(true, opcode, utf8("a")), 1002));
        }
        rows.add(new Row("no mask", frames().head(0x81, false, 1, 0).raw(utf8("a")), 1002));
        rows.add(new Row("125 in two bytes",
                frames().head(0x82, true, 125, 2).masked(new byte[125]), 1002));
        rows.add(new Row("65535 in eight bytes",
                frames().head(0x82, true, 65_535, 8).masked(new byte[65_535]), 1002));
        rows.add(new Row("the highest bit of a length",
                frames().head(0x82, true, Long.MIN_VALUE + 65_536, 8), 1002));
    }

    private static void wrongControls(List<Row> rows) {
        rows.add(new Row("a ping of 126 bytes",
                frames().head(0x89, true, 126, 2).masked(new byte[126]), 1002));
        rows.add(new Row("a ping in fragments", frames().frame(false, ClientFrames.PING, NONE)
                .frame(true, 0, NONE), 1002));
        rows.add(new Row("a close in fragments", frames().frame(false, ClientFrames.CLOSE, NONE),
                1002));
        rows.add(new Row("a close with one byte",
                frames().frame(true, ClientFrames.CLOSE, new byte[1]), 1002));
        for (int code : new int[] {0, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000}) {
            rows.add(new Row("a close with " + code, frames().close(code, ""), 1002));
        }
        rows.add(new Row("a reason that is not UTF-8", frames().frame(true, ClientFrames.CLOSE,
                ClientFrames.closing(1000, bytes(0xff))), 1007));
        ClientFrames pings = frames();
        for (int count = 0; count <= CONTROL_FRAMES_MAX; count++) {
            pings.frame(true, ClientFrames.PONG, NONE);
        }
        rows.add(new Row("a hundred and one pongs", pings, 1008));
    }

    private static void wrongMessages(List<Row> rows) {
        rows.add(new Row("a lone continuation", frames().frame(true, 0, utf8("a")), 1002));
        rows.add(new Row("a text inside a message", frames().frame(false, BINARY, utf8("a"))
                .text("b"), 1002));
        rows.add(new Row("a message over the limit",
                frames().head(0x82, true, MESSAGE_BYTES_MAX + 1, 8), 1009));
        rows.add(new Row("fragments over the limit", frames().frame(false, BINARY,
                new byte[MESSAGE_BYTES_MAX]).frame(true, 0, new byte[1]), 1009));
        ClientFrames fragments = frames().frame(false, TEXT, NONE);
        for (int count = 0; count < FRAGMENTS_MAX; count++) {
            fragments.frame(false, 0, NONE);
        }
        rows.add(new Row("1,025 fragments", fragments, 1008));
    }

    private static void wrongTexts(List<Row> rows) {
        rows.add(new Row("a lone continuation byte", frames().frame(true, TEXT, bytes(0x80)),
                1007));
        rows.add(new Row("an overlong form", frames().frame(true, TEXT, bytes(0xc0, 0xaf)), 1007));
        rows.add(new Row("a surrogate", frames().frame(true, TEXT, bytes(0xed, 0xa0, 0x80)),
                1007));
        rows.add(new Row("beyond the last character",
                frames().frame(true, TEXT, bytes(0xf4, 0x90, 0x80, 0x80)), 1007));
        rows.add(new Row("a text that ends within a character",
                frames().frame(true, TEXT, bytes('a', 0xe2, 0x82)), 1007));
        rows.add(new Row("a character that goes wrong in the next fragment",
                frames().frame(false, TEXT, bytes(0xe2)).frame(true, 0, bytes(0x41)), 1007));
        rows.add(new Row("a wrong byte of a text whose end does not come",
                frames().head(0x81, true, 1000, 2).masked(bytes('a', 0xff)), 1007));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrong")
    void endsWithItsCode(Row row) {
        byte[] all = frames().text("before").raw(row.frames().bytes()).bytes();
        try (WsClient socket = WsClient.open(server, "/ws")) {
            // What follows must change nothing, and be read away so that the close arrives.
            socket.connection().send(frames().raw(all).text("behind").bytes());
            socket.expectText("before").expectClose(row.closeCode());
            socket.expectEnd();
        } catch (AssertionError failure) {
            throw new AssertionError(row + ": " + failure.getMessage(), failure);
        }
    }

    /** One method for all rows, which ends with the first that fails. */
    @Test
    void everyWrongSequenceEndsWithItsCode() {
        wrong().forEach(this::endsWithItsCode);
    }

    @Test
    void everyWrongSequenceEndsTheSameByteByByte() {
        for (Row row : wrong()) {
            byte[] all = frames().text("before").raw(row.frames().bytes()).bytes();
            if (all.length < 300) {
                try (WsClient socket = WsClient.open(server, "/ws")) {
                    for (byte octet : all) {
                        socket.connection().trySend(new byte[] {octet});
                    }
                    socket.expectText("before").expectClose(row.closeCode());
                } catch (AssertionError failure) {
                    throw new AssertionError(row + ": " + failure.getMessage(), failure);
                }
            }
        }
    }

    @Test
    void messagesOfEveryLengthComeBack() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            for (int length : new int[] {0, 1, 125, 126, 65_535, 65_536, MESSAGE_BYTES_MAX}) {
                byte[] payload = new byte[length];
                for (int index = 0; index < length; index++) {
                    payload[index] = (byte) (index * 31 + (index >> 8));
                }
                socket.binary(payload).expect(BINARY, payload);
            }
            socket.text("€ \ud83d\ude00").expectText("€ \ud83d\ude00");
        }
    }

    @Test
    void aMessageOfFourMebibytesComesBackByDefault() {
        try (ServerProcess plain = ServerProcess.app("echo")
                .set("M0_SSE_HEARTBEAT_MS", "0").start();
                WsClient socket = WsClient.open(plain, "/ws")) {
            byte[] payload = new byte[4 * 1024 * 1024];
            payload[payload.length - 1] = 7;
            socket.binary(payload).expect(BINARY, payload);
            socket.send(frames().head(0x82, true, payload.length + 1, 8)).expectClose(1009);
        }
    }

    @Test
    void fragmentsAreOneMessageAndPingsBetweenThemAreAnswered() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.send(frames().frame(false, TEXT, utf8("one ")).ping("a")
                    .frame(false, 0, bytes(0xe2)).ping("b").frame(false, 0, NONE)
                    .frame(true, ClientFrames.PONG, utf8("unasked"))
                    .frame(true, 0, bytes(0x82, 0xac)));
            socket.expect(ClientFrames.PONG, utf8("a")).expect(ClientFrames.PONG, utf8("b"));
            socket.expectText("one €");
        }
    }

    @Test
    void aThousandAndTwentyFourFragmentsAreTaken() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            for (int turn = 0; turn < 2; turn++) {
                ClientFrames fragments = frames().frame(false, TEXT, utf8("x"));
                for (int count = 2; count < FRAGMENTS_MAX; count++) {
                    fragments.frame(false, 0, utf8("x"));
                }
                socket.send(fragments.frame(true, 0, utf8("x")));
                socket.expectText("x".repeat(FRAGMENTS_MAX));
            }
        }
    }

    @Test
    void aHundredPingsAreAnsweredInEverySecond() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            for (int second = 0; second < 2; second++) {
                ClientFrames pings = frames();
                for (int count = 0; count < CONTROL_FRAMES_MAX; count++) {
                    pings.ping("p" + count);
                }
                socket.send(pings);
                for (int count = 0; count < CONTROL_FRAMES_MAX; count++) {
                    socket.expect(ClientFrames.PONG, utf8("p" + count));
                }
                ServerProcess.pause(1100);
            }
            socket.text("still").expectText("still");
        }
    }

    @Test
    void anEnormousLengthTakesNoMemory() {
        // 300 MB announced: what a JVM takes while it warms up, some 16 MB, is no part of the answer.
        long beforeBytes = server.residentBytes();
        var sockets = new ArrayList<WsClient>();
        try {
            for (int count = 0; count < 300; count++) {
                sockets.add(WsClient.open(server, "/ws").send(
                        frames().head(0x82, true, MESSAGE_BYTES_MAX, 8).masked(bytes(1, 2, 3))));
            }
            sockets.forEach(each -> each.connection().expectSilence(1));
            long grownBytes = server.residentBytes() - beforeBytes;
            assertTrue(grownBytes < 300L * MESSAGE_BYTES_MAX / 4,
                    grownBytes + " bytes for 300 announced messages");
        } finally {
            sockets.forEach(WsClient::close);
        }
    }

    @Test
    void aDelayBeforeTheRestIsNoEnd() {
        byte[] all = frames().text("slowly").bytes();
        try (WsClient socket = WsClient.open(server, "/ws")) {
            for (byte octet : all) {
                socket.connection().send(new byte[] {octet});
                ServerProcess.pause(20);
            }
            socket.expectText("slowly");
            socket.connection().expectSilence(Duration.ofMillis(50).toMillis());
        }
    }

    private static ClientFrames frames() {
        return new ClientFrames();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int index = 0; index < octets.length; index++) {
            bytes[index] = (byte) octets[index];
        }
        return bytes;
    }
}
