package lane;

import java.util.ArrayList;
import java.util.List;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;

/**
 * Requests to pool_spike that hold a pool thread each, on connections of their own.
 *
 * <p>Those that are to find a thread have found one before those are sent that are to wait, and
 * each has before the next is sent: where few may wait, two at once would be one too many.
 */
final class Blockers implements AutoCloseable {
    private static final long LOOK_MS = 5;

    private final List<RawClient> clients = new ArrayList<>();

    /**
     * Sends them.
     *
     * @param begun how many of them find a thread, and are waited for
     * @param behind how many more are sent to wait behind those
     */
    Blockers(ServerProcess server, int begun, int behind, int ms) {
        for (int count = 0; count < begun + behind; count++) {
            RawClient client = RawClient.connect(server);
            clients.add(client);
            client.get("/loop").expect(200);
        }
        try (RawClient asking = RawClient.connect(server)) {
            long before = Said.number(asking, "/begun", "begun");
            for (int count = 0; count < begun; count++) {
                send(clients.get(count), ms);
                awaitBegun(asking, before + count + 1);
            }
        }
        for (RawClient client : clients.subList(begun, begun + behind)) {
            send(client, ms);
        }
    }

    /** Looks seldom: a connection takes a thousand requests. */
    private void awaitBegun(RawClient asking, long wanted) {
        long untilNs = System.nanoTime() + RawClient.WAIT.toNanos();
        while (Said.number(asking, "/begun", "begun") != wanted) {
            for (RawClient client : clients) {
                if (client.hasBytes()) {
                    throw new AssertionError("a blocker was answered before all had begun: "
                            + client.read());
                }
            }
            if (System.nanoTime() - untilNs > 0) {
                throw new AssertionError("not all blockers have begun");
            }
            ServerProcess.pause(LOOK_MS);
        }
    }

    private static void send(RawClient client, int ms) {
        client.send("GET /slow?ms=" + ms + " HTTP/1.1\r\nHost: gate\r\n\r\n");
    }

    List<RawClient> clients() {
        return clients;
    }

    /** Reads all their answers, which must be 200. */
    List<Reply> read() {
        return clients.stream().map(client -> client.read().expect(200)).toList();
    }

    @Override
    public void close() {
        clients.forEach(RawClient::close);
    }
}
