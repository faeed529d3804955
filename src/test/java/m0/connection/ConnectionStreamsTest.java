package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Event streams: what goes out, in what order, what a full outbox does, and how they end. */
class ConnectionStreamsTest {
    private static final int OUTBOX = 1000;
    private static final StreamConfig STREAMS = new StreamConfig(OUTBOX, 1 << 20,
            5_000_000_000L, 7, 3, m0.ws.Origins.ANY, 1 << 20, 1 << 20);

    private final Events events = new Events();
    private final ConnectionConfig config = new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0,
            0, 1_000_000_000L, 1 << 20, 0, 0, 0, STREAMS);
    private final Bench bench = new Bench(config, events);
    private final ScriptedTransport peer = new ScriptedTransport();
    private ReadyWork connection;

    @BeforeEach
    void connect() {
        connection = bench.admit(peer);
    }

    /** Opens streams, and notes what it is told of them. */
    private static final class Events implements AppHandler {
        private final List<StreamId> opened = new ArrayList<>();
        private final List<StreamId> closed = new ArrayList<>();
        private final List<String> heard = new ArrayList<>();
        private String throwsIn = "";

        @Override
        public Response handle(Request request) {
            if (request.pathIs("/health")) {
                return Response.text(200, "ok");
            }
            StreamPolicy policy = request.pathIs("/latest") ? StreamPolicy.LATEST : StreamPolicy.LOG;
            return Response.status(200).events("news", policy, true,
                    request.pathIs("/greeted") ? List.of("data: hi\n\n".getBytes()) : List.of())
                    .build();
        }

        @Override
        public void streamOpened(StreamId stream, Request request) {
            opened.add(stream);
            throwIn("streamOpened");
        }

        @Override
        public void streamClosed(StreamId stream) {
            closed.add(stream);
            throwIn("streamClosed");
        }

        @Override
        public void peerFrame(String channel, long id, ByteBuffer frame) {
            heard.add(channel + " " + id + " " + StandardCharsets.UTF_8.decode(frame));
            throwIn("peerFrame");
        }

        private void throwIn(String hook) {
            if (hook.equals(throwsIn)) {
                throw new IllegalStateException("asked to throw");
            }
        }
    }

    private void get(String path, String fields) {
        peer.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
        bench.run(connection, peer);
    }

    private static String chunk(String payload) {
        return Integer.toHexString(payload.length()) + "\r\n" + payload + "\r\n";
    }

    private static String event(long id, String data) {
        return chunk("id: " + id + "\nevent: n\ndata: " + data + "\n\n");
    }

    private String takeBody() {
        String written = peer.takeWritten();
        int head = written.indexOf("\r\n\r\n");
        return written.substring(head < 0 ? 0 : head + 4);
    }

    @Test
    void sendsTheHeadAtOnceWithTheFieldsOfAStream() {
        get("/", "");
        String head = peer.takeWritten();
        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                + "Cache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n"), head);
        assertTrue(head.contains("Transfer-Encoding: chunked\r\nX-Worker: 0\r\n"), head);
        assertFalse(head.contains("Content-Length"), head);
        assertEquals(1, events.opened.size());
        assertEquals(7, peer.keepAliveSeconds);
    }

    @Test
    void sendsInitialFramesThenEachPublishedFrameAsOneChunk() {
        get("/greeted", "");
        bench.publish("news", "n", "a");
        bench.publish("other", "n", "b");
        bench.publish("news", "n", "c");
        assertEquals(chunk("data: hi\n\n") + event(1, "a") + event(3, "c"), takeBody());
        assertEquals(List.of("news 1 a", "other 2 b", "news 3 c"), events.heard);
    }

    @Test
    void anOldClientGetsBareFramesEndedByTheConnection() {
        peer.send("GET / HTTP/1.0\r\n\r\n");
        bench.run(connection, peer);
        bench.publish("news", "n", "a");
        String all = peer.takeWritten();
        assertFalse(all.contains("Transfer-Encoding"), all);
        assertTrue(all.contains("Connection: close\r\n\r\nid: 1\nevent: n\ndata: a\n\n"), all);
        bench.streams.close(events.opened.get(0), 0);
        bench.deliver();
        assertEquals("", peer.takeWritten());
        assertTrue(peer.outputShut);
    }

    @Test
    void headGetsTheHeadAndOpensNothing() {
        peer.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n");
        bench.run(connection, peer);
        String all = peer.takeWritten();
        assertTrue(all.contains("text/event-stream"), all);
        assertTrue(all.endsWith("\r\n\r\nok"), all);
        assertEquals(List.of(), events.opened);
    }

    @Test
    void replaysWhatWasMissedInOrderAheadOfLiveFrames() {
        for (String data : List.of("a", "b", "c")) {
            bench.publish("news", "n", data);
        }
        get("/greeted", "Last-Event-ID: 1\r\n");
        bench.publish("news", "n", "d");
        assertEquals(chunk("data: hi\n\n") + event(2, "b") + event(3, "c") + event(4, "d"),
                takeBody());
    }

    @Test
    void whoHasSeenTheLastFrameIsReplayedNothing() {
        bench.publish("news", "n", "a");
        get("/", "Last-Event-ID: 1\r\n");
        assertEquals("", takeBody());
    }

    @Test
    void withoutTheFieldNothingIsReplayed() {
        bench.publish("news", "n", "a");
        get("/", "");
        assertEquals("", takeBody());
    }

    @Test
    void saysThatThereIsAGapWhereTheJournalHasNotAll() {
        for (int id = 1; id <= 4; id++) {
            bench.publish("news", "n", "x");
        }
        get("/", "Last-Event-ID: 0\r\n");
        assertEquals(chunk("event: gap\ndata: {}\n\n"), takeBody());
    }

    @Test
    void anIdAboveTheHeadIsAGap() {
        bench.publish("news", "n", "a");
        get("/", "Last-Event-ID: 9\r\n");
        bench.publish("news", "n", "b");
        assertEquals(chunk("event: gap\ndata: {}\n\n") + event(2, "b"), takeBody());
    }

    /** A client comes to a loop that has not taken from its ring yet what a sibling has sent. */
    @Test
    void aFrameThatTheClientHasSeenElsewhereIsNotSentTwice() {
        bench.bus.publisher().publish("news", "n", ByteBuffer.wrap(new byte[] {'a'}));
        get("/", "Last-Event-ID: 1\r\n");
        bench.publish("news", "n", "b");
        assertEquals(event(2, "b"), takeBody());
    }

    @Test
    void aLostFrameEndsLogStreamsAndARestoredOneIsToldOfTheGap() {
        get("/", "");
        ScriptedTransport other = new ScriptedTransport();
        ReadyWork latest = bench.admit(other);
        other.send("GET /latest HTTP/1.1\r\nHost: a\r\n\r\n");
        bench.run(latest, other);
        bench.streams.onFramesLost(5);
        bench.deliver();
        assertTrue(peer.closed);
        assertFalse(other.closed);
        ScriptedTransport back = new ScriptedTransport();
        ReadyWork again = bench.admit(back);
        back.send("GET / HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 4\r\n\r\n");
        bench.run(again, back);
        assertTrue(back.takeWritten().contains("event: gap"));
    }

    @Test
    void aFullOutboxDropsFramesOfALatestStreamAndKeepsItsOrder() {
        peer.room = 300;
        get("/latest", "");
        String data = "x".repeat(400);
        for (int count = 0; count < 5; count++) {
            bench.publish("news", "n", data);
        }
        assertFalse(peer.closed);
        assertEquals(3, bench.dropped);
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        bench.publish("news", "n", "z");
        assertEquals(event(1, data) + event(2, data) + event(6, "z"), takeBody());
    }

    @Test
    void aFullOutboxEndsALogStream() {
        peer.room = 300;
        get("/", "");
        for (int count = 0; count < 3; count++) {
            bench.publish("news", "n", "x".repeat(400));
        }
        assertTrue(peer.closed);
        assertEquals(events.opened, events.closed);
        assertEquals(0, bench.connections.live());
    }

    @Test
    void anEmptyOutboxTakesOneFrameWhateverItsSize() {
        get("/", "");
        peer.takeWritten();
        peer.room = 0;
        bench.publish("news", "n", "x".repeat(5 * OUTBOX));
        assertFalse(peer.closed);
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        assertEquals(event(1, "x".repeat(5 * OUTBOX)), takeBody());
    }

    @Test
    void theHeartbeatComesAtItsTimeAndNotBefore() {
        get("/", "");
        peer.takeWritten();
        bench.advanceMs(4900);
        assertEquals("", peer.takeWritten());
        bench.advanceMs(100);
        assertEquals(chunk(": heartbeat\n\n"), peer.takeWritten());
        bench.advanceMs(5000);
        assertEquals(chunk(": heartbeat\n\n"), peer.takeWritten());
    }

    @Test
    void aResetIsFoundByTheNextFrameAndToldOnce() {
        get("/", "");
        peer.writeFails = true;
        bench.publish("news", "n", "a");
        assertTrue(peer.closed);
        assertEquals(events.opened, events.closed);
    }

    @Test
    void aFinIsFollowedByTwoProbesAndEndsNothing() {
        get("/", "");
        peer.takeWritten();
        peer.sendFin();
        bench.run(connection, peer);
        assertEquals(chunk(": heartbeat\n\n"), peer.takeWritten());
        bench.advanceMs(2000);
        assertEquals(chunk(": heartbeat\n\n"), peer.takeWritten());
        bench.publish("news", "n", "a");
        assertEquals(event(1, "a"), peer.takeWritten());
        assertFalse(peer.closed);
    }

    @Test
    void aClientThatHasGoneIsFoundByTheProbeBehindItsFin() {
        get("/", "");
        peer.sendFin();
        bench.run(connection, peer);
        peer.writeFails = true;
        bench.advanceMs(1100);
        assertTrue(peer.closed);
        assertEquals(events.opened, events.closed);
    }

    @Test
    void anEndByTheApplicationLeavesTheConnectionAndWhatWasPipelinedIsAnswered() {
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n");
        bench.run(connection, peer);
        takeBody();
        assertTrue(bench.streams.close(events.opened.get(0), 0));
        bench.deliver();
        String all = peer.takeWritten();
        assertTrue(all.startsWith("0\r\n\r\nHTTP/1.1 200 OK\r\n"), all);
        assertTrue(all.endsWith("ok"), all);
        assertFalse(peer.closed);
        assertEquals(events.opened, events.closed);
        get("/", "");
        assertEquals(2, events.opened.size());
        assertFalse(events.opened.get(0).equals(events.opened.get(1)));
        assertFalse(bench.streams.close(events.opened.get(0), 0), "a name of the past");
    }

    @Test
    void aRequestThatComesDuringTheStreamWaitsForItsEnd() {
        get("/", "");
        takeBody();
        get("/health", "");
        assertEquals("", peer.takeWritten());
        bench.publish("news", "n", "a");
        assertEquals(event(1, "a"), peer.takeWritten());
        bench.streams.close(events.opened.get(0), 0);
        bench.deliver();
        assertTrue(peer.takeWritten().endsWith("ok"));
    }

    @Test
    void aDrainSaysWhenToComeBackAndCloses() {
        get("/", "");
        takeBody();
        bench.stop.ask();
        bench.connections.beginDrain();
        bench.deliver();
        String farewell = peer.takeWritten();
        assertTrue(farewell.matches("(?s)[0-9a-f]+\r\nretry: \\d+\n: closing\n\n\r\n0\r\n\r\n"),
                farewell);
        assertTrue(peer.closed);
        assertTrue(bench.connections.isDrained());
        assertEquals(events.opened, events.closed);
    }

    @Test
    void aThrowInStreamOpenedEndsThatStream() {
        events.throwsIn = "streamOpened";
        get("/", "");
        bench.deliver();
        assertTrue(peer.takeWritten().endsWith("0\r\n\r\n"));
        assertEquals(List.of("streamOpened asked to throw"), bench.failures);
        assertEquals(events.opened, events.closed);
    }

    @Test
    void aThrowInPeerFrameKeepsNoFrameFromTheStreams() {
        get("/", "");
        takeBody();
        events.throwsIn = "peerFrame";
        bench.publish("news", "n", "a");
        assertEquals(event(1, "a"), peer.takeWritten());
        assertEquals(List.of("peerFrame asked to throw"), bench.failures);
    }

    @Test
    void aThousandThatGoAtOnceAreToldOnceEach() {
        List<ScriptedTransport> peers = new ArrayList<>();
        for (int index = 0; index < 50; index++) {
            ScriptedTransport one = new ScriptedTransport();
            ReadyWork each = bench.admit(one);
            one.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            bench.run(each, one);
            one.writeFails = index % 2 == 0;
            peers.add(one);
        }
        bench.publish("news", "n", "a");
        bench.publish("news", "n", "b");
        assertEquals(25, events.closed.size());
        assertEquals(25, events.closed.stream().distinct().count());
        assertEquals(25, peers.stream().filter(one -> !one.closed
                && one.takeWritten().endsWith(event(1, "a") + event(2, "b"))).count());
    }

    @Test
    void theLogHasAStreamsOpeningAndItsEnd() {
        get("/", "");
        bench.publish("news", "n", "a");
        assertEquals(List.of(ExchangeRecord.Event.STREAM_OPEN),
                bench.records.stream().map(ExchangeRecord::event).toList());
        bench.streams.close(events.opened.get(0), 0);
        bench.deliver();
        ExchangeRecord end = bench.records.get(1);
        assertEquals(ExchangeRecord.Event.STREAM_CLOSE, end.event());
        assertEquals(event(1, "a").length() + 5, end.bytes());
    }

    /** Fifty streams that wait for room share the bytes: told by what the thread allocates. */
    @Test
    void aFrameIsEncodedOnceForAllStreamsOfTheLoop() {
        int streams = 50;
        List<ScriptedTransport> peers = new ArrayList<>();
        for (int index = 0; index < streams; index++) {
            ScriptedTransport one = new ScriptedTransport();
            ReadyWork each = bench.admit(one);
            one.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            bench.run(each, one);
            peers.add(one);
        }
        String data = "x".repeat(30_000);
        bench.publish("news", "n", data);
        peers.forEach(one -> one.room = 0);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        bench.publish("news", "n", data);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < streams * data.length() / 2,
                "bytes for " + streams + " streams: " + allocated);
    }

    @Test
    void whatWaitsOnAllStreamsTogetherIsBounded() {
        StreamConfig tight = new StreamConfig(OUTBOX, 1 << 20, 0, 0, 3, m0.ws.Origins.ANY, 1500,
                1 << 20);
        Bench small = new Bench(new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0, 0,
                1_000_000_000L, 1 << 20, 0, 0, 0, tight), events);
        for (int index = 0; index < 5; index++) {
            ScriptedTransport one = new ScriptedTransport();
            ReadyWork each = small.admit(one);
            one.send("GET /latest HTTP/1.1\r\nHost: a\r\n\r\n");
            small.run(each, one);
            one.room = 0;
        }
        small.publish("news", "n", "x".repeat(300));
        assertEquals(0, small.dropped, "an empty outbox takes one whatever waits");
        small.publish("news", "n", "x".repeat(300));
        assertEquals(5, small.dropped);
    }
}
