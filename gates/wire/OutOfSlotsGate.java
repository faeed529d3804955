package wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** A40, C101: where all slots are taken the backlog waits, and nobody is dropped. */
@Gate
class OutOfSlotsGate {

    @Test
    void whoComesLaterWaitsAndIsServedWhenASlotIsFree() {
        int slots = 4;
        List<RawClient> inside = new ArrayList<>();
        List<RawClient> outside = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_MAX_CONNECTIONS", String.valueOf(slots)).start()) {
            try {
                for (int index = 0; index < slots; index++) {
                    inside.add(RawClient.connect(server));
                    inside.get(index).get("/pid").expect(200).expectOpen();
                }
                for (int index = 0; index < 2 * slots; index++) {
                    outside.add(RawClient.connect(server));
                    outside.get(index).send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
                }
                for (RawClient waiting : outside) {
                    waiting.expectSilence(100);
                }
                assertEquals(slots, server.connections(), "connections taken in");
                for (RawClient served : inside) {
                    served.get("/pid").expect(200).expectOpen();
                    served.close();
                }
                // They are taken in as they came.
                for (RawClient waiting : outside) {
                    waiting.read().expect(200).expectOpen();
                    waiting.close();
                }
            } finally {
                inside.forEach(RawClient::close);
                outside.forEach(RawClient::close);
            }
        }
    }

    @Test
    void aServerOfOneSlotServesAHundredOneAfterAnother() {
        List<RawClient> clients = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_MAX_CONNECTIONS", "1").start()) {
            try {
                for (int index = 0; index < 100; index++) {
                    clients.add(RawClient.connect(server));
                    clients.get(index).send("GET /pid HTTP/1.1\r\nHost: a\r\n"
                            + "Connection: close\r\n\r\n");
                }
                for (RawClient client : clients) {
                    client.read().expect(200).expectClose();
                    client.expectEnd();
                    client.close();
                }
            } finally {
                clients.forEach(RawClient::close);
            }
        }
    }
}
