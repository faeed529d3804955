package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.ProtocolViolation;
import m0.loop.ReadyWork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies that a source brings: how they are framed, pulled, and cut. */
class ConnectionChunksTest {
    private final Parts parts = new Parts();
    private final Bench bench = new Bench(request -> request.pathIs("/health")
            ? Response.text(200, "ok") : Response.status(200).chunks(parts, length(request)).build());
    private final ScriptedTransport peer = new ScriptedTransport();
    private ReadyWork connection;

    @BeforeEach
    void connect() {
        connection = bench.admit(peer);
    }

    private static long length(Request request) {
        String length = request.queryParameter("length");
        return length == null ? Body.Chunks.UNKNOWN : Long.parseLong(length);
    }

    /** Gives its parts one by one; an empty one is "nothing for now". */
    private static final class Parts implements ChunkSource {
        private final ArrayDeque<String> left = new ArrayDeque<>();
        private int asked;
        private int closed;
        private boolean throwing;
        /** It never ends, and has nothing behind its parts. */
        private boolean waiting;
        /** What it says that it keeps; below 0 it throws. */
        private long heldBytes;

        @Override
        public long heldBytes() {
            if (heldBytes < 0) {
                throw new IllegalStateException("asked to throw");
            }
            return heldBytes;
        }

