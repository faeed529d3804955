package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A13, C1, C3, C4, C104: what is large is served up to its limit and refused readably beyond. */
@Gate
class LimitsGate {

    private static final int BODY_MAX = 64 * 1024;

    private static ServerProcess server;
    private static ServerProcess standard;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo").set("M0_MAX_BODY", "64k").start();
        standard = ServerProcess.app("echo").start();
    }

    @Test
    void aHeadOfThirtyKibibytesIsServed() {
        StringBuilder head = new StringBuilder("GET /hdrs HTTP/1.1\r\nHost: a\r\n");
        StringBuilder seen = new StringBuilder();
        for (int index = 0; index < 30; index++) {
            String value = ("v" + index).repeat(1000).substring(0, 1000);
            head.append("X-Field-").append(index).append(": ").append(value).append("\r\n");
            seen.append("X-Field-").append(index).append(": ").append(value).append('\n');
        }
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.send(head + "\r\n").read().expect(200).expectOpen();
            assertTrue(reply.text().toLowerCase().contains(seen.toString().toLowerCase()),
                    "the handler did not see every field");
        }
    }

    @Test
    void aHeadOverThirtyTwoKibibytesIs431() {
        String head = "GET /hdrs HTTP/1.1\r\nHost: a\r\nX-Large: " + "v".repeat(33 * 1024)
                + "\r\n\r\n";
        refused(server, head, 431);
    }

    @Test
    void aHeadThatNeverEndsIs431() {
        String head = "GET /hdrs HTTP/1.1\r\nHost: a\r\nX-Large: " + "v".repeat(33 * 1024);
        refused(server, head, 431);
    }

    @Test
    void aHundredFieldsAreServed() {
        try (RawClient client = RawClient.connect(server)) {
            client.send(fields(100)).read().expect(200).expectOpen();
        }
    }

    @Test
    void aHundredAndOneFieldsAre431() {
        refused(server, fields(101), 431);
    }

    @Test
    void aTargetOfSevenKibibytesIsServed() {
        String rest = "t".repeat(7 * 1024);
        try (RawClient client = RawClient.connect(server)) {
            client.get("/path/" + rest).expect(200).expectBody(rest);
        }
    }

    @Test
    void aTargetOverEightKibibytesIs414() {
        refused(server, "GET /path/" + "t".repeat(8 * 1024) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
    }

    @Test
    void aTargetThatNeverEndsIs414() {
        refused(server, "GET /path/" + "t".repeat(9 * 1024), 414);
    }

    @Test
    void aBodyOfExactlyTheLimitIsServed() {
        String body = "b".repeat(BODY_MAX);
        try (RawClient client = RawClient.connect(server)) {
            client.post("/echo", body).expect(200).expectBody(body).expectOpen();
        }
    }

    @Test
    void aBodyOfFourMebibytesIsServedByDefault() {
        byte[] body = new byte[4 * 1024 * 1024];
        for (int index = 0; index < body.length; index++) {
            body[index] = (byte) (index % 251);
        }
        try (RawClient client = RawClient.connect(standard)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length
                    + "\r\n\r\n").send(body);
            assertEquals(-1, Arrays.mismatch(body, client.read().expect(200).body()));
        }
    }

    @Test
    void aBodyOfOneByteMoreIs413() {
        refused(server, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + (BODY_MAX + 1)
                + "\r\n\r\n", 413);
        refused(standard, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4194305\r\n\r\n", 413);
    }

    @Test
    void aChunkedBodyOfOneByteMoreIs413() {
        String chunk = "1000\r\n" + "c".repeat(0x1000) + "\r\n";
        String head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (RawClient client = RawClient.connect(server)) {
            client.send(head + chunk.repeat(16) + "0\r\n\r\n");
            assertEquals(BODY_MAX, client.read().expect(200).body().length);
        }
        refused(server, head + chunk.repeat(16) + "1\r\nc\r\n0\r\n\r\n", 413);
    }

    @Test
    void anAnnouncedChunkBeyondTheLimitIs413BeforeItArrives() {
        refused(server, "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "fffffff\r\nx", 413);
    }

    @Test
    void aChunkedBodyInTinyPiecesIsBoundedByItsRawBytesToo() {
        // A byte of body in six bytes of framing: 20,000 of them are 117 KiB of the 128 allowed.
        String head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (RawClient client = RawClient.connect(server)) {
            client.send(head + "1\r\nc\r\n".repeat(20_000) + "0\r\n\r\n");
            assertEquals(20_000, client.read().expect(200).body().length);
        }
        refused(server, head + "1\r\nc\r\n".repeat(23_000), 413);
    }

    @Test
    void chunkExtensionsShareABudgetOfEightKibibytes() {
        String head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        String extension = ";e=" + "x".repeat(997);
        try (RawClient client = RawClient.connect(server)) {
            client.send(head + ("1" + extension + "\r\nc\r\n").repeat(7) + "0\r\n\r\n");
            client.read().expect(200).expectBody("ccccccc").expectOpen();
        }
        refusedAsTooMuch(head + ("1" + extension + "\r\nc\r\n").repeat(9) + "0\r\n\r\n");
    }

    @Test
    void trailersShareTheBudgetOfExtensions() {
        String head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        String body = "1;e=" + "x".repeat(5000) + "\r\nc\r\n0\r\n";
        try (RawClient client = RawClient.connect(server)) {
            client.send(head + body + "X-T: " + "t".repeat(2000) + "\r\n\r\n");
            client.read().expect(200).expectBody("c").expectOpen();
        }
        refusedAsTooMuch(head + body + "X-T: " + "t".repeat(5000) + "\r\n\r\n");
    }

    @Test
    void aBodyBeyondTheLimitIsLoggedOnceWithItsSetting() {
        try (ServerProcess fresh = ServerProcess.app("echo").set("M0_MAX_BODY", "1000").start()) {
            for (int time = 0; time < 3; time++) {
                refused(fresh, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n",
                        413);
            }
            fresh.expectStderrLines(1, "M0_MAX_BODY", RawClient.WAIT);
        }
    }

    @Test
    void theLimitsAreSettings() {
        try (ServerProcess small = ServerProcess.app("echo").set("M0_MAX_HEAD", "1k")
                .set("M0_MAX_TARGET", "100").start()) {
            refused(small, "GET /" + "t".repeat(200) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
            refused(small, "GET / HTTP/1.1\r\nHost: a\r\nX-L: " + "v".repeat(1100) + "\r\n\r\n",
                    431);
            try (RawClient client = RawClient.connect(small)) {
                client.get("/" + "t".repeat(50)).expect(404);
            }
        }
    }

    private static String fields(int count) {
        StringBuilder head = new StringBuilder("GET /hello HTTP/1.1\r\nHost: a\r\n");
        for (int index = 1; index < count; index++) {
            head.append("X-").append(index).append(": v\r\n");
        }
        return head + "\r\n";
    }

    private static void refused(ServerProcess by, String request, int status) {
        try (RawClient client = RawClient.connect(by)) {
            client.send(request).read().expect(status).expectClose();
            client.expectEnd();
        }
    }

    private static void refusedAsTooMuch(String request) {
        try (RawClient client = RawClient.connect(server)) {
            Reply reply = client.send(request).read().expectClose();
            assertTrue(reply.status() == 413 || reply.status() == 431 || reply.status() == 400,
                    "expected a refusal and not " + reply);
            client.expectEnd();
        }
    }
}
