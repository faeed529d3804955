package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.loop.ReadyWork;
import m0.stream.StreamId;
import m0.ws.Origins;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** WebSockets: messages both ways, flow control, closes from either side, and the drain. */
class ConnectionWebSocketTest {
    private static final int OUTBOX = 1000;
    private static final String HANDSHAKE = "Host: a\r\nUpgrade: websocket\r\n"
            + "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    private final Socket socket = new Socket();
    private final Bench bench = new Bench(config(Origins.ANY), socket);
    private final ScriptedTransport peer = new ScriptedTransport();
    private ReadyWork connection;

    private static ConnectionConfig config(Origins origins) {
        return new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0, 0, 1_000_000_000L, 1 << 20, 0,
                0, 0, new StreamConfig(OUTBOX, 1 << 16, 5_000_000_000L, 0, 3, origins, 1 << 20, 1 << 20));
    }

    @BeforeEach
    void connect() {
        connection = bench.admit(peer);
        socket.streams = bench.streams;
    }

    /** Echoes, unless it is told to do otherwise. */
    private static final class Socket implements AppHandler {
        private final List<String> messages = new ArrayList<>();
        private final List<Integer> codes = new ArrayList<>();
        private final List<StreamId> closed = new ArrayList<>();
        private StreamPolicy policy = StreamPolicy.LOG;
        private LoopStreams streams;
        private StreamId open;
        private boolean subscribing = true;
        private boolean busy;
        private boolean throwing;

        @Override
        public Response handle(Request request) {
            return Response.status(200).header("Upgrade", "mine").webSocket("", 0, policy).build();
        }

        @Override
        public void streamOpened(StreamId stream, Request request) {
            open = stream;
            if (subscribing) {
                streams.subscribe(stream, "room");
            }
        }

        @Override
        public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
            if (throwing) {
                throw new IllegalStateException("asked to throw");
            }
            if (busy) {
                return false;
            }
            messages.add(StandardCharsets.UTF_8.decode(payload.duplicate()).toString());
            return streams.send(stream, opcode, payload);
        }

        @Override
        public void webSocketClosed(StreamId stream, int code) {
            codes.add(code);
        }

        @Override
        public void streamClosed(StreamId stream) {
            closed.add(stream);
        }
    }

    private void open() {
        peer.send("GET /ws HTTP/1.1\r\n" + HANDSHAKE);
        bench.run(connection, peer);
        peer.takeWritten();
    }

    /** A client's frame, masked with zeros, which leaves the payload readable. */
    private static byte[] frame(int first, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        if (payload.length < 126) {
            out.write(0x80 | payload.length);
        } else {
            out.write(0x80 | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        }
        out.writeBytes(new byte[4]);
        out.writeBytes(payload);
        return out.toByteArray();
    }

    private static byte[] text(String text) {
        return frame(0x81, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] close(int code) {
        return frame(0x88, new byte[] {(byte) (code >> 8), (byte) code});
    }

    private static String reply(String text) {
        String head = text.length() < 126 ? "" + (char) 0x81 + (char) text.length()
                : "" + (char) 0x81 + (char) 126 + (char) (text.length() >> 8)
                        + (char) (text.length() & 0xff);
        return head + text;
    }

    private static String closeReply(int code, String reason) {
        return "" + (char) 0x88 + (char) (2 + reason.length()) + (char) (code >> 8)
                + (char) (code & 0xff) + reason;
    }

    private void say(byte[] frame) {
        peer.send(frame);
        bench.run(connection, peer);
    }

    @Test
    void switchesWithTheAcceptOfTheKeyAndNothingOfItsOwn() {
        peer.send("GET /ws HTTP/1.1\r\n" + HANDSHAKE);
        bench.run(connection, peer);
        String head = peer.takeWritten();
        assertTrue(head.startsWith("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\n"), head);
        assertTrue(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), head);
        assertTrue(head.contains("X-Worker: 0\r\n"), head);
        assertFalse(head.contains("mine"), head);
        assertFalse(head.contains("Content-Length"), head);
    }

    @Test
    void anythingButAHandshakeIsRefusedAndOneThatIsNotOursEndsTheConnection() {
        peer.send("GET /ws HTTP/1.1\r\nHost: a\r\n\r\n");
        bench.run(connection, peer);
        assertTrue(peer.takeWritten().startsWith("HTTP/1.1 426 "));
        peer.send("GET /ws HTTP/1.1\r\n" + HANDSHAKE.replace("13", "12"));
        bench.run(connection, peer);
        String refusal = peer.takeWritten();
        assertTrue(refusal.startsWith("HTTP/1.1 426 "), refusal);
        assertTrue(refusal.contains("Sec-WebSocket-Version: 13\r\n"), refusal);
        assertTrue(refusal.contains("Connection: close\r\n"), refusal);
        assertTrue(peer.outputShut);
        assertEquals(null, socket.open);
    }

    @Test
    void whoAsksForAnUpgradeByAnotherMethodIsClosedSinceFramesMayFollow() {
        peer.send("POST /ws HTTP/1.1\r\n" + HANDSHAKE);
        peer.send(text("a"));
        bench.run(connection, peer);
        String refusal = peer.takeWritten();
        assertTrue(refusal.startsWith("HTTP/1.1 405 "), refusal);
        assertTrue(refusal.contains("Connection: close\r\n"), refusal);
        assertEquals(1, refusal.split("HTTP/1.1 ", -1).length - 1);
        ScriptedTransport plain = new ScriptedTransport();
        ReadyWork other = bench.admit(plain);
        plain.send("POST /ws HTTP/1.1\r\nHost: a\r\n\r\n");
        bench.run(other, plain);
        assertFalse(plain.takeWritten().contains("Connection: close"));
    }

    @Test
    void aForeignOriginIs403() {
        Bench listed = new Bench(config(Origins.of(List.of("http://here"))), socket);
        ReadyWork guarded = listed.admit(peer);
        peer.send("GET /ws HTTP/1.1\r\nOrigin: http://there\r\n" + HANDSHAKE);
        listed.run(guarded, peer);
        assertTrue(peer.takeWritten().startsWith("HTTP/1.1 403 "));
    }

    @Test
    void echoesAndTakesFramesThatCameWithTheHandshake() {
        peer.send("GET /ws HTTP/1.1\r\n" + HANDSHAKE);
        peer.send(text("early"));
        bench.run(connection, peer);
        assertTrue(peer.takeWritten().endsWith("\r\n\r\n" + reply("early")));
        say(text("late"));
        assertEquals(reply("late"), peer.takeWritten());
    }

    @Test
    void answersAPing() {
        open();
        say(frame(0x89, new byte[] {'x'}));
        assertEquals("" + (char) 0x8a + (char) 1 + "x", peer.takeWritten());
    }

    @Test
    void aPeersCloseIsEchoedToldOnceAndEndsTheConnection() {
        open();
        say(close(1000));
        assertEquals(closeReply(1000, ""), peer.takeWritten());
        assertEquals(List.of(1000), socket.codes);
        assertEquals(List.of(socket.open), socket.closed);
        assertTrue(peer.outputShut);
        peer.sendFin();
        bench.run(connection, peer);
        assertTrue(peer.closed);
        assertEquals(0, bench.connections.live());
    }

    @Test
    void aFinWithoutACloseIs1006() {
        open();
        peer.sendFin();
        bench.run(connection, peer);
        assertEquals(List.of(1006), socket.codes);
        assertEquals(List.of(socket.open), socket.closed);
        assertTrue(peer.closed);
    }

    @Test
    void aPeerWhoseGoingShowsByAWriteIs1006Too() {
        open();
        peer.writeFails = true;
        bench.publish("room", "", "x");
        assertEquals(List.of(1006), socket.codes);
        assertEquals(List.of(socket.open), socket.closed);
    }

    @Test
    void aFinBehindACloseOfTheApplicationCutsNothingThatIsQueued() {
        open();
        peer.room = 0;
        bench.publish("room", "", "x".repeat(600));
        bench.streams.close(socket.open, 1000);
        bench.deliver();
        peer.sendFin();
        bench.run(connection, peer);
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        assertEquals(reply("x".repeat(600)) + closeReply(1000, ""), peer.takeWritten());
        assertEquals(List.of(), socket.codes);
    }

    @Test
    void aFrameThatIsNoTextComesAsBinary() {
        open();
        bench.bus.publisher().publish("room", "", ByteBuffer.wrap(new byte[] {(byte) 0xff}));
        bench.deliver();
        assertEquals("" + (char) 0x82 + (char) 1 + (char) 0xff, peer.takeWritten());
    }

    @Test
    void nothingFollowsACloseOfTheApplicationAndTheEchoEndsIt() {
        open();
        assertTrue(bench.streams.close(socket.open, 4001));
        assertFalse(bench.streams.send(socket.open, 1, ByteBuffer.wrap(new byte[] {'a'})));
        bench.publish("room", "", "b");
        say(text("c"));
        say(frame(0x89, new byte[] {'x'}));
        assertEquals(closeReply(4001, ""), peer.takeWritten(),
                "its close, and what followed its close");
        assertEquals(List.of(), socket.messages);
        assertFalse(peer.outputShut);
        say(close(4001));
        assertTrue(peer.outputShut);
        assertEquals("", peer.takeWritten());
        assertEquals(List.of(socket.open), socket.closed);
        assertEquals(List.of(), socket.codes, "the peer only answered");
    }

    @Test
    void anEchoThatDoesNotComeIsWaitedForTwoSeconds() {
        open();
        bench.streams.close(socket.open, 1000);
        bench.deliver();
        bench.advanceMs(1900);
        assertFalse(peer.outputShut);
        bench.advanceMs(200);
        assertTrue(peer.outputShut);
        assertEquals(List.of(socket.open), socket.closed);
    }

    @Test
    void aViolationIsAnsweredWithItsCodeAndEndsIt() {
        open();
        peer.send(text("good"));
        peer.send(new byte[] {(byte) 0x81, 1, 'x'});
        bench.run(connection, peer);
        String written = peer.takeWritten();
        assertTrue(written.startsWith(reply("good") + (char) 0x88), written);
        assertEquals(1002, written.charAt(8) << 8 | written.charAt(9));
        assertTrue(peer.outputShut);
        assertEquals(List.of(socket.open), socket.closed);
    }

    @Test
    void inputIsNotReadWhileTheOutboxIsMoreThanHalfFullAndNothingIsLost() {
        open();
        peer.room = 0;
        String message = "m".repeat(100);
        for (int count = 0; count < 50; count++) {
            peer.send(text(message + count));
        }
        bench.run(connection, peer);
        assertTrue(socket.messages.size() < 10, "messages=" + socket.messages.size());
        assertFalse(peer.readWanted);
        for (int turn = 0; turn < 100; turn++) {
            peer.room = 300;
            bench.run(connection, peer);
        }
        assertEquals(50, socket.messages.size());
        StringBuilder all = new StringBuilder();
        for (int count = 0; count < 50; count++) {
            all.append(reply(message + count));
        }
        assertEquals(all.toString(), peer.takeWritten());
        assertTrue(peer.readWanted);
    }

    /** They have come already, so that not to read on is not enough. */
    @Test
    void whatOneReadBringsBeyondTheOutboxWaitsToo() {
        open();
        peer.room = 0;
        String message = "m".repeat(100);
        var sent = new ByteArrayOutputStream();
        var answered = new StringBuilder();
        for (int count = 0; count < 50; count++) {
            sent.writeBytes(text(message + count));
            answered.append(reply(message + count));
        }
        peer.send(sent.toByteArray());
        bench.run(connection, peer);
        assertTrue(socket.messages.size() < 10, "messages=" + socket.messages.size());
        for (int turn = 0; turn < 100; turn++) {
            peer.room = 300;
            bench.run(connection, peer);
        }
        assertEquals(50, socket.messages.size());
        assertEquals(answered.toString(), peer.takeWritten());
    }

    @Test
    void notNowStopsReadingAndResumeOffersTheSameMessageAgain() {
        open();
        socket.busy = true;
        peer.send(text("one"));
        peer.send(text("two"));
        bench.run(connection, peer);
        assertFalse(peer.readWanted);
        assertEquals(List.of(), socket.messages);
        bench.deliver();
        socket.busy = false;
        bench.deliver();
        assertEquals(List.of(), socket.messages, "only resume resumes");
        assertTrue(bench.streams.resume(socket.open));
        bench.deliver();
        bench.run(connection, peer);
        assertEquals(List.of("one", "two"), socket.messages);
        assertEquals(reply("one") + reply("two"), peer.takeWritten());
    }

    @Test
    void aThrowingHookCloses1011() {
        open();
        socket.throwing = true;
        say(text("a"));
        assertEquals(closeReply(1011, ""), peer.takeWritten(), "the close behind a throwing hook");
        assertEquals(List.of("webSocketMessage asked to throw"), bench.failures);
    }

    @Test
    void framesOfAChannelComeAsTextAndAFullOutboxIsClosed1013() {
        open();
        bench.publish("room", "", "hello");
        assertEquals(reply("hello"), peer.takeWritten());
        peer.room = 0;
        bench.publish("room", "", "x".repeat(600));
        bench.publish("room", "", "y".repeat(600));
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        assertEquals(reply("x".repeat(600)) + closeReply(1013, "too slow"), peer.takeWritten());
    }

    @Test
    void aFullOutboxOfALatestSocketDropsTheFrame() {
        socket.policy = StreamPolicy.LATEST;
        open();
        peer.room = 0;
        bench.publish("room", "", "x".repeat(600));
        bench.publish("room", "", "y".repeat(600));
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        bench.publish("room", "", "z");
        assertEquals(reply("x".repeat(600)) + reply("z"), peer.takeWritten());
    }

    @Test
    void pingsOnTheHeartbeatAndGivesUpAPeerThatNeverAnswers() {
        open();
        bench.advanceMs(5000);
        assertEquals("" + (char) 0x89 + (char) 0, peer.takeWritten());
        bench.advanceMs(5000);
        assertEquals("" + (char) 0x89 + (char) 0, peer.takeWritten());
        assertFalse(peer.closed);
        bench.advanceMs(5000);
        assertTrue(peer.closed);
        assertEquals(List.of(1006), socket.codes);
    }

    @Test
    void aPeerThatAnswersPingsStays() {
        open();
        for (int beat = 0; beat < 5; beat++) {
            bench.advanceMs(5000);
            say(frame(0x8a, new byte[0]));
        }
        assertFalse(peer.closed);
    }

    @Test
    void aDrainSays1001AndWaitsForTheEcho() {
        open();
        bench.stop.ask();
        bench.connections.beginDrain();
        bench.deliver();
        assertEquals(closeReply(1001, ""), peer.takeWritten());
        assertFalse(bench.connections.isDrained());
        say(close(1001));
        peer.sendFin();
        bench.run(connection, peer);
        assertTrue(bench.connections.isDrained());
        assertEquals(List.of(socket.open), socket.closed);
    }

    @Test
    void messagesThatAreNeverWholeCannotMakeTheLoopHoldTooMuch() {
        Bench tight = new Bench(new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0, 0, 0,
                300_000, 0, 0, 0, StreamConfig.DEFAULT), socket);
        socket.streams = tight.streams;
        byte[] begun = new byte[14 + 100_000];
        begun[0] = (byte) 0x82;
        begun[1] = (byte) 0xff;
        begun[7] = 2;
        List<ScriptedTransport> peers = new ArrayList<>();
        for (int index = 0; index < 6; index++) {
            ScriptedTransport one = new ScriptedTransport();
            ReadyWork each = tight.admit(one);
            one.send("GET /ws HTTP/1.1\r\n" + HANDSHAKE);
            one.send(begun);
            tight.run(each, one);
            peers.add(one);
        }
        long closed = peers.stream().filter(one ->
                one.takeWritten().endsWith(closeReply(1013, "memory"))).count();
        assertTrue(closed >= 3 && closed < 6, "closed=" + closed);
        assertEquals(1, tight.limits.size());
    }

    @Test
    void aLostFrameClosesOnlyWhoSubscribed() {
        open();
        StreamId subscribed = socket.open;
        socket.subscribing = false;
        ScriptedTransport other = new ScriptedTransport();
        ReadyWork alone = bench.admit(other);
        other.send("GET /ws HTTP/1.1\r\n" + HANDSHAKE);
        bench.run(alone, other);
        other.takeWritten();
        bench.streams.onFramesLost(1);
        bench.deliver();
        assertEquals(closeReply(1013, "too slow"), peer.takeWritten());
        assertEquals("", other.takeWritten());
        assertFalse(subscribed.equals(socket.open));
    }

    @Test
    void anotherThreadMayNotTouchStreams() throws InterruptedException {
        open();
        List<Throwable> thrown = new ArrayList<>();
        Thread stranger = new Thread(() -> thrown.add(assertThrows(IllegalStateException.class,
                () -> bench.streams.close(socket.open, 1000))));
        stranger.start();
        stranger.join();
        assertTrue(thrown.get(0).getMessage().contains("belong to their loop's thread"));
    }

    @Test
    void aMessageOverTheLimitOfTheSettingIsRefusedByName() {
        open();
        String message = assertThrows(IllegalArgumentException.class,
                () -> bench.streams.send(socket.open, 2, ByteBuffer.allocate((1 << 16) + 1)))
                .getMessage();
        assertTrue(message.contains("M0_MAX_MESSAGE"), message);
    }
}
