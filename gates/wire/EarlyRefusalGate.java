package wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import kit.Upload;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A20: a refusal reaches a client that is still sending. Closing at once would reset the
 * connection under bytes nobody has read, so the server shuts its write side, reads on and throws
 * away, for a bounded time and a bounded number of bytes.
 */
@Gate
class EarlyRefusalGate {

    private static final String LENGTH_HEAD =
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n";
    private static final String CHUNKED_HEAD =
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String CHUNK = "1000\r\n" + "c".repeat(0x1000) + "\r\n";
    private static final long LINGER_MS = 5000;

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo").set("M0_MAX_BODY", "16k").start();
    }

    @Test
    void a413ReachesAClientThatUploadsALengthBody() {
        try (RawClient client = RawClient.connect(server)) {
            goesOnSending(client, LENGTH_HEAD, "b".repeat(4096), 413);
        }
    }

    @Test
    void a413ReachesAClientThatUploadsChunks() {
        try (RawClient client = RawClient.connect(server)) {
            goesOnSending(client, CHUNKED_HEAD, CHUNK, 413);
        }
    }

    @Test
    void a431ReachesAClientThatGoesOnWithItsHead() {
        try (RawClient client = RawClient.connect(server)) {
            goesOnSending(client, "GET /hello HTTP/1.1\r\nHost: a\r\nX-Large: "
                    + "v".repeat(33 * 1024), "v".repeat(4096), 431);
        }
    }

    @Test
    void a400ReachesAClientThatGoesOnSending() {
        try (RawClient client = RawClient.connect(server)) {
            goesOnSending(client, "GET /hello HTTP/1.1\r\nBad Field: a\r\n", "v".repeat(4096), 400);
        }
    }

    @Test
    void eightAtOnceAreEachAnsweredWithLengthBodies() {
        eightAtOnce(LENGTH_HEAD, "b".repeat(4096));
    }

    @Test
    void eightAtOnceAreEachAnsweredWithChunks() {
        eightAtOnce(CHUNKED_HEAD, CHUNK);
    }

    @Test
    void theServerReadsOnForFiveSecondsAndNoLonger() {
        try (RawClient client = RawClient.connect(server)) {
            long sinceNs = System.nanoTime();
            client.send(LENGTH_HEAD);
            Upload drip = client.drip(new byte[] {'b'}, 10_000, 50);
            client.read().expect(413).expectClose();
            drip.join(Duration.ofMillis(Slack.notAfterMs(LINGER_MS)));
            long afterMs = (System.nanoTime() - sinceNs) / 1_000_000;
            Figures.add(EarlyRefusalGate.class, "a drip behind a refusal was read for", afterMs,
                    "ms", Slack.notAfterMs(LINGER_MS));
            assertTrue(drip.failed(), "the drip came to its own end");
            // From before the request was sent: less would be too little.
            assertTrue(afterMs >= LINGER_MS, "the server was gone after " + afterMs + " ms");
        }
    }

    @Test
    void theServerReadsOnABoundedNumberOfBytes() {
        byte[] block = new byte[1024 * 1024];
        int blocks = 512;
        try (RawClient client = RawClient.connect(server)) {
            client.send(LENGTH_HEAD);
            Upload flood = client.upload(block, blocks);
            flood.join(Duration.ofMillis(Slack.notAfterMs(LINGER_MS)));
            Figures.add(EarlyRefusalGate.class, "taken from a flood behind a refusal",
                    flood.sentBytes() / 1048576.0, "MiB", 128);
            assertTrue(flood.failed() && flood.sentBytes() < 128L * block.length,
                    flood.sentBytes() + " bytes behind a refusal were taken");
        }
    }

    /** Sends on, slowly, for half a second and 60 KiB, reads the refusal, then the orderly end. */
    private static void goesOnSending(RawClient client, String head, String more, int status) {
        long sinceNs = System.nanoTime();
        client.send(head).send(more.repeat(5));
        for (int piece = 0; piece < 10; piece++) {
            ServerProcess.pause(50);
            client.send(more);
        }
        client.read().expect(status).expectClose();
        // Before the reading on has its end: the answer's own end is to be seen at once.
        client.closedWithin(sinceNs, 0, LINGER_MS - 200).expectNothing();
    }

    private static void eightAtOnce(String head, String more) {
        List<RawClient> clients = new ArrayList<>();
        List<Upload> uploads = new ArrayList<>();
        try {
            for (int index = 0; index < 8; index++) {
                RawClient client = RawClient.connect(server);
                clients.add(client);
                client.send(head);
                uploads.add(client.drip(RawClient.bytes(more), 25, 20));
            }
            for (RawClient client : clients) {
                client.read().expect(413).expectClose();
            }
            for (Upload upload : uploads) {
                upload.join(RawClient.WAIT);
                assertTrue(!upload.failed(), "an upload was cut after " + upload.sentBytes()
                        + " bytes");
            }
            for (RawClient client : clients) {
                client.expectEnd();
            }
        } finally {
            clients.forEach(RawClient::close);
        }
    }
}
