package lane;

import java.util.ArrayList;
import java.util.List;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;

/**
 * Requests to pool_spike that hold a pool thread each, on connections of their own, until the gate
 * lets them go: no pause of a busy machine ends them before.
 *
 * <p>Those that are to find a thread have found one before those are sent that are to wait, and
 * each has before the next is sent: where few may wait, two at once would be one too many.
 *
 * <p>Limits: a minute, which is as long as pool_spike holds anybody. One for a server at a time,
 * since whoever is let go counts how often anybody was.
 */
final class Blockers implements AutoCloseable {
    private static final long LOOK_MS = 5;

    private final List<RawClient> clients = new ArrayList<>();
    private final RawClient asking;
    private final int begun;
    private final int refusedMax;
    private final long releasedBefore;

    /**
     * Sends them, and none may be refused.
     *
     * @param begun how many of them find a thread, and are waited for
     * @param behind how many more are sent to wait behind those
     */
    Blockers(ServerProcess server, int begun, int behind) {
        this(server, begun, behind, 0);
    }

    /**
     * Sends them.
     *
     * @param begun how many of them find a thread, and are waited for
     * @param behind how many more are sent to wait behind those
     * @param refusedMax how often one may be refused before it begins: where a wait has a deadline,
     *        a thread that the machine holds up comes too late
     */
    Blockers(ServerProcess server, int begun, int behind, int refusedMax) {
        this.begun = begun;
        this.refusedMax = refusedMax;
        asking = RawClient.connect(server);
        Reply before = asking.get("/begun");
        releasedBefore = Said.number(before, "released");
        for (int count = 0; count < begun + behind; count++) {
            RawClient client = RawClient.connect(server);
            clients.add(client);
            client.get("/loop").expect(200);
        }
        for (int count = 0; count < begun; count++) {
            send(count);
            awaitBegun(count, Said.number(before, "begun") + count + 1);
        }
        for (int count = begun; count < begun + behind; count++) {
            send(count);
        }
    }

    /** Those that begin go at the first word, those behind them at the second. */
    private void send(int index) {
        long turn = releasedBefore + (index < begun ? 1 : 2);
        clients.get(index).send("GET /held?turn=" + turn + " HTTP/1.1\r\nHost: gate\r\n\r\n");
    }

    private void awaitBegun(int index, long wanted) {
        RawClient client = clients.get(index);
        int[] refused = new int[1];
        ServerProcess.await("blocker " + index + " to begin", RawClient.WAIT, () -> {
            if (Said.number(asking, "/begun", "begun") == wanted) {
                return true;
            }
            if (client.hasBytes()) {
                client.read().expect(refused[0]++ < refusedMax ? 503 : 200).expectOpen();
                send(index);
            }
            // Seldom: a connection takes a thousand requests.
            ServerProcess.pause(LOOK_MS);
            return false;
        });
    }

    /** Everybody whose connection this is, those that began first. */
    List<RawClient> clients() {
        return clients;
    }

    /** Lets those go that had begun, and at the second call those that were behind them. */
    void release() {
        asking.get("/release").expect(200);
    }

    /** Waits for a round trip of the loop: by then it has read whatever was sent before. */
    void awaitRead() {
        asking.get("/loop").expect(200);
    }

    /** Whether one of them was answered. */
    boolean answered() {
        return clients.stream().anyMatch(RawClient::hasBytes);
    }

    /** Lets all of them go and reads their answers, which must be 200. */
    List<Reply> read() {
        release();
        release();
        return clients.stream().map(client -> client.read().expect(200)).toList();
    }

    @Override
    public void close() {
        clients.forEach(RawClient::close);
        asking.close();
    }
}
