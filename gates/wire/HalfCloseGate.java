package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Ending;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A12, A27, A29, A30: a FIN ends the request stream and not the connection. */
@Gate
class HalfCloseGate {

    private static final long INCOMPLETE_MS = 5000;
    private static final List<String> INCOMPLETE = List.of(
            "GET /instance",
            "GET /instance HTTP/1.1\r\nHost: a\r\n",
            "GET /instance HTTP/1.1\r\nHost: a\r\n\r",
            "GET /instance HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
            "GET /instance HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
            "GET /instance HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n");

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("host_check").start();
    }

    @Test
    void aRequestInFrontOfAFinIsAnsweredWithClose() {
        try (RawClient client = RawClient.connect(server)) {
            findsAtOnce(client, "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectBody(server.pid() + "\n").expectClose();
            client.expectEnd();
        }
    }

    @Test
    void twoHundredPipelinedInFrontOfAFinAreAllAnswered() {
        int count = 200;
        try (RawClient client = RawClient.connect(server)) {
            findsAtOnce(client, "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count));
            for (int index = 1; index <= count; index++) {
                Reply reply = client.read().expect(200);
                // The last one must say so. An earlier one may not: the client would stop there.
                assertEquals(index == count, reply.saysClose(), "close in answer " + index);
            }
            client.expectEnd();
        }
    }

    @Test
    void aFinDuringTheAnswerDoesNotEndIt() {
        Rounds.play(5, () -> {
            try (RawClient client = RawClient.connect(server)) {
                client.send("GET /slow?ms=600 HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
                client.awaitTaken().shutdownOutput().awaitArrived();
                Rounds.voidIf(client.hasBytes(), "the fin came behind the answers");
                assertTrue(client.read().expect(200).text().startsWith("slow"));
                client.read().expect(200).expectClose();
                client.expectEnd();
            }
        });
    }

    @Test
    void aFinBehindALongAnswerThatIsStillLeavingDoesNotCutIt() {
        int bytes = 16 * 1024 * 1024;
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, 16 * 1024)) {
            client.send("GET /bytes?n=" + bytes + " HTTP/1.1\r\nHost: a\r\n\r\n");
            client.awaitBytes();
            client.shutdownOutput();
            ServerProcess.pause(300);
            assertEquals(bytes,
                    client.read("GET", Duration.ofSeconds(60)).expect(200).body().length);
            client.expectEnd();
        }
    }

    @Test
    void aFinOnAnIdleConnectionEndsIt() {
        try (RawClient client = RawClient.connect(server)) {
            client.get("/pid").expect(200).expectOpen();
            long sinceNs = System.nanoTime();
            client.shutdownOutput();
            client.closedWithin(sinceNs, 0, Slack.MACHINE_MS).expectNothing();
        }
    }

    @Test
    void anIncompleteRequestBehindAFinIsClosedAndNeverRun() {
        List<RawClient> clients = new ArrayList<>();
        try (RawClient counter = RawClient.connect(server)) {
            int before = Instance.count(counter);
            long sinceNs = System.nanoTime();
            for (String half : INCOMPLETE) {
                RawClient client = RawClient.connect(server);
                clients.add(client);
                client.send(half).shutdownOutput();
            }
            for (int index = 0; index < clients.size(); index++) {
                Ending ending = clients.get(index)
                        .closedWithin(sinceNs, 0, INCOMPLETE_MS + Slack.SWEEP_MS + 3000);
                assertFalse(ending.text().startsWith("HTTP/1.1 200"),
                        INCOMPLETE.get(index) + " is answered: " + ending);
            }
            assertEquals(before + 1, Instance.count(counter), "handler runs");
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void aCompleteRequestInFrontOfAnIncompleteOneAndAFinIsAnswered() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\nGET /inst").shutdownOutput();
            client.read().expect(200).expectBody(server.pid() + "\n");
            Ending ending = client.readUntilClosed(RawClient.WAIT);
            assertFalse(ending.text().startsWith("HTTP/1.1 200"), "answered: " + ending);
        }
    }

    /** The server stands still until both have arrived: it finds requests and FIN in one look. */
    private static void findsAtOnce(RawClient client, String requests) {
        server.whileSuspended(() -> client.send(requests).shutdownOutput().awaitArrived());
    }
}
