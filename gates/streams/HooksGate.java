package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Spread;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H1, H2, H4, H6, H7: which hook is called when, how often, and what becomes of one that throws. */
@Gate
class HooksGate {
    private static final Duration EXIT = Duration.ofSeconds(30);
    private static final int STREAMS = 10;

    @Test
    void beforeRequestRunsOnceForEachRequestAndItsAnswerIsNoJob() {
        try (ServerProcess server = hostCheck().start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".repeat(7)
                    + "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n".repeat(5));
            for (int count = 0; count < 12; count++) {
                client.read().expect(200);
            }
            Hooks hooks = Hooks.of(client);
            assertEquals(13, hooks.number("beforeRequest"), hooks.toString());
            assertEquals(5, hooks.number("handle"), hooks.toString());
            assertEquals(12, hooks.number("afterResponse"), hooks.toString());
            assertEquals(0, hooks.number("foreign"), hooks.toString());
        }
    }

    /** A request that the parser refuses is nothing of the application's. */
    @Test
    void aRefusedRequestRunsNoHook() {
        try (ServerProcess server = hostCheck().start();
                RawClient bad = RawClient.connect(server);
                RawClient client = RawClient.connect(server)) {
            bad.send("GET /pid HTTP/1.1\r\n\r\n").read().expect(400);
            Hooks hooks = Hooks.of(client);
            assertEquals(1, hooks.number("beforeRequest"), hooks.toString());
            assertEquals(0, hooks.number("handle"), hooks.toString());
            assertEquals(0, hooks.number("afterResponse"), hooks.toString());
        }
    }

    @Test
    void streamsAreOpenedAndClosedOnceOnTheLoopThatOwnsThem() {
        List<SseClient> streams = new ArrayList<>();
        try (ServerProcess server = hostCheck().set("M0_THREADS", "2").start();
                LoopClients loops = new LoopClients(server, 2)) {
            try {
                Spread.over(2, 2 * STREAMS, streams,
                        () -> SseClient.open(server, "/events?channel=c"), SseClient::worker);
                int[] opened = new int[2];
                streams.forEach(stream -> opened[stream.worker()]++);
                for (int loop = 0; loop < 2; loop++) {
                    Hooks hooks = Hooks.of(loops.on(loop));
                    assertEquals(loop, hooks.number("loop"));
                    assertEquals(opened[loop], hooks.number("streamOpened"), hooks.toString());
                    assertEquals(opened[loop], hooks.number("open"), hooks.toString());
                    assertEquals(0, hooks.number("streamClosed"), hooks.toString());
                }
                // Half of them go, and the application closes what is left.
                for (int index = 0; index < STREAMS; index++) {
                    streams.get(index).close();
                }
                for (int loop = 0; loop < 2; loop++) {
                    loops.on(loop).get("/close").expect(200);
                    int all = opened[loop];
                    Hooks.await(loops.on(loop), "the end of " + all + " streams", EXIT,
                            hooks -> hooks.number("streamClosed") >= all);
                }
                ServerProcess.pause(1500);
                for (int loop = 0; loop < 2; loop++) {
                    Hooks hooks = Hooks.of(loops.on(loop));
                    assertEquals(opened[loop], hooks.number("streamClosed"), hooks.toString());
                    assertEquals(0, hooks.number("open"), hooks.toString());
                    assertEquals(0, hooks.number("astray"), hooks.toString());
                    assertEquals(0, hooks.number("foreign"), hooks.toString());
                }
            } finally {
                streams.forEach(SseClient::close);
            }
        }
    }

    /** Streams are told of their end before the handler is of its own, once; nothing follows. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void eachHandlerIsClosedOnceAfterItsLastUse(int loops) {
        List<SseClient> streams = new ArrayList<>();
        try (ServerProcess server = hostCheck().set("M0_THREADS", String.valueOf(loops))
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").set("M0_APP_TICK_MS", "20").start()) {
            try {
                for (int count = 0; count < STREAMS; count++) {
                    streams.add(SseClient.open(server, "/events"));
                }
                server.term();
                streams.forEach(stream -> stream.rest(RawClient.WAIT));
                assertEquals(0, server.awaitExit(EXIT));
                assertEquals(loops, server.stderrLinesWith("host_check: handler closed"),
                        server.stderr());
                assertEquals(0, server.stderrLinesWith("after close"), server.stderr());
                assertEquals(loops, server.stderrLinesWith("\"close\":1,\"open\":0,\"foreign\":0,"
                        + "\"astray\":0"), server.stderr());
            } finally {
                streams.forEach(SseClient::close);
            }
        }
    }

    /** 500, close, one entry in the log, and the host serves on. */
    @ParameterizedTest
    @ValueSource(strings = {"beforeRequest", "handle", "afterResponse"})
    void aThrowWhereARequestIsAnsweredIsA500AndTheHostServesOn(String hook) {
        try (ServerProcess server = throwing(hook)) {
            for (int count = 1; count <= 3; count++) {
                try (RawClient client = RawClient.connect(server)) {
                    client.get("/pid").expect(500).expectClose();
                    client.expectEnd();
                }
                int entries = count;
                ServerProcess.await("an entry for each of " + count, EXIT, () ->
                        server.stderrLinesWith("GET /pid failed: ") == entries);
            }
        }
    }

    /** That stream ends, in order, and is told so. */
    @Test
    void aThrowInStreamOpenedEndsThatStream() {
        try (ServerProcess server = throwing("streamOpened");
                RawClient client = RawClient.connect(server)) {
            SseClient stream = SseClient.open(client, "/events?channel=c", "");
            assertEquals(List.of(), stream.rest(RawClient.WAIT));
            server.awaitStderr("streamOpened failed: ", EXIT);
            Hooks hooks = Hooks.of(client);
            assertEquals(1, hooks.number("streamOpened"), hooks.toString());
            assertEquals(1, hooks.number("streamClosed"), hooks.toString());
            assertEquals(0, hooks.number("open"), hooks.toString());
        }
    }

    @Test
    void aThrowInStreamClosedIsLoggedAndNothingElse() {
        try (ServerProcess server = throwing("streamClosed");
                RawClient client = RawClient.connect(server)) {
            try (SseClient stays = SseClient.open(server, "/events?channel=c")) {
                SseClient.open(server, "/events?channel=c").close();
                server.awaitStderr("streamClosed failed: ", EXIT);
                assertEquals(Published.all(client, "channel=c"), stays.event().id());
            }
        }
    }

    @Test
    void aThrowInPeerFrameKeepsTheFrameFromNoStream() {
        try (ServerProcess server = throwing("peerFrame")) {
            // The first beat comes at once.
            server.awaitStderr("peerFrame failed: ", EXIT);
            try (RawClient client = RawClient.connect(server);
                    SseClient stream = SseClient.open(server, "/events?channel=c")) {
                for (int count = 1; count <= 3; count++) {
                    assertEquals(Published.all(client, "channel=c"), stream.event().id());
                }
            }
        }
    }

    @Test
    void aThrowInTickEndsNeitherTicksNorTheHost() {
        try (ServerProcess server = hostCheck().set("M0_HOSTCHECK_HOOK_RAISES", "tick")
                .set("M0_APP_TICK_MS", "100").start();
                RawClient client = RawClient.connect(server)) {
            server.awaitStderr("tick failed: ", EXIT);
            long ticks = Hooks.of(client).number("tick");
            Hooks.await(client, "five more ticks", EXIT,
                    hooks -> hooks.number("tick") >= ticks + 5);
        }
    }

    @Test
    void aThrowInWebSocketMessageEndsThatSocketWith1011() {
        try (ServerProcess server = throwing("webSocketMessage");
                WsClient other = WsClient.open(server, "/ws");
                WsClient socket = WsClient.open(server, "/ws")) {
            socket.text("hello").expectClose(1011);
            socket.close(1011);
            socket.expectEnd();
            server.awaitStderr("webSocketMessage failed: ", EXIT);
            other.ping("still here");
            assertEquals(10, other.read().opcode());
        }
    }

    @Test
    void aThrowInWebSocketClosedIsLoggedAndTheCloseIsEchoed() {
        try (ServerProcess server = throwing("webSocketClosed");
                WsClient socket = WsClient.open(server, "/ws")) {
            socket.close(1000);
            socket.expectClose(1000);
            socket.expectEnd();
            server.awaitStderr("webSocketClosed failed: ", EXIT);
            try (RawClient client = RawClient.connect(server)) {
                Hooks.await(client, "the socket's end", EXIT,
                        hooks -> hooks.number("streamClosed") == 1);
            }
        }
    }

    @Test
    void aThrowInCloseIsLoggedAndTheExitIsAsGood() {
        try (ServerProcess server = throwing("close")) {
            server.term();
            assertEquals(0, server.awaitExit(EXIT));
            assertEquals(1, server.stderrLinesWith("close threw: "), server.stderr());
            assertFalse(server.stderr().contains("did not end"), server.stderr());
        }
    }

    private static ServerProcess throwing(String hook) {
        return hostCheck().set("M0_HOSTCHECK_HOOK_RAISES", hook).start();
    }

    private static ServerProcess.Plan hostCheck() {
        return ServerProcess.app("host_check").set("M0_HOSTCHECK_PERIOD_MS", "600000");
    }
}
