package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A1, A3, A102, B17: how long a connection is kept, by whose wish. */
@Gate
class KeepAliveGate {

    private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo").start();
    }

    @Test
    void theAnswerThatReachesTheCapSaysClose() {
        try (ServerProcess capped = ServerProcess.app("echo")
                    .set("M0_MAX_KEEPALIVE_REQUESTS", "3").start();
                RawClient client = RawClient.connect(capped)) {
            client.get("/hello").expect(200).expectOpen();
            client.get("/hello").expect(200).expectOpen();
            client.get("/hello").expect(200).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void whatIsPipelinedBehindTheCapIsNotRun() {
        try (ServerProcess capped = ServerProcess.app("host_check")
                    .set("M0_MAX_KEEPALIVE_REQUESTS", "3").start();
                RawClient client = RawClient.connect(capped);
                RawClient counter = RawClient.connect(capped)) {
            client.send("GET /instance HTTP/1.1\r\nHost: a\r\n\r\n".repeat(5));
            client.read().expect(200).expectOpen();
            client.read().expect(200).expectOpen();
            client.read().expect(200).expectClose();
            client.expectEnd();
            assertEquals(4, Instance.count(counter));
        }
    }

    @Test
    void theCapIsAThousandByDefault() {
        try (RawClient client = RawClient.connect(server)) {
            client.send(HELLO.repeat(1000));
            for (int count = 1; count < 1000; count++) {
                client.read().expect(200).expectOpen();
            }
            client.read().expect(200).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void zeroIsNoCap() {
        try (ServerProcess uncapped = ServerProcess.app("echo")
                    .set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
                RawClient client = RawClient.connect(uncapped)) {
            client.send(HELLO.repeat(1500));
            for (int count = 0; count < 1500; count++) {
                client.read().expect(200).expectOpen();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "Connection: close\r\n",
            "connection: CLOSE\r\n",
            "Connection: x-one, Close, x-two\r\n",
            "Connection: x-one\r\nConnection: close\r\n",
            "Connection: keep-alive, close\r\n",
    })
    void aClientThatAsksForCloseGetsIt(String fields) {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            client.read().expect(200).expectBody("hello").expectClose();
            client.expectEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection: closed\r\n", "Connection: x-close\r\n", "X-C: close\r\n"})
    void whatOnlyLooksLikeCloseDoesNotClose(String fields) {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            client.read().expect(200).expectOpen();
            client.get("/hello").expect(200).expectOpen();
        }
    }

    @Test
    void http10ClosesByItself() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /hello HTTP/1.0\r\n\r\n").read().expect(200).expectBody("hello")
                    .expectClose();
            client.expectEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep-alive", "Keep-Alive", "x-one, KEEP-ALIVE"})
    void http10IsKeptWhereItAsksAndIsToldSo(String connection) {
        try (RawClient client = RawClient.connect(server)) {
            for (int count = 0; count < 3; count++) {
                var reply = client.send("GET /hello HTTP/1.0\r\nConnection: " + connection
                        + "\r\n\r\n").read().expect(200).expectBody("hello").expectOpen();
                assertEquals(true, reply.connectionHas("keep-alive"), "in " + reply);
            }
        }
    }
}
