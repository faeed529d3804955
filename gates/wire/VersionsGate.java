package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A103, B15: what asks for another protocol than HTTP/1.1. */
@Gate
class VersionsGate {

    private static ServerProcess server;

    @BeforeAll
    static void start() {
        server = ServerProcess.app("echo").start();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n",
            "Upgrade: no-such-protocol\r\nConnection: upgrade\r\n",
            "Upgrade: websocket\r\n",
    })
    void anUpgradeWeDoNotServeIsIgnored(String fields) {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
            Reply reply = client.read().expect(200).expectBody("hello").expectOpen();
            assertNull(reply.header("Upgrade"));
            client.get("/hello").expect(200);
        }
    }

    @Test
    void anHttp2PrefaceIs505() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
            client.read().expect(505).expectClose();
            client.expectEnd();
        }
    }

    @Test
    void http10WithATransferCodingIsAnsweredAndClosed() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.0\r\nConnection: keep-alive\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
            Reply reply = client.read().expectClose();
            assertEquals(200, reply.status(), reply.toString());
            reply.expectBody("body");
            client.expectEnd();
        }
    }

    @Test
    void aHigherMinorVersionIsServed() {
        try (RawClient client = RawClient.connect(server)) {
            client.send("GET /hello HTTP/1.7\r\nHost: a\r\n\r\n").read().expect(200).expectOpen();
        }
    }
}
