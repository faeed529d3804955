package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.loop.ReadyWork;
import m0.stream.StreamId;
import m0.ws.ClientFrames;
import m0.ws.Origins;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a WebSocket still does for its peer when its end is near: held, full, closed, gone. */
class WebSocketEndingTest {
    private static final int OUTBOX = 1000;
    private static final int MESSAGE_BYTES_MAX = 5000;
    private static final StreamConfig STREAMS = new StreamConfig(OUTBOX, MESSAGE_BYTES_MAX,
            5_000_000_000L, 7, 3, Origins.ANY, 1 << 20, 1 << 20);

    private final ConnectionConfig config = new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0,
            0, 1_000_000_000L, 1 << 20, 0, 0, 0, STREAMS);
    private final Echo echo = new Echo();
    private final Bench bench = new Bench(config, echo);
    private final ScriptedTransport peer = new ScriptedTransport();
    private ReadyWork connection;

    /** Sends messages back, unless it is told to hold them. */
    private final class Echo implements AppHandler {
        private final List<String> told = new ArrayList<>();
        private boolean holds;
        private StreamId stream;

        @Override
        public Response handle(Request request) {
            return Response.status(200).webSocket("", 0).build();
        }

        @Override
        public void streamOpened(StreamId opened, Request request) {
            stream = opened;
            told.add("opened");
        }

        @Override
        public void streamClosed(StreamId closed) {
            told.add("closed");
        }

        @Override
        public boolean webSocketMessage(StreamId id, int opcode, ByteBuffer payload) {
            String text = StandardCharsets.ISO_8859_1.decode(payload.duplicate()).toString();
            if (holds) {
                return false;
            }
            told.add(text);
            return bench.streams.send(id, opcode, payload);
        }

        @Override
        public void webSocketClosed(StreamId id, int code) {
            told.add("code " + code);
        }
    }

    @BeforeEach
    void open() {
        connection = bench.admit(peer);
        peer.send("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        bench.run(connection, peer);
        assertTrue(peer.takeWritten().startsWith("HTTP/1.1 101 "));
    }

    private void send(ClientFrames frames) {
        peer.send(frames.bytes());
        bench.run(connection, peer);
    }

    private static ClientFrames frames() {
        return new ClientFrames();
    }

    private static String text(String text) {
        return "\u0081" + (char) text.length() + text;
    }

    @Test
    void theEchoIsHeardBehindMessagesThatWereNotNow() {
        echo.holds = true;
        send(frames().text("held").text("behind"));
        bench.streams.close(echo.stream, 1000);
        bench.connections.flush();
        send(frames().close(1000, ""));
        assertTrue(peer.outputShut, "its echo was not heard");
        assertEquals(List.of("opened", "closed"), echo.told);
    }

    @Test
    void notNowStopsTheReadingAndLosesNothing() {
        echo.holds = true;
        send(frames().text("a").text("b").ping("p"));
        assertFalse(peer.readWanted);
        int reads = peer.reads;
        send(frames().text("c"));
        assertEquals(reads, peer.reads, "reads of a held stream");
        assertEquals("", peer.takeWritten());
        echo.holds = false;
        bench.streams.resume(echo.stream);
        bench.connections.flush();
        bench.run(connection, peer);
        assertEquals(text("a") + text("b") + "\u008a\u0001p" + text("c"), peer.takeWritten());
        assertEquals(List.of("opened", "a", "b", "c"), echo.told);
    }

    @Test
    void anEmptyOutboxTakesOneMessageWhateverItsSizeAndThenNoMore() {
        peer.room = 0;
        assertTrue(bench.streams.send(echo.stream, 2, ByteBuffer.allocate(MESSAGE_BYTES_MAX)));
        assertFalse(bench.streams.send(echo.stream, 2, ByteBuffer.allocate(1)));
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        assertTrue(bench.streams.send(echo.stream, 2, ByteBuffer.allocate(1)));
    }

    @Test
    void whatAFinFindsUnsentIsStillSent() {
        peer.room = 0;
        peer.send(frames().text("a").bytes());
        peer.sendFin();
        bench.run(connection, peer);
        assertEquals(List.of("opened", "a", "code 1006"), echo.told);
        assertFalse(peer.readWanted, "a FIN is read for ever");
        peer.room = 100;
        bench.run(connection, peer);
        assertEquals(text("a"), peer.takeWritten());
        assertEquals(List.of("opened", "a", "code 1006", "closed"), echo.told);
    }

    @Test
    void aCloseThatIsStuckIsStillSentBehindTheFinOfItsPeer() {
        peer.room = 0;
        bench.streams.close(echo.stream, 1000);
        bench.connections.flush();
        peer.sendFin();
        bench.run(connection, peer);
        peer.room = 100;
        bench.run(connection, peer);
        assertEquals("\u0088\u0002\u0003\u00e8", peer.takeWritten(), "the close that was stuck");
        assertEquals(List.of("opened", "closed"), echo.told);
    }

    @Test
    void aPeerThatReadsNothingBehindItsFinIsGivenUpAfterTwoSeconds() {
        peer.room = 0;
        peer.send(frames().text("a").bytes());
        peer.sendFin();
        bench.run(connection, peer);
        bench.advanceMs(1900);
        assertFalse(peer.closed);
        bench.advanceMs(200);
        assertTrue(peer.closed);
        assertEquals(List.of("opened", "a", "code 1006", "closed"), echo.told);
    }

    @Test
    void aResetIsToldOnce() {
        peer.readFails = true;
        bench.run(connection, peer);
        assertTrue(peer.closed);
        assertEquals(List.of("opened", "code 1006", "closed"), echo.told);
    }
}
