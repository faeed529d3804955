package wire;

import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A4: a quiet connection is closed at its deadline and not before. */
@Gate
class IdleDeadlineGate {

    private static final long DEADLINE_MS = 1500;
    private static final long NOT_AFTER_MS = Slack.notAfterMs(DEADLINE_MS);

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo")
                .set("M0_IDLE_TIMEOUT_MS", String.valueOf(DEADLINE_MS)).start();
    }

    @Test
    void aQuietConnectionIsClosedAtTheDeadline() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
            long sinceNs = System.nanoTime();
            client.read().expect(200).expectOpen();
            closed(client, sinceNs, "an idle connection");
        }
    }

    @Test
    void eachAnswerBeginsItAnew() {
        try (RawClient client = RawClient.connect(server)) {
            for (int count = 0; count < 5; count++) {
                client.get("/hello").expect(200).expectOpen();
                ServerProcess.pause(700);
            }
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
            long sinceNs = System.nanoTime();
            client.read().expect(200).expectOpen();
            closed(client, sinceNs, "a connection idle after six answers");
        }
    }

    @Test
    void theFirstByteOfARequestEndsIt() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/hello").expect(200).expectOpen();
            ServerProcess.pause(500);
            client.send("G");
            ServerProcess.pause(DEADLINE_MS + Slack.SWEEP_MS + 700);
            client.send("ET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectOpen();
        }
    }

    @Test
    void zeroIsNever() {
        try (ServerProcess patient = ServerProcess.app("echo").set("M0_IDLE_TIMEOUT_MS", "0")
                    .set("M0_HEADER_TIMEOUT_MS", "500").start();
                RawClient client = RawClient.connect(patient)) {
            client.get("/hello").expect(200).expectOpen();
            client.expectSilence(3000);
            client.get("/hello").expect(200).expectOpen();
        }
    }

    private static void closed(RawClient client, long sinceNs, String what) {
        Ending ending = client.closedWithin(sinceNs, DEADLINE_MS, NOT_AFTER_MS).expectNothing();
        Figures.add(IdleDeadlineGate.class, what + " closed after", ending.afterMs(sinceNs),
                "ms", NOT_AFTER_MS);
    }
}
