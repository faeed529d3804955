package wire;

import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A11, A42: a 100 is sent where the body is wanted, whole and first, and nowhere else. */
@Gate
class ExpectContinueGate {

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo").set("M0_MAX_BODY", "64k").start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"100-continue", "100-Continue", "100-CONTINUE"})
    void theBodyIsAskedForInAnyLetterCase(String expectation) {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: "
                    + expectation + "\r\n\r\n");
            interim(client);
            client.expectSilence(100).send("body");
            client.read().expect(200).expectBody("body").expectOpen();
            client.get("/hello").expect(200);
        }
    }

    @Test
    void aChunkedBodyIsAskedForToo() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            interim(client);
            client.send("4\r\nbody\r\n0\r\n\r\n");
            client.read().expect(200).expectBody("body").expectOpen();
        }
    }

    @Test
    void aBodyThatIsRefusedIsNotAskedFor() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            client.read().expect(413).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void aHeadThatIsRefusedGetsNo100() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.1\r\nContent-Length: 4\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            client.read().expect(400).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void http10IsNeverSentA100() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.0\r\nHost: a\r\nContent-Length: 4\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            client.expectSilence(300).send("body");
            client.read().expect(200).expectBody("body");
        }
    }

    @Test
    void aRequestWithoutABodyGetsNo100() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n");
            client.read().expect(200).expectBody("hello").expectOpen();
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            client.read().expect(200).expectBody("").expectOpen();
        }
    }

    @Test
    void the100StandsBetweenTheAnswersOfAPipeline() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /path/first HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            client.read().expect(200).expectBody("first");
            interim(client);
            client.send("bodyGET /path/third HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectBody("body");
            client.read().expect(200).expectBody("third").expectOpen();
        }
    }

    @Test
    void the100WaitsWholeBehindALongAnswer() {
        int bytes = 60_000;
        String body = "b".repeat(bytes);
        String upload = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + bytes + "\r\n\r\n"
                + body;
        String ask = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
                + "Expect: 100-continue\r\n\r\n";
        int count = 60;
        try (RawClient client = RawClient.connectWithReceiveBuffer(server, 4 * 1024)) {
            // The answers do not fit the socket's buffers: the 100 finds a response stuck.
            var sent = client.upload(RawClient.bytes(upload), count);
            ServerProcess.pause(300);
            boolean asked = false;
            for (int index = 0; index < count; index++) {
                // As soon as the uploads are sent, which may take until the last of them is read.
                if (!asked && sent.ended()) {
                    client.send(ask);
                    asked = true;
                }
                client.read().expect(200).expectBody(body);
            }
            if (!asked) {
                sent.join(RawClient.WAIT);
                client.send(ask);
            }
            interim(client);
            client.send("last");
            client.read().expect(200).expectBody("last").expectOpen();
        }
    }

    private static void interim(RawClient client) {
        Reply reply = client.read().expect(100);
        if (reply.saysClose()) {
            throw new AssertionError("an interim answer that closes: " + reply);
        }
    }
}
