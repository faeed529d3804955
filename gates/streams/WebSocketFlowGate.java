package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import kit.ClientFrames;
import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.Upload;
import kit.WsClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** I17, I19, L17, H5: a client that reads late loses nothing, and costs a bounded number of bytes. */
@Gate
class WebSocketFlowGate {

    private static final int LATE_MESSAGES = 3000;
    private static final int MESSAGE_LETTERS = 8000;
    private static final int RECEIVE_BUFFER = 16 * 1024;
    private static final Duration BOUND = Duration.ofSeconds(40);
    /** So long without a byte taken, and the sender is held up. */
    private static final long STUCK_MS = 700;
    /** So long a close that is not echoed is waited for. */
    private static final long ECHO_MS = 2000;
    /** What the sockets of one connection hold at most, beside what the host keeps. */
    private static final long SOCKETS_BYTES_MAX = 12L * 1024 * 1024;

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        // A ping among the messages would be none of them, on a machine where they take long.
        server = ServerProcess.app("host_check").set("M0_SSE_HEARTBEAT_MS", "0").start();
    }

    @Test
    void threeThousandMessagesComeBackToAClientThatReadsLate() {
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, RECEIVE_BUFFER);
                WsClient socket = WsClient.open(client, "/ws", "")) {
            var frames = new ClientFrames();
            for (int number = 0; number < LATE_MESSAGES; number++) {
                frames.text(message(number));
            }
            Upload upload = client.upload(frames.bytes(), 1);
            upload.awaitStuck(STUCK_MS, BOUND);
            for (int number = 0; number < LATE_MESSAGES; number++) {
                socket.expectText(message(number));
            }
            socket.close(1000).expectClose(1000);
            socket.expectEnd();
        }
    }

    private static String message(int number) {
        return number + ":" + "m".repeat(MESSAGE_LETTERS);
    }

    /** Each is over half of the outbox: a second one is refused room, and offered again later. */
    @Test
    void messagesThatDoNotFitBesideOthersComeBackToo() {
        int messages = 400;
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, RECEIVE_BUFFER);
                WsClient socket = WsClient.open(client, "/ws", "")) {
            var frames = new ClientFrames();
            byte[] payload = new byte[50_000];
            for (int number = 0; number < messages; number++) {
                payload[0] = (byte) number;
                frames.binary(payload);
            }
            Upload upload = client.upload(frames.bytes(), 1);
            upload.awaitStuck(STUCK_MS, BOUND);
            for (int number = 0; number < messages; number++) {
                payload[0] = (byte) number;
                socket.expect(ClientFrames.BINARY, payload);
            }
        }
    }

    @Test
    void whileItReadsNothingOthersAreServedAndItCostsNoCpu() {
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, RECEIVE_BUFFER);
                WsClient late = WsClient.open(client, "/ws", "");
                WsClient other = WsClient.open(server, "/ws")) {
            Upload upload = client.upload(new ClientFrames().text(message(0)).bytes(), 20_000);
            upload.awaitStuck(STUCK_MS, BOUND);
            // What was compiled on the way is compiled by then.
            ServerProcess.pause(1000);
            double usedSeconds = server.quietCpuSeconds(2000, 0.5);
            other.text("meanwhile").expectText("meanwhile");
            assertTrue(usedSeconds < 0.5, usedSeconds + " CPU-seconds in 2 s");
            Figures.add(getClass(), "CPU under a WebSocket that is not read, 2 s", usedSeconds, "s",
                    0.5);
            late.expectText(message(0));
        }
    }

    @Test
    void aMessageThatIsNotNowStopsTheReadingAndIsNotLost() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            var frames = new ClientFrames().text("hold");
            for (int number = 0; number < 200; number++) {
                frames.text("held " + number);
            }
            socket.send(frames);
            socket.connection().expectSilence(700);
            resume();
            // Where what was held is lost, this comes in its place.
            socket.ping("on");
            for (int number = 0; number < 200; number++) {
                socket.expectText("held " + number);
            }
            socket.expect(ClientFrames.PONG, RawClient.bytes("on"));
        }
    }

    @Test
    void aFragmentedMessageAndPingsBehindAHeldOneWaitInOrder() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.send(new ClientFrames().text("hold").text("first")
                    .frame(false, ClientFrames.TEXT, RawClient.bytes("sec")).ping("p")
                    .frame(true, 0, RawClient.bytes("ond")).text("hold").text("third"));
            socket.connection().expectSilence(300);
            resume();
            socket.expectText("first").expect(ClientFrames.PONG, RawClient.bytes("p"));
            socket.expectText("second");
            socket.connection().expectSilence(300);
            resume();
            socket.expectText("third");
        }
    }

    @Test
    void whileItIsHeldNothingIsReadIntoMemory() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.text("hold");
            byte[] block = new ClientFrames().binary(new byte[60_000]).bytes();
            int blocks = 1000;
            Upload upload = socket.connection().upload(block, blocks);
            long sent = upload.awaitStuck(STUCK_MS, BOUND);
            assertTrue(sent < SOCKETS_BYTES_MAX, sent + " bytes were taken while it was held");
            assertTrue(server.quietCpuSeconds(1000, 0.3) < 0.3, "CPU while it was held");
            Figures.add(getClass(), "bytes taken while a WebSocket is held", sent, "bytes",
                    SOCKETS_BYTES_MAX);
            resume();
            for (int count = 0; count < blocks; count++) {
                assertEquals(60_000, socket.read().payload().length, "message " + count);
            }
            assertFalse(upload.join(BOUND).failed(), "the upload broke");
        }
    }

    /** A pause of the machine may make the echo late, so the least of some rounds is judged. */
    @Test
    void aHeldSocketThatTheApplicationClosesEndsOrderly() {
        double afterMs = Rounds.least(ECHO_MS, WebSocketFlowGate::msToTheEndOfAHeldSocket);
        assertTrue(afterMs < ECHO_MS, "its echo was heard after " + afterMs + " ms only");
    }

    private static double msToTheEndOfAHeldSocket() {
        try (WsClient socket = WsClient.open(server, "/ws")) {
            socket.send(new ClientFrames().text("hold").text("waits"));
            awaitHeld();
            // Before the close, so that waiting for it in vain takes two seconds at least.
            long sinceNs = System.nanoTime();
            try (RawClient client = RawClient.connect(server)) {
                client.get("/close?code=4002").expect(200);
            }
            socket.expectClose(4002).close(4002);
            Ending ending = socket.connection().readUntilClosed(BOUND);
            // An echo that was sent too late may be answered by a reset.
            if (ending.afterMs(sinceNs) < ECHO_MS) {
                ending.expectNothing();
            }
            return ending.afterMs(sinceNs);
        }
    }

    @Test
    void anOutboxTakesNoMoreThanItsBound() {
        int bytes = 8 * 1024;
        int messages = 50_000;
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, RECEIVE_BUFFER);
                WsClient socket = WsClient.open(client, "/ws", "")) {
            long before = Hooks.of(server).number("flooded");
            socket.text("flood " + messages + " " + bytes);
            ServerProcess.await("the flood to be over", Duration.ofSeconds(20),
                    () -> Hooks.of(server).number("flooded") > before);
            long taken = Hooks.of(server).number("flooded") - before;
            assertTrue(taken >= 8, taken + " messages taken: an outbox holds eight");
            assertTrue(taken * bytes < SOCKETS_BYTES_MAX, taken + " messages taken of a client "
                    + "that reads nothing");
            Figures.add(getClass(), "bytes taken for a client that reads nothing", taken * bytes,
                    "bytes", SOCKETS_BYTES_MAX);
            for (long count = 0; count < taken; count++) {
                assertEquals(bytes, socket.read().payload().length, "message " + count);
            }
            socket.text("on").expectText("on");
        }
    }

    @Test
    void manyLateReadersLoseNothing() {
        var sockets = new ArrayList<WsClient>();
        try {
            for (int count = 0; count < 16; count++) {
                sockets.add(WsClient.open(
                        RawClient.connectWithReceiveBuffer(server, RECEIVE_BUFFER), "/ws", ""));
            }
            var frames = new ClientFrames();
            for (int number = 0; number < 500; number++) {
                frames.text(message(number));
            }
            sockets.forEach(each -> each.connection().upload(frames.bytes(), 1));
            ServerProcess.pause(500);
            for (WsClient socket : sockets) {
                for (int number = 0; number < 500; number++) {
                    socket.expectText(message(number));
                }
            }
        } finally {
            sockets.forEach(WsClient::close);
        }
    }

    /** One that is asked to go on before it has been told to hold would hold for ever. */
    private static void awaitHeld() {
        Hooks.await(server, "held", 1, BOUND);
    }

    private static void resume() {
        awaitHeld();
        try (RawClient client = RawClient.connect(server)) {
            client.get("/resume").expect(200);
        }
    }
}
