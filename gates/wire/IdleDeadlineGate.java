package wire;

import kit.Ending;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
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
            long sinceNs = System.nanoTime();
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectOpen();
            closed(client, sinceNs, "an idle connection");
        }
    }

    @Test
    void eachAnswerBeginsItAnew() {
        // Two steps lie between an answer and the next request, and both within the deadline.
        Rounds.inPace(5, DEADLINE_MS / 2, pace -> {
            try (RawClient client = RawClient.connect(server)) {
                for (int count = 0; count < 8; count++) {
                    pace.step();
                    client.get("/hello").expect(200).expectOpen();
                    pace.step();
                    ServerProcess.pause(500);
                }
                pace.step();
                long sinceNs = System.nanoTime();
                client.get("/hello").expect(200).expectOpen();
                pace.step();
                closed(client, sinceNs, "a connection idle after nine answers");
            }
        });
    }

    @Test
    void theFirstByteOfARequestEndsIt() {
        Rounds.play(5, () -> {
            try (RawClient client = RawClient.connect(server)) {
                long sinceNs = System.nanoTime();
                client.get("/hello").expect(200).expectOpen();
                ServerProcess.pause(500);
                client.send("G");
                Rounds.voidIf(System.nanoTime() - sinceNs > DEADLINE_MS * 1_000_000,
                        "the first byte came behind the deadline");
                ServerProcess.pause(DEADLINE_MS + Slack.SWEEP_MS + 700);
                client.send("ET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
                client.read().expect(200).expectOpen();
            }
        });
    }

    @Test
    void zeroIsNever() {
        try (ServerProcess patient = ServerProcess.app("echo").set("M0_IDLE_TIMEOUT_MS", "0")
                .set("M0_HEADER_TIMEOUT_MS", "500").start()) {
            RawClient[] first = new RawClient[1];
            // In one with the accept, from which the header deadline runs.
            patient.whileSuspended(() -> first[0] = RawClient.connect(patient)
                    .send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"));
            try (RawClient client = first[0]) {
                client.read().expect(200).expectOpen();
                client.expectSilence(3000);
                client.get("/hello").expect(200).expectOpen();
            }
        }
    }

    private static void closed(RawClient client, long sinceNs, String what) {
        Ending ending = client.closedWithin(sinceNs, DEADLINE_MS, NOT_AFTER_MS).expectNothing();
        Figures.add(IdleDeadlineGate.class, what + " closed after", ending.afterMs(sinceNs),
                "ms", NOT_AFTER_MS);
    }
}
