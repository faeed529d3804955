package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.ServerProcess;
import kit.Spread;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** I9, A3, A9: what an event stream is on the wire, and that each carries every event. */
@Gate
class SseGate {
    private static final int STREAMS = 6;
    private static final int BEATS = 12;
    private static final String NO_BEATS = "600000";

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyStreamCarriesEveryBeatInOrder(int loops) {
        List<SseClient> streams = new ArrayList<>();
        try (ServerProcess server = hostCheck().set("M0_THREADS", String.valueOf(loops)).start()) {
            try {
                Spread.over(loops, STREAMS, streams, () -> SseClient.open(server, "/events"),
                        SseClient::worker);
                for (SseClient stream : streams) {
                    List<Block> beats = stream.events(BEATS, RawClient.WAIT);
                    Ids.expectContiguous(beats, beats.get(0).id());
                    for (Block beat : beats) {
                        assertEquals("beat", beat.event());
                        assertEquals("{\"beat\":" + beat.id() + ",\"pid\":" + server.pid() + "}",
                                beat.data());
                    }
                }
            } finally {
                streams.forEach(SseClient::close);
            }
        }
    }

    /**
     * The first event comes 1.5 s after the request, and the head is not kept for it. Where a pause
     * has the head read so late that the event is there, nothing is known.
     */
    @Test
    void theHeadComesBeforeTheFirstEvent() {
        try (ServerProcess server = ServerProcess.app("echo").start()) {
            Rounds.untilProven("an event came with each head",
                    () -> isAheadOfItsFirstEvent(server));
        }
    }

    private static boolean isAheadOfItsFirstEvent(ServerProcess server) {
        try (SseClient stream = SseClient.open(server, "/events")) {
            boolean ahead = stream.tryBlock(Duration.ofMillis(700)) == null && !stream.isEnded();
            assertEquals("text/event-stream", stream.head().header("Content-Type"));
            assertEquals("no-cache, no-transform", stream.head().header("Cache-Control"));
            assertEquals("no", stream.head().header("X-Accel-Buffering"));
            assertEquals("chunked", stream.head().header("Transfer-Encoding"));
            assertNull(stream.head().header("Content-Length"));
            assertEquals(0, stream.worker());
            stream.head().expectOpen();
            stream.event();
            return ahead;
        }
    }

    @Test
    void headGetsTheHeadAloneAndOpensNothing() {
        try (ServerProcess server = hostCheck().start();
                RawClient client = RawClient.connect(server)) {
            Reply head = client.send("HEAD /events HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD")
                    .expect(200).expectOpen();
            assertEquals("text/event-stream", head.header("Content-Type"));
            client.expectSilence(500);
            Hooks hooks = Hooks.of(client);
            assertEquals(0, hooks.number("streamOpened"), hooks.toString());
        }
    }

    @Test
    void anOldClientGetsBareEventsEndedByTheConnection() {
        try (ServerProcess server = hostCheck().start();
                RawClient other = RawClient.connect(server);
                RawClient client = RawClient.connect(server)) {
            client.send("GET /events HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            SseClient stream = SseClient.over(client);
            assertNull(stream.head().header("Transfer-Encoding"));
            stream.head().expectClose();
            List<Block> beats = stream.events(BEATS, RawClient.WAIT);
            Ids.expectContiguous(beats, beats.get(0).id());
            other.get("/close").expect(200).expectBody("closed 1\n");
            stream.rest(RawClient.WAIT);
        }
    }

    @Test
    void whatIsAskedBehindAStreamIsAnsweredOnceItHasEnded() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_PERIOD_MS", NO_BEATS).start();
                RawClient other = RawClient.connect(server);
                RawClient client = RawClient.connect(server)) {
            client.send("GET /events?channel=c HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
            SseClient stream = SseClient.over(client);
            client.send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
            stream.expectSilence(300);
            long id = Published.all(other, "channel=c");
            assertEquals(id, stream.event().id());
            other.get("/close").expectBody("closed 1\n");
            assertEquals(List.of(), stream.rest(RawClient.WAIT));
            client.read().expect(200).expectBody("ok");
            client.read().expect(200).expectBody(server.pid() + "\n");
            client.get("/health").expect(200).expectOpen();
        }
    }

    @Test
    void aStreamOnTheRequestThatReachesTheCapGoesOn() {
        try (ServerProcess server = hostCheck().set("M0_MAX_KEEPALIVE_REQUESTS", "2").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/health").expect(200).expectOpen();
            SseClient stream = SseClient.open(client, "/events", "");
            stream.head().expectClose();
            List<Block> beats = stream.events(BEATS, RawClient.WAIT);
            Ids.expectContiguous(beats, beats.get(0).id());
            try (RawClient other = RawClient.connect(server)) {
                other.get("/close").expectBody("closed 1\n");
            }
            stream.rest(RawClient.WAIT);
            client.expectEnd();
        }
    }

    @Test
    void dataMayBreakLinesInEachWayAndNeverAnEvent() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_PERIOD_MS", NO_BEATS).start();
                RawClient other = RawClient.connect(server);
                SseClient stream = SseClient.open(server, "/events?channel=c")) {
            long id = Published.all(other, "channel=c&event=n&data=a%0Ab%0Dc%0D%0Ad%0A%0Aid:%209");
            Block event = stream.event();
            assertEquals("id: " + id + "\nevent: n\ndata: a\ndata: b\ndata: c\ndata: d\ndata: \n"
                    + "data: id: 9\n\n", event.raw());
            Published refused = Published.ask(other, "channel=c&event=n%0Adata:%20x");
            assertEquals(0, refused.id(), refused.toString());
            assertFalse(refused.reason().isEmpty(), "a refusal without a reason");
            stream.expectSilence(300);
        }
    }

    /** An empty outbox takes it whatever its own bound. */
    @Test
    void aFrameLargerThanAnOutboxComesWhole() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_PERIOD_MS", NO_BEATS)
                .set("M0_STREAM_OUTBOX", "4k").start();
                RawClient other = RawClient.connect(server);
                SseClient stream = SseClient.open(server, "/events?channel=c")) {
            for (int count = 0; count < 3; count++) {
                long id = Published.all(other, "channel=c&size=65536");
                Block event = stream.event();
                assertEquals(id, event.id());
                assertEquals(65536, event.data().length());
            }
            Published refused = Published.ask(other, "channel=c&size=65537");
            assertEquals(0, refused.id(), refused.toString());
            assertTrue(refused.reason().contains("65536"), refused.toString());
        }
    }

    @Test
    void aStreamCarriesItsOwnChannelAlone() {
        try (ServerProcess server = hostCheck().start();
                RawClient other = RawClient.connect(server);
                SseClient stream = SseClient.open(server, "/events?channel=c")) {
            Published.all(other, "channel=d&count=5");
            stream.expectSilence(500);
            long id = Published.all(other, "channel=c");
            assertEquals(id, stream.event(Duration.ofSeconds(20)).id());
        }
    }

    private static ServerProcess.Plan hostCheck() {
        return ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "50");
    }
}
