package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import kit.SseClient;
import kit.SseClient.Block;
import kit.WsClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D12, D13: how streams end at a stop, and what a stop does not wait for. */
@Gate
@Isolated("it measures how long stops take")
class StreamDrainGate {
    private static final int STREAMS = 20;
    private static final Duration EXIT = Duration.ofSeconds(30);
    /** For a stop that waits for nothing: far from what it takes, and from its bound. */
    private static final long AT_ONCE_MS = 15_000;
    /** Far from what it takes to open a stream and to read from it. */
    private static final long DELAY_MS = 4500;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void idleStreamsAreToldWhenToComeBackEachAtAnotherTime(int loops) {
        List<SseClient> streams = new ArrayList<>();
        try (ServerProcess server = quiet().set("M0_THREADS", String.valueOf(loops))
                .set("M0_DRAIN_TIMEOUT_MS", "20000").start()) {
            try {
                for (int count = 0; count < STREAMS; count++) {
                    streams.add(SseClient.open(server, "/events?channel=c"));
                }
                long sinceNs = System.nanoTime();
                server.term();
                Set<Long> retries = new HashSet<>();
                for (SseClient stream : streams) {
                    retries.add(expectFarewell(stream));
                }
                assertTrue(retries.size() > STREAMS / 2, "all at once: " + retries);
                assertEquals(0, server.awaitExit(EXIT));
                long ms = (System.nanoTime() - sinceNs) / 1_000_000;
                Figures.add(StreamDrainGate.class, "a stop with " + STREAMS + " idle streams", ms,
                        "ms", AT_ONCE_MS);
                assertTrue(ms < AT_ONCE_MS, "it waited for idle streams: " + ms + " ms");
            } finally {
                streams.forEach(SseClient::close);
            }
        }
    }

    /** The retry, the comment and the end, whole, and nothing else; the retry. */
    private static long expectFarewell(SseClient stream) {
        List<Block> rest = stream.rest(RawClient.WAIT);
        assertEquals(1, rest.size(), "the farewell: " + rest);
        Block farewell = rest.get(0);
        assertEquals("retry: " + farewell.retryMs() + "\n: closing\n\n", farewell.raw());
        assertTrue(farewell.retryMs() >= 500 && farewell.retryMs() <= 3000, farewell.raw());
        stream.connection().expectEnd();
        return farewell.retryMs();
    }

    @Test
    void anOldClientsStreamEndsWithItsFarewellAndTheConnection() {
        try (ServerProcess server = quiet().start(); RawClient client = RawClient.connect(server)) {
            client.send("GET /events?channel=c HTTP/1.0\r\n\r\n");
            SseClient stream = SseClient.over(client);
            server.term();
            List<Block> rest = stream.rest(RawClient.WAIT);
            assertEquals(1, rest.size(), "the farewell: " + rest);
            assertEquals("retry: " + rest.get(0).retryMs() + "\n: closing\n\n",
                    rest.get(0).raw());
            assertEquals(0, server.awaitExit(EXIT));
        }
    }

    @Test
    void anIdleWebSocketIsGoingAway() {
        try (ServerProcess server = quiet().start(); WsClient socket = WsClient.open(server, "/ws")) {
            server.term();
            socket.expectClose(1001);
            socket.close(1001);
            socket.expectEnd();
            assertEquals(0, server.awaitExit(EXIT));
        }
    }

