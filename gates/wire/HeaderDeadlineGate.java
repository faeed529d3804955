package wire;

import java.time.Duration;
import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A5: a head has a time to arrive in, from its first byte or from the accept, and no more. */
@Gate
class HeaderDeadlineGate {

    private static final long DEADLINE_MS = 2500;
    private static final long NOT_AFTER_MS = Slack.notAfterMs(DEADLINE_MS);

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo")
                .set("M0_HEADER_TIMEOUT_MS", String.valueOf(DEADLINE_MS)).start();
    }

    @Test
    void aHeadThatStallsIs408AtTheDeadline() {
        long sinceNs = System.nanoTime();
        try (RawClient client = connect("GET /hello HTTP/1.1\r\nHo")) {
            timedOut(client, sinceNs, "a stalled head");
        }
    }

    @Test
    void trickledBytesDoNotExtendIt() {
        long sinceNs = System.nanoTime();
        try (RawClient client = connect("GET /hello HTTP/1.1\r\nHost: a\r\nX-Drip: ")) {
            client.drip(new byte[] {'d'}, 1000, 50);
            timedOut(client, sinceNs, "a dripped head");
        }
    }

    @Test
    void theHeadOfALaterRequestHasItsOwn() {
        try (RawClient client = connect("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")) {
            client.read().expect(200).expectOpen();
            ServerProcess.pause(DEADLINE_MS + Slack.SWEEP_MS + 500);
            long sinceNs = System.nanoTime();
            client.send("G");
            timedOut(client, sinceNs, "a stalled later head");
        }
    }

    @Test
    void aConnectionThatNeverSendsAByteIsClosedUnanswered() {
        long sinceNs = System.nanoTime();
        try (RawClient client = RawClient.connect(server)) {
            Ending ending = client.closedWithin(sinceNs, DEADLINE_MS, NOT_AFTER_MS)
                    .expectNothing();
            Figures.add(HeaderDeadlineGate.class, "a silent connection closed after",
                    ending.afterMs(sinceNs), "ms", NOT_AFTER_MS);
        }
    }

    @Test
    void aHeadThatArrivesInTimeIsServed() {
        Rounds.inPace(5, DEADLINE_MS - 100, pace -> {
            try (RawClient client = RawClient.connect(server)) {
                client.sendSlowly("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", 4, 80);
                pace.step();
                client.read().expect(200).expectBody("hello").expectOpen();
            }
        });
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
        Figures.add(HeaderDeadlineGate.class, what + " closed after", ending.afterMs(sinceNs),
                "ms", NOT_AFTER_MS);
    }
}
