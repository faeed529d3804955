package wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** A25, C9: a reset costs the connection it ends, and its slot is free again at once. */
@Gate
class PeerResetGate {

    private static final long FREE_NS = 8_000_000_000L;

    @Test
    void aResetInAnyStateFreesItsSlot() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_MAX_CONNECTIONS", "6").start();
                RawClient witness = RawClient.connect(server)) {
            witness.get("/pid").expect(200);
            List<RawClient> victims = new ArrayList<>();
            for (int index = 0; index < 5; index++) {
                victims.add(RawClient.connectWithReceiveBuffer(server, 16 * 1024));
            }
            victims.get(0).get("/pid").expect(200);
            victims.get(1).send("GET /pid HTTP/1.1\r\nHo");
            victims.get(2).send("POST /pid HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf");
            victims.get(3).send("GET /bytes?n=32000000 HTTP/1.1\r\nHost: a\r\n\r\n").awaitBytes();
            victims.get(4).send("GET /file?bytes=32000000 HTTP/1.1\r\nHost: a\r\n\r\n")
                    .awaitBytes();
            victims.get(2).awaitTaken();
            victims.forEach(RawClient::reset);
            slotsAreFree(server, witness, victims.size());
        }
    }

    @Test
    void aResetDuringTheHandlerFreesItsSlot() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_MAX_CONNECTIONS", "3").start();
                RawClient witness = RawClient.connect(server)) {
            witness.get("/pid").expect(200);
            List<RawClient> victims = new ArrayList<>();
            for (int index = 0; index < 2; index++) {
                victims.add(RawClient.connect(server));
                victims.get(index).get("/pid").expect(200);
            }
            for (RawClient victim : victims) {
                victim.send("GET /slow?ms=200 HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
            }
            victims.get(0).awaitTaken();
            victims.forEach(RawClient::reset);
            slotsAreFree(server, witness, victims.size());
        }
    }

    @Test
    void manyResetsLeaveTheServerServing() {
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient witness = RawClient.connect(server)) {
            witness.get("/pid").expect(200);
            int open = server.connections();
            for (int index = 0; index < 200; index++) {
                RawClient.connect(server).send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n").reset();
            }
            witness.get("/pid").expect(200);
            ServerProcess.await("every slot's descriptor to be closed",
                    RawClient.WAIT, () -> server.connections() <= open);
        }
    }

    /** The witness lives, and each slot serves a new connection, before any deadline frees it. */
    private static void slotsAreFree(ServerProcess server, RawClient witness, int slots) {
        witness.get("/pid").expect(200);
        long untilNs = System.nanoTime() + FREE_NS;
        List<RawClient> fresh = new ArrayList<>();
        try {
            for (int index = 0; index < slots; index++) {
                RawClient client = RawClient.connect(server);
                fresh.add(client);
                client.send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
                Duration left = Duration.ofNanos(Math.max(1, untilNs - System.nanoTime()));
                client.read("GET", left).expect(200);
            }
        } finally {
            fresh.forEach(RawClient::close);
        }
    }
}