        @Override
        public boolean next(ByteBuffer into) {
            asked++;
            if (throwing) {
                throw new IllegalStateException("asked to throw");
            }
            if (!waiting || !left.isEmpty()) {
                into.put(left.removeFirst().getBytes());
            }
            return waiting || !left.isEmpty();
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private void get(String line, String... texts) {
        parts.left.addAll(List.of(texts));
        peer.send(line + "\r\nHost: a\r\n\r\n");
        bench.run(connection, peer);
    }

    private String takeBody() {
        String written = peer.takeWritten();
        return written.substring(written.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void eachPartIsAChunkAndTheConnectionStays() {
        get("GET / HTTP/1.1", "one", "two");
        assertEquals("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n", takeBody());
        assertEquals(1, parts.closed);
        get("GET /health HTTP/1.1");
        assertEquals("ok", takeBody());
    }

    @Test
    void anOldClientGetsTheBareBytesAndTheEndOfTheConnection() {
        get("GET / HTTP/1.0", "one", "two");
        String written = peer.takeWritten();
        assertTrue(written.endsWith("Connection: close\r\n\r\nonetwo"), written);
        assertFalse(written.contains("Transfer-Encoding"), written);
        assertTrue(peer.closed || peer.outputShut);
    }

    @Test
    void aSizedBodyHasItsLengthAndTheConnectionStays() {
        get("GET /?length=6 HTTP/1.1", "one", "two");
        String written = peer.takeWritten();
        assertTrue(written.contains("\r\nContent-Length: 6\r\n"), written);
        assertFalse(written.contains("Transfer-Encoding"), written);
        assertTrue(written.endsWith("\r\n\r\nonetwo"), written);
        assertEquals(1, parts.closed);
        get("GET /health HTTP/1.1");
        assertEquals("ok", takeBody());
    }

    @Test
    void anOldClientKeepsItsConnectionBehindASizedBody() {
        get("GET /?length=3 HTTP/1.0\r\nConnection: keep-alive", "one");
        String written = peer.takeWritten();
        assertTrue(written.contains("\r\nConnection: keep-alive\r\n"), written);
        assertTrue(written.endsWith("\r\n\r\none"), written);
        get("GET /health HTTP/1.1");
        assertEquals("ok", takeBody());
    }

    @Test
    void headHasTheLengthAndPullsNothing() {
        get("HEAD /?length=3 HTTP/1.1", "one");
        String written = peer.takeWritten();
        assertTrue(written.contains("\r\nContent-Length: 3\r\n"), written);
        assertTrue(written.endsWith("\r\n\r\n"), written);
        assertEquals(0, parts.asked);
        assertEquals(1, parts.closed);
    }

    @Test
    void aSourceThatEndsSoonerCutsTheConnectionAndIsTold() {
        get("GET /x?length=7 HTTP/1.1", "one", "two");
        assertTrue(takeBody().length() < 7);
        assertTrue(peer.closed, "the connection is kept");
        assertEquals(1, parts.closed);
        assertEquals(List.of("the chunks of GET /x fewer bytes came than were announced, by 1"),
                bench.failures);
    }

    @Test
    void aSourceThatBringsMoreCutsTheConnectionAndIsTold() {
        get("GET /x?length=5 HTTP/1.1", "one", "two");
        String body = takeBody();
        assertTrue(body.length() <= 5, () -> "more than was announced: " + body);
        assertTrue(peer.closed, "the connection is kept");
        assertEquals(1, parts.closed);
        assertEquals(List.of("the chunks of GET /x more bytes came than were announced"),
                bench.failures);
    }

    @Test
    void whatComesBehindAllThatWasAnnouncedIsMore() {
        get("GET /x?length=3 HTTP/1.1", "one", "two");
        assertEquals("one", takeBody());
        assertTrue(peer.closed, "the connection is kept");
        assertEquals(1, bench.failures.size());
    }

    /** Its handler may go on for long, but the answer is whole, and the next request is due. */
    @Test
    void aSourceThatHasBroughtAllIsNotWaitedFor() {
        parts.waiting = true;
        get("GET /?length=3 HTTP/1.1", "one");
        assertEquals("one", takeBody());
        assertEquals(1, parts.closed, "the source is still waited for");
        get("GET /health HTTP/1.1");
        assertEquals("ok", takeBody());
        assertEquals(List.of(), bench.failures);
    }

    @Test
    void aSizedBodyMayBeEmpty() {
        parts.waiting = true;
        get("GET /?length=0 HTTP/1.1");
        assertTrue(peer.takeWritten().contains("\r\nContent-Length: 0\r\n"));
        assertEquals(1, parts.closed);
        assertTrue(peer.readWanted);
        assertFalse(peer.closed);
    }

    @Test
    void whatIsPipelinedBehindIsAnsweredAfterIt() {
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n");
        parts.left.addAll(List.of("one"));
        bench.run(connection, peer);
        String written = peer.takeWritten();
        assertTrue(written.contains("3\r\none\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n"), written);
        assertTrue(written.endsWith("ok"), written);
    }

    @Test
    void headPullsNothing() {
        get("HEAD / HTTP/1.1", "one");
        assertTrue(peer.takeWritten().endsWith("Transfer-Encoding: chunked\r\n\r\n"));
        assertEquals(0, parts.asked);
        assertEquals(1, parts.closed, "and the source is closed all the same");
    }

    @Test
    void aSourceIsPulledOnlyAsTheSocketTakes() {
        String part = "x".repeat(10_000);
        peer.room = 15_000;
        get("GET / HTTP/1.1", part, part, part, part);
        assertEquals(2, parts.asked);
        assertEquals(0, parts.closed);
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        assertEquals(4, parts.asked);
        String chunk = "2710\r\n" + part + "\r\n";
        assertEquals(chunk + chunk + chunk + chunk + "0\r\n\r\n", takeBody());
    }

    @Test
    void aSourceThatHasNothingIsAskedAgainAndHoldsNobody() {
        get("GET / HTTP/1.1", "one", "", "", "two");
        assertEquals("3\r\none\r\n", takeBody());
        assertEquals(2, parts.asked);
        assertFalse(peer.writeWanted);
        bench.advanceMs(200);
        assertEquals("3\r\ntwo\r\n0\r\n\r\n", peer.takeWritten());
        assertTrue(peer.readWanted);
    }

    @Test
    void aSourceThatThrowsCutsTheConnectionWithoutAnEnd() {
        parts.throwing = true;
        get("GET /x HTTP/1.1");
        assertFalse(peer.takeWritten().contains("0\r\n\r\n"));
        assertTrue(peer.closed);
        assertEquals(1, parts.closed);
        assertEquals(List.of("the chunks of GET /x asked to throw"), bench.failures);
    }

    /** Each keeps 100,000 bytes, and the loop may hold 300,000. */
    @Test
    void whatSourcesKeepCountsAgainstWhatTheLoopMayHold() {
        List<Parts> sources = new ArrayList<>();
        Bench tight = tight(sources);
        List<ScriptedTransport> peers = new ArrayList<>();
        for (int count = 0; count < 4; count++) {
            sources.add(waitingSource(100_000 - 1024));
            peers.add(stuck(tight));
        }
        assertEquals(List.of(false, false, false, true),
                peers.stream().map(each -> each.closed).toList(), "which were cut");
        assertEquals(List.of(ProtocolViolation.MEMORY_SHORT), tight.limits);
        assertEquals(1, sources.get(3).closed);
        peers.get(0).writeFails = true;
        tight.advanceMs(2000);
        assertTrue(peers.get(0).closed);
        sources.add(waitingSource(100_000 - 1024));
        assertFalse(stuck(tight).closed, "one that has gone is counted still");
        tight.connections.closeAll();
        assertTrue(tight.streams.bench().isHoldingNothing(), "what is counted without a connection");
    }

    /** Its writer goes on while the socket is full. */
    @Test
    void aSourceThatGrowsBesideAFullSocketIsFoundOut() {
        List<Parts> sources = new ArrayList<>(List.of(waitingSource(0)));
        Bench tight = tight(sources);
        ScriptedTransport slow = stuck(tight);
        tight.advanceMs(2000);
        assertFalse(slow.closed);
        sources.get(0).heldBytes = 400_000;
        tight.advanceMs(2000);
        assertTrue(slow.closed, "it keeps more than all may");
        assertEquals(1, sources.get(0).closed);
    }

    @Test
    void aSourceThatCannotSayWhatItKeepsCutsItsConnectionAndIsTold() {
        List<Parts> sources = new ArrayList<>(List.of(waitingSource(-1)));
        Bench tight = tight(sources);
        assertTrue(stuck(tight).closed, "the connection is kept");
        assertEquals(List.of("the chunks of GET /x asked to throw"), tight.failures);
        assertEquals(1, sources.get(0).closed);
        assertEquals(List.of(), tight.limits);
    }

    private static Parts waitingSource(long heldBytes) {
        Parts source = new Parts();
        source.left.add("one");
        source.waiting = true;
        source.heldBytes = heldBytes;
        return source;
    }

    /** One that answers with the last of these, and may hold 300,000 bytes. */
    private static Bench tight(List<Parts> sources) {
        ConnectionConfig small = new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0, 0, 0,
                300_000, 0, 0, 0, StreamConfig.DEFAULT);
        return new Bench(small, request -> Response.status(200)
                .chunks(sources.get(sources.size() - 1)).build());
    }

    /** A client that asks and does not read. */
    private static ScriptedTransport stuck(Bench tight) {
        ScriptedTransport slow = new ScriptedTransport();
        ReadyWork admitted = tight.admit(slow);
        slow.room = 0;
        slow.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        tight.run(admitted, slow);
        return slow;
    }

    @Test
    void aClientThatGoesClosesTheSource() {
        peer.room = 100;
        get("GET / HTTP/1.1", "x".repeat(10_000), "y");
        assertEquals(0, parts.closed);
        peer.writeFails = true;
        bench.run(connection, peer);
        assertTrue(peer.closed);
        assertEquals(1, parts.closed);
    }

    @Test
    void theLogHasTheBytesThatTheSourceGave() {
        get("GET / HTTP/1.1", "one", "two");
        assertEquals(6, bench.records.get(0).bytes());
    }

    @Test
    void aClientThatGoesWhileTheSourceHasNothingIsNoticed() {
        get("GET / HTTP/1.1", "one", "");
        parts.waiting = true;
        assertTrue(peer.readWanted);
        peer.readFails = true;
        bench.run(connection, peer);
        assertTrue(peer.closed);
        assertEquals(1, parts.closed);
    }

    @Test
    void aSourceThatHasNothingIsNotWaitedForByAHalfClosedClientForEver() {
        parts.waiting = true;
        get("GET / HTTP/1.1", "one");
        peer.sendFin();
        bench.run(connection, peer);
        bench.advanceMs(59_000);
        assertFalse(peer.closed);
        bench.advanceMs(2000);
        assertTrue(peer.closed);
        assertEquals(1, parts.closed);
    }

    @Test
    void aSourceWhoseAnswerIsReplacedIsClosed() {
        AppHandler replacing = new AppHandler() {
            @Override
            public Response handle(Request request) {
                return Response.status(200).chunks(parts).build();
            }

            @Override
            public Response afterResponse(Request request, Response response) {
                return Response.text(503, "not now");
            }
        };
        Bench other = new Bench(replacing);
        ReadyWork replaced = other.admit(peer);
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        other.run(replaced, peer);
        assertTrue(peer.takeWritten().endsWith("not now"));
        assertEquals(1, parts.closed);
        assertEquals(0, parts.asked);
    }
}
