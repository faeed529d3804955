package wire;

import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * C17: memory is taken for bytes that have come and given back with the connection. Judged by a
 * heap that would not hold anything else.
 */
@Gate
class MemoryGate {

    private static final int BODY = 4_000_000;

    @Test
    void aBodyThatIsOnlyAnnouncedTakesNoMemory() {
        List<RawClient> clients = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("echo").jvm("-Xmx64m").start()) {
            try {
                for (int index = 0; index < 100; index++) {
                    RawClient client = RawClient.connect(server);
                    clients.add(client);
                    client.send(head() + "some");
                }
                try (RawClient other = RawClient.connect(server)) {
                    other.get("/hello").expect(200).expectBody("hello");
                }
            } finally {
                clients.forEach(RawClient::close);
            }
        }
    }

    /** By turns bodies of a length and of chunks, which are kept in different buffers. */
    @Test
    void whatAConnectionHeldIsGivenBackWhenItEnds() {
        byte[] most = new byte[BODY - 1];
        try (ServerProcess server = ServerProcess.app("echo")
                .jvm("-XX:+UseSerialGC", "-Xmx64m").start()) {
            for (int round = 0; round < 6; round++) {
                String head = round % 2 == 0 ? head() : chunkedHead();
                List<RawClient> clients = new ArrayList<>();
                for (int index = 0; index < 8; index++) {
                    RawClient client = RawClient.connect(server);
                    clients.add(client);
                    client.send(head).send(most);
                }
                try (RawClient other = RawClient.connect(server)) {
                    other.get("/hello").expect(200).expectBody("hello");
                }
                clients.forEach(RawClient::reset);
            }
        }
    }

    private static String head() {
        return "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY + "\r\n\r\n";
    }

    private static String chunkedHead() {
        return "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + Integer.toHexString(BODY) + "\r\n";
    }
}
