package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A23: a body has a time to arrive in, which a decent rate extends and a drip does not. */
@Gate
class BodyDeadlineGate {

    private static final long DEADLINE_MS = 2500;
    private static final long NOT_AFTER_MS = Slack.notAfterMs(DEADLINE_MS);

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        // The header deadline is the shorter one: it must not count for a body.
        server = ServerProcess.app("echo")
                .set("M0_HEADER_TIMEOUT_MS", "1000")
                .set("M0_BODY_TIMEOUT_MS", String.valueOf(DEADLINE_MS)).start();
    }

    @Test
    void aLengthBodyThatStallsIs408AtTheDeadline() {
        long sinceNs = System.nanoTime();
        try (RawClient client = connect(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nsome")) {
            timedOut(client, sinceNs, "a stalled length body");
        }
    }

    @Test
    void aChunkedBodyThatStallsIs408AtTheDeadline() {
        long sinceNs = System.nanoTime();
        try (RawClient client = connect(
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nso")) {
            timedOut(client, sinceNs, "a stalled chunked body");
        }
    }

    @Test
    void aDripIsCut() {
        long sinceNs = System.nanoTime();
        try (RawClient client = connect(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")) {
            client.drip(new byte[] {'d'}, 1000, 50);
            timedOut(client, sinceNs, "a dripped body");
        }
    }

    @Test
    void aSlowUploadAtADecentRatePasses() {
        int pieces = 40;
        int aheadBytes = 2_000;
        int bytes = aheadBytes + pieces * 250;
        long sinceNs = System.nanoTime();
        // What comes first buys the client four seconds in which it may be held up.
        try (RawClient client = connect("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: "
                + bytes + "\r\n\r\n" + "s".repeat(aheadBytes))) {
            client.sendSlowly("s".repeat(pieces * 250), 250, 125);
            long afterMs = (System.nanoTime() - sinceNs) / 1_000_000;
            assertTrue(afterMs > DEADLINE_MS + 2 * Slack.SWEEP_MS,
                    "the upload was over before its deadline: this gate would see nothing");
            assertEquals(bytes, client.read().expect(200).expectOpen().body().length);
        }
    }

    @Test
    void aBodyThatArrivedWholeLeavesNoDeadline() {
        try (RawClient client = connect(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nwhole")) {
            client.read().expect(200).expectBody("whole").expectOpen();
            ServerProcess.pause(DEADLINE_MS + Slack.SWEEP_MS + 700);
            client.get("/hello").expect(200).expectOpen();
        }
    }

    @Test
    void theLogNamesTheSettingOnce() {
        try (ServerProcess fresh = ServerProcess.app("echo").set("M0_BODY_TIMEOUT_MS", "300")
                    .start();
                RawClient first = RawClient.connect(fresh);
                RawClient second = RawClient.connect(fresh)) {
            String half = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nsome";
            first.send(half);
            second.send(half);
            first.read().expect(408);
            second.read().expect(408);
            fresh.expectStderrLines(1, "M0_BODY_TIMEOUT_MS", RawClient.WAIT);
        }
    }

    @Test
    void theRateIsASetting() {
        // 20 bytes a second buy more than a second each second, where two bytes buy one.
        try (ServerProcess lenient = ServerProcess.app("echo").set("M0_BODY_TIMEOUT_MS", "1000")
                    .set("M0_BODY_RATE", "2").start();
                RawClient client = RawClient.connect(lenient)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n"
                    + "s".repeat(10));
            client.sendSlowly("s".repeat(80), 1, 50);
            assertEquals(90, client.read().expect(200).body().length);
        }
    }

    /**
     * In one with the accept, or a client that is held up would have a silent connection closed.
     */
    private static RawClient connect(String request) {
        RawClient[] client = new RawClient[1];
        server.whileSuspended(() -> client[0] = RawClient.connect(server).send(request));
        return client[0];
    }

    private static void timedOut(RawClient client, long sinceNs, String what) {
        client.read("GET", Duration.ofMillis(NOT_AFTER_MS)).expect(408).expectClose();
        Ending ending = client.closedWithin(sinceNs, DEADLINE_MS, NOT_AFTER_MS).expectNothing();
        Figures.add(BodyDeadlineGate.class, what + " closed after", ending.afterMs(sinceNs),
                "ms", NOT_AFTER_MS);
    }
}