    /** Its farewell cannot leave; it has a second for it, and not the drain's whole bound. */
    @Test
    void aReaderThatIsStuckHoldsTheDrainForItsSecondAlone() {
        try (ServerProcess server = quiet().set("M0_DRAIN_TIMEOUT_MS", "15000")
                .set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
                RawClient publisher = RawClient.connect(server);
                RawClient small = RawClient.connectWithReceiveBuffer(server, 16 * 1024);
                SseClient idle = SseClient.open(server, "/events?channel=d")) {
            SseClient.open(small, "/events?channel=c&policy=latest", "");
            for (int count = 0; count < 150; count++) {
                Published.all(publisher, "channel=c&size=32768&count=10");
            }
            long sinceNs = System.nanoTime();
            server.term();
            expectFarewell(idle);
            long idleMs = (System.nanoTime() - sinceNs) / 1_000_000;
            assertEquals(0, server.awaitExit(EXIT));
            long ms = (System.nanoTime() - sinceNs) / 1_000_000;
            Figures.add(StreamDrainGate.class, "a stop beside a stuck reader", ms, "ms",
                    Slack.notAfterMs(1000));
            assertTrue(ms >= 980, "vacuous: nothing was stuck, it ended after " + ms + " ms");
            assertTrue(ms <= Slack.notAfterMs(1000), "the stuck reader held it for " + ms + " ms");
            assertTrue(idleMs < ms, "the idle one waited for the stuck one");
            assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
        }
    }

    /** Ready says no, and yet whoever comes meanwhile is served as before. */
    @Test
    void aStreamThatOpensDuringTheDrainsDelayIsServedUntilItsEnd() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_HOSTCHECK_PERIOD_MS", "50")
                .set("M0_DRAIN_DELAY_MS", String.valueOf(DELAY_MS)).start();
                SseClient held = SseClient.open(server, "/events")) {
            held.event();
            long sinceNs = System.nanoTime();
            server.term();
            ServerProcess.await("the delay, in which answers say close", RawClient.WAIT,
                    () -> saysClose(server));
            try (SseClient late = SseClient.open(server, "/events")) {
                for (SseClient stream : List.of(held, late)) {
                    List<Block> events = stream.events(5, RawClient.WAIT);
                    Ids.expectContiguous(events, events.get(0).id());
                }
                for (SseClient stream : List.of(held, late)) {
                    List<Block> rest = stream.rest(RawClient.WAIT);
                    Block last = rest.get(rest.size() - 1);
                    assertTrue(last.raw().endsWith(": closing\n\n"), last.raw());
                    Ids.expectContiguous(rest.subList(0, rest.size() - 1), rest.get(0).id());
                }
            }
            assertEquals(0, server.awaitExit(EXIT));
            long ms = (System.nanoTime() - sinceNs) / 1_000_000;
            assertTrue(ms >= DELAY_MS - 20, "it ended after " + ms + " ms, within its delay");
        }
    }

    private static boolean saysClose(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            return client.get("/health").expect(200).saysClose();
        }
    }

    /** By order: the streams have ended while the upload is still on its way. */
    @Test
    void streamsEndAtOnceBesideARequestInFlightThatIsAnsweredWhole() {
        List<SseClient> streams = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("echo").set("M0_DRAIN_TIMEOUT_MS", "12000")
                .start();
                RawClient upload = RawClient.connect(server)) {
            try {
                for (int count = 0; count < STREAMS; count++) {
                    SseClient stream = SseClient.open(server, "/events");
                    streams.add(stream);
                }
                upload.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n1");
                upload.awaitTaken();
                server.term();
                ServerProcess.pause(100);
                upload.send("2");
                for (SseClient stream : streams) {
                    List<Block> rest = stream.rest(RawClient.WAIT);
                    Block last = rest.get(rest.size() - 1);
                    assertTrue(last.raw().endsWith(": closing\n\n"), last.raw());
                }
                upload.send("34").read().expect(200).expectBody("1234").expectClose();
                upload.expectEnd();
                assertEquals(0, server.awaitExit(EXIT));
            } finally {
                streams.forEach(SseClient::close);
            }
        }
    }

    /** A client that pipelined a request behind its stream gets an end, and no answer. */
    @Test
    void whatIsAskedBehindAStreamIsNotBegunByADrain() {
        try (ServerProcess server = quiet().start(); RawClient client = RawClient.connect(server)) {
            client.send("GET /events?channel=c HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
            SseClient stream = SseClient.over(client);
            server.term();
            expectFarewell(stream);
            assertEquals(0, server.awaitExit(EXIT));
        }
    }

    private static ServerProcess.Plan quiet() {
        return ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000");
    }
}
