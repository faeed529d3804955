package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.ClientFrames;
import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import kit.WsClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** I16, L15, L16, L29: how a WebSocket ends, whoever begins, and that its handler hears of it once. */
@Gate
class WebSocketCloseGate {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long ECHO_MS = 2000;
    private static final int CROWD = 64;

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("host_check").set("M0_SSE_HEARTBEAT_MS", "0").start();
    }

    @Test
    void aCloseIsAnsweredWithItsCodeAndThenTheConnectionEnds() {
        for (int code : new int[] {1000, 1001, 1003, 1007, 1011, 1012, 1014, 3000, 4999}) {
            try (WsClient socket = WsClient.open(server, "/ws")) {
                socket.send(new ClientFrames().close(code, "because")).expectClose(code);
                socket.expectEnd();
            } catch (AssertionError failure) {
                throw new AssertionError("code " + code + ": " + failure.getMessage(), failure);
            }
        }
        assertTrue(Hooks.of(server).codes().contains("1000,1001,1003,1007,1011,1012,1014,3000,4999"),
                "codes told to the application: " + Hooks.of(server));
    }

    @Test
    void aCloseWithoutACodeIsAnsweredWithoutOne() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.send(new ClientFrames().frame(true, ClientFrames.CLOSE, new byte[0]));
            assertEquals(0, socket.read().payload().length, "bytes in the answer");
            socket.expectEnd();
        }
        assertTrue(Hooks.of(server).codes().contains("1005"), "code told to the application");
    }

    @Test
    void whatWasSentBeforeACloseComesBackAndWhatIsBehindItDoesNot() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.send(new ClientFrames().text("before").close(1000, "").text("behind")
                    .ping("behind"));
            socket.expectText("before").expectClose(1000);
            socket.expectEnd();
        }
    }

    @Test
    void aCloseBetweenFragmentsIsAnswered() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.send(new ClientFrames().frame(false, ClientFrames.TEXT, new byte[3])
                    .close(1000, "")).expectClose(1000);
            socket.expectEnd();
        }
    }

    @Test
    void handshakeFramesCloseAndFinAtOnceAreAllAnswered() {
        String key = WsClient.newKey();
        try (RawClient client = RawClient.connect(server)) {
            byte[] frames = new ClientFrames().text("all").close(1000, "").bytes();
            // The FIN is there by the time the handshake is looked at.
            client.send("GET /slow?ms=300 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + WsClient.handshake("/ws", key, "")
                    + new String(frames, StandardCharsets.ISO_8859_1)).shutdownOutput();
            client.read().expect(200);
            WsClient socket = WsClient.over(client, key);
            socket.expectText("all").expectClose(1000);
            socket.expectEnd();
        }
    }

    @Test
    void whatWasSentInFrontOfAFinComesBack() {
        var frames = new ClientFrames();
        for (int number = 0; number < 300; number++) {
            frames.text(number + " " + "m".repeat(500));
        }
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.send(frames).connection().shutdownOutput();
            for (int number = 0; number < 300; number++) {
                socket.expectText(number + " " + "m".repeat(500));
            }
            socket.expectEnd();
        }
    }

    @Test
    void nothingFollowsACloseThatTheApplicationStarts() {
        Hooks before = Hooks.of(server);
        List<WsClient> sockets = crowd();
        try {
            ClientFrames asking = new ClientFrames().text("close 4000").text("late").ping("late");
            sockets.forEach(each -> each.send(asking));
            for (WsClient socket : sockets) {
                socket.expectClose(4000);
                // The echo, and then the end at once.
                socket.close(4000).expectEnd();
            }
        } finally {
            sockets.forEach(WsClient::close);
        }
        Hooks after = Hooks.await(server, "streamClosed", before.number("streamClosed") + CROWD,
                BOUND);
        assertEquals(0, after.number("sentBehindClose"), "messages taken behind a close");
        assertEquals(0, after.number("astray"), "hooks called astray");
    }

    /** A pause that makes an echo late makes the end late: of some rounds the least is judged. */
    @Test
    void whoEchoesIsClosedAtOnceAndWhoDoesNotAfterTwoSeconds() {
        double latestEchoedMs = Rounds.least(ECHO_MS, WebSocketCloseGate::msToTheLastEchoed);
        assertTrue(latestEchoedMs < ECHO_MS, "who echoes was closed after " + latestEchoedMs
                + " ms only");
        Figures.add(getClass(), "echoed close to FIN, the last of 32", latestEchoedMs, "ms",
                ECHO_MS);
    }

    private static double msToTheLastEchoed() {
        List<WsClient> sockets = crowd();
        try {
            long sinceNs = System.nanoTime();
            sockets.forEach(each -> each.text("close 4001"));
            sockets.forEach(each -> each.expectClose(4001));
            long latestEchoedMs = 0;
            for (int index = 0; index < CROWD; index += 2) {
                sockets.get(index).close(4001);
            }
            for (int index = 0; index < CROWD; index += 2) {
                Ending ending = sockets.get(index).connection().readUntilClosed(BOUND);
                if (ending.afterMs(sinceNs) < ECHO_MS) {
                    ending.expectNothing();
                }
                latestEchoedMs = Math.max(latestEchoedMs, ending.afterMs(sinceNs));
            }
            for (int index = 1; index < CROWD; index += 2) {
                sockets.get(index).connection().closedWithin(sinceNs, ECHO_MS,
                        Slack.notAfterMs(ECHO_MS)).expectNothing();
            }
            return latestEchoedMs;
        } finally {
            sockets.forEach(WsClient::close);
        }
    }

    private static List<WsClient> crowd() {
        var sockets = new ArrayList<WsClient>();
        for (int count = 0; count < CROWD; count++) {
            sockets.add(WsClient.open(server, "/ws"));
        }
        return sockets;
    }

    @Test
    void whoSendsOnBehindTheApplicationsCloseIsNotHeard() {
        Rounds.untilProven("nothing was sent in time", WebSocketCloseGate::isNotHeardBehindAClose);
    }

    /** What is sent when its echo is no longer waited for may be answered by a reset. */
    private static boolean isNotHeardBehindAClose() {
        boolean inTime;
        Hooks before = Hooks.of(server);
        try (WsClient socket = WsClient.open(server, "/ws")) {
            long sinceNs = System.nanoTime();
            socket.text("close 1000").expectClose(1000);
            socket.connection().trySend(new ClientFrames().text("late").ping("late")
                    .close(1000, "").bytes());
            Ending ending = socket.connection().readUntilClosed(BOUND);
            inTime = ending.afterMs(sinceNs) < ECHO_MS;
            if (inTime) {
                ending.expectNothing();
            }
        }
        Hooks after = Hooks.await(server, "streamClosed", before.number("streamClosed") + 1, BOUND);
        assertEquals(before.number("webSocketMessage") + 1, after.number("webSocketMessage"),
                "messages told to the application");
        return inTime;
    }

    @Test
    void aFinWithoutACloseEndsIt() {
        Hooks before = Hooks.of(server);
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.text("a").expectText("a");
            socket.connection().shutdownOutput();
            socket.expectEnd();
        }
        Hooks after = Hooks.await(server, "streamClosed", before.number("streamClosed") + 1, BOUND);
        assertTrue(after.codes().endsWith("1006"), "code told to the application: " + after);
        assertEquals(0, after.number("open"), "streams still open");
    }

    @Test
    void aResetFreesItAtOnce() {
        Hooks before = Hooks.of(server);
        List<WsClient> sockets = crowd();
        sockets.forEach(each -> each.connection().reset());
        Hooks after = Hooks.await(server, "streamClosed", before.number("streamClosed") + CROWD,
                BOUND);
        assertEquals(0, after.number("open"), "streams still open");
        assertEquals(0, after.number("astray"), "hooks called astray");
    }

    @Test
    void anIdleSocketIsToldToGoAwayByADrain() {
        try (ServerProcess leaving = ServerProcess.app("host_check").start();
                WsClient socket = WsClient.open(leaving, "/ws")) {
            leaving.term();
            socket.expectClose(1001);
            socket.close(1001).expectEnd();
            assertEquals(0, leaving.awaitExit(BOUND), "exit code");
        }
    }

    @Test
    void aPeerThatDoesNotSayGoodbyeDoesNotHoldADrain() {
        try (ServerProcess leaving = ServerProcess.app("host_check").start();
                WsClient socket = WsClient.open(leaving, "/ws")) {
            long sinceNs = System.nanoTime();
            leaving.term();
            socket.expectClose(1001);
            Ending ending = socket.connection().readUntilClosed(BOUND);
            ending.expectOrderly();
            assertTrue(ending.afterMs(sinceNs) < Slack.notAfterMs(ECHO_MS), "ended " + ending);
            assertEquals(0, leaving.awaitExit(BOUND), "exit code");
        }
    }
}
