package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A39, H7: an application that throws costs its client a 500 and the connection, nobody else. */
@Gate
class ThrowingHandlerGate {

    @ParameterizedTest
    @ValueSource(strings = {"/throw", "/throw-before", "/throw-after", "/null", "/file-lost",
            "/file-short"})
    void theClientGets500AndWhatItPipelinedBehindIsNotRun(String path) {
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient client = RawClient.connect(server);
                RawClient witness = RawClient.connect(server)) {
            int before = Instance.count(witness);
            client.send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET " + path + "?q=1 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /instance HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read().expect(200).expectOpen();
            client.read().expect(500).expectClose();
            client.expectEnd();
            assertEquals(before + 1, Instance.count(witness), "handler runs");
            server.expectStderrLines(1, "GET " + path, RawClient.WAIT);
        }
    }

    @Test
    void aHandlerThatThrewServesOn() {
        try (ServerProcess server = ServerProcess.app("host_check").start()) {
            for (int count = 1; count <= 20; count++) {
                try (RawClient client = RawClient.connect(server)) {
                    assertEquals(count, Instance.count(client));
                    client.get("/throw").expect(500).expectClose();
                    client.expectEnd();
                }
            }
        }
    }

    @Test
    void aHeadRequestGetsTheHeadOfThe500() {
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.send("HEAD /throw HTTP/1.1\r\nHost: a\r\n\r\n");
            client.read("HEAD").expect(500).expectClose();
            client.expectEnd();
        }
    }
}
