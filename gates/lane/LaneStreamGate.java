package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.Test;

/** E26: a stream begins on the loop. From a pool thread it is 409, named in the log, and closed. */
@Gate
class LaneStreamGate {
    private static final Duration LOG = Duration.ofSeconds(20);
    private static final String WHY = " 409 a stream can only be opened on the loop: ";
    private static final String FIX =
            " (answer it in beforeRequest, or have its route answered on the loop)";

    @Test
    void anEventStreamFromAPoolThreadIs409() {
        try (ServerProcess server = hostCheck(2).start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /events-from-func HTTP/1.1\r\nHost: a\r\n\r\n");
            expectRefused(server, client, "/events-from-func");
        }
    }

    @Test
    void aWebSocketFromAPoolThreadIs409() {
        try (ServerProcess server = hostCheck(2).start();
                RawClient client = RawClient.connect(server)) {
            client.send(WsClient.handshake("/ws-from-func", WsClient.newKey(), ""));
            expectRefused(server, client, "/ws-from-func");
        }
    }

    /** Reads the head first: a stream that was opened would have no end. */
    private static void expectRefused(ServerProcess server, RawClient client, String path) {
        client.readHead().expect(409).expectClose();
        client.readUntilClosed(RawClient.WAIT).expectOrderly();
        server.awaitStderr(WHY + "GET " + path + FIX, LOG);
        assertEquals(1, server.stderrLinesWith(WHY), server.stderr());
        assertTrue(server.stderr().lines().anyMatch(line -> line.matches(
                "host: loop=0 thread=[01] 409 .*")), server.stderr());
        try (RawClient other = RawClient.connect(server)) {
            other.get("/pid").expect(200);
        }
    }

    @Test
    void whatIsPipelinedBehindIsNotRun() {
        try (ServerProcess server = hostCheck(1).start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /events-from-func HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(409).expectClose();
            client.expectEnd();
            try (RawClient other = RawClient.connect(server)) {
                // The stream and this question alone.
                assertEquals(2, Said.number(other, "/hooks-from-func", "handle"));
            }
        }
    }

    /** The negative arm: handle is on the loop where there is no lane, and so is its stream. */
    @Test
    void withoutALaneTheSameRoutesOpen() {
        try (ServerProcess server = hostCheck(0).start();
                SseClient stream = SseClient.open(server, "/events-from-func");
                WsClient socket = WsClient.open(server, "/ws-from-func")) {
            stream.event();
            socket.text("hello").expectText("hello");
        }
    }

    @Test
    void streamsThatBeginOnTheLoopWorkBesideALane() {
        try (ServerProcess server = hostCheck(2).start();
                SseClient stream = SseClient.open(server, "/events");
                WsClient socket = WsClient.open(server, "/ws");
                RawClient client = RawClient.connect(server)) {
            long id = stream.event().id();
            for (int count = 0; count < 5; count++) {
                socket.text("hello").expectText("hello");
                client.get("/pid").expect(200);
                assertEquals(++id, stream.event().id(), "the beat's id");
            }
            // What a pool thread publishes reaches them too.
            try (SseClient other = SseClient.open(server, "/events?channel=c")) {
                long published = Said.number(client, "/publish?channel=c", "id");
                assertEquals(published, other.event().id());
            }
        }
    }

    /** A body of no known length is the loop's to pull, whoever answered with it. */
    @Test
    void chunksFromAPoolThreadAreServed() {
        try (ServerProcess server = hostCheck(2).start();
                RawClient client = RawClient.connect(server)) {
            Reply answer = client.get("/chunks-from-func?bytes=300000&piece=7000").expect(200);
            assertEquals("chunked", answer.header("Transfer-Encoding"));
            assertEquals(300_000, answer.body().length);
            for (int index = 0; index < answer.body().length; index++) {
                if (answer.body()[index] != (byte) (index % 251)) {
                    throw new AssertionError("byte " + index + " is " + answer.body()[index]);
                }
            }
            client.get("/pid").expect(200);
        }
    }

    private static ServerProcess.Plan hostCheck(int threads) {
        return ServerProcess.app("host_check")
                .set("M0_BLOCKING_THREADS", String.valueOf(threads))
                .set("M0_SSE_HEARTBEAT_MS", "0");
    }
}
