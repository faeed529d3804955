package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A24: a response whose client stops reading is given up; one that is read slowly is not. */
@Gate
class SendDeadlineGate {

    private static final long DEADLINE_MS = 2500;
    private static final int LARGE = 32 * 1024 * 1024;

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("host_check")
                .set("M0_SEND_TIMEOUT_MS", String.valueOf(DEADLINE_MS))
                .set("M0_IDLE_TIMEOUT_MS", "0").start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bytes?n=", "/file?bytes="})
    void aClientThatStopsReadingIsGivenUpAtTheDeadline(String route) {
        // The client's end of the connection says nothing while it does not read: the kernel's
        // table of those that a process holds does.
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, 16 * 1024)) {
            client.get("/pid").expect(200);
            long sinceNs = System.nanoTime();
            client.send("GET " + route + LARGE + " HTTP/1.1\r\nHost: a\r\n\r\n");
            ServerProcess.await("the end of the connection",
                    Duration.ofMillis(Slack.notAfterMs(DEADLINE_MS)),
                    client::isLetGo);
            long afterMs = (System.nanoTime() - sinceNs) / 1_000_000;
            Figures.add(SendDeadlineGate.class, route + " given up after", afterMs, "ms",
                    Slack.notAfterMs(DEADLINE_MS));
            assertTrue(afterMs >= DEADLINE_MS - 20, "given up after " + afterMs + " ms");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bytes?n=", "/file?bytes="})
    void aClientThatReadsSlowlyGetsEveryByte(String route) {
        // Slow for this answer, and still quicker than what the kernel's buffers hold takes to be
        // seen as progress.
        int bytes = 12 * 1024 * 1024;
        Rounds.inPace(3, DEADLINE_MS / 4, pace -> readSlowly(route, bytes, pace));
    }

    private static void readSlowly(String route, int bytes, Rounds.Pace pace) {
        RawClient client = RawClient.connectWithReceiveBuffer(server, 64 * 1024);
        try (client) {
            client.readSlowly(48 * 1024, 20);
            long sinceNs = System.nanoTime();
            client.send("GET " + route + bytes + " HTTP/1.1\r\nHost: a\r\n\r\n");
            byte[] body = client.read("GET", Duration.ofSeconds(60)).expect(200).body();
            long afterMs = (System.nanoTime() - sinceNs) / 1_000_000;
            assertEquals(bytes, body.length);
            assertEquals(-1, firstWrong(body), "the first wrong byte");
            assertTrue(afterMs > DEADLINE_MS + Slack.SWEEP_MS,
                    "all was read before the deadline: this gate would see nothing");
            client.readSlowly(64 * 1024, 0).get("/pid").expect(200);
        } finally {
            pace.begin();
            pace.step(client.longestGapMs());
        }
    }

    @Test
    void aResponseThatIsWrittenLeavesNoDeadline() {
        try (RawClient client = RawClient.connect(server)) {
            assertEquals(-1, firstWrong(client.get("/bytes?n=4000000").expect(200).body()));
            client.expectSilence(DEADLINE_MS + Slack.SWEEP_MS + 500);
            client.get("/pid").expect(200);
        }
    }

    /** host_check's bodies: byte i is i mod 251. */
    private static int firstWrong(byte[] body) {
        for (int index = 0; index < body.length; index++) {
            if ((body[index] & 0xff) != index % 251) {
                return index;
            }
        }
        return -1;
    }
}
