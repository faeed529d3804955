package lane;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** M25, E17, E18, E37: a job never waits beside a thread that could take it. */
@Gate
class WakeGate {
    private static final int ROUNDS = 20;
    /** Long enough for every thread to have parked: it spins for 10 microseconds. */
    private static final long PARKED_MS = 30;
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final String FAST = "GET /fast HTTP/1.1\r\nHost: gate\r\n\r\n";
    private static final String LOOP = "GET /loop HTTP/1.1\r\nHost: gate\r\n\r\n";

    /** Every thread parked, all but one in a slow view, all in one: none of it loses a wake. */
    @Test
    void noWakeIsLost() {
        try (ServerProcess server = spike(2).start();
                RawClient client = RawClient.connect(server);
                RawClient one = RawClient.connect(server);
                RawClient two = RawClient.connect(server)) {
            for (int round = 0; round < ROUNDS; round++) {
                ServerProcess.pause(PARKED_MS);
                int slow = round % 3;
                for (RawClient blocker : List.of(one, two).subList(0, slow)) {
                    blocker.send("GET /slow?ms=60 HTTP/1.1\r\nHost: gate\r\n\r\n");
                }
                if (round % 2 == 0) {
                    ServerProcess.pause(5);
                }
                client.send(FAST).read("GET", BOUND).expect(200);
                for (RawClient blocker : List.of(one, two).subList(0, slow)) {
                    blocker.read("GET", BOUND).expect(200);
                }
            }
        }
    }

    /** The same in a storm: more jobs than threads, now and then with a rest between them. */
    @Test
    void noWakeIsLostAmongMany() {
        try (ServerProcess server = spike(3).start()) {
            List<RawClient> clients = new ArrayList<>();
            try {
                for (int index = 0; index < 8; index++) {
                    clients.add(RawClient.connect(server));
                }
                for (int round = 0; round < 200; round++) {
                    clients.forEach(client -> client.send(FAST));
                    for (RawClient client : clients) {
                        client.read("GET", BOUND).expect(200);
                    }
                    if (round % 10 == 0) {
                        ServerProcess.pause(2);
                    }
                }
            } finally {
                clients.forEach(RawClient::close);
            }
        }
    }

    /** One thread is held, the other parks between two jobs: each of them is answered at once. */
    @Test
    void aParkedThreadIsWokenBesideABusyOne() {
        try (ServerProcess server = spike(2).start();
                RawClient client = RawClient.connect(server)) {
            client.get("/fast").expect(200);
            List<Double> samples = new ArrayList<>();
            List<Double> onLoop = new ArrayList<>();
            try (Blockers blockers = new Blockers(server, 1, 0)) {
                for (int count = 0; count < ROUNDS; count++) {
                    onLoop.add(msBehindARest(client, LOOP));
                    samples.add(msBehindARest(client, FAST));
                }
                assertFalse(blockers.answered(), "a blocker was answered before it was let go");
                blockers.read();
            }
            double median = median(samples);
            // What a busy machine adds to a request it adds to one that needs no wake, too.
            double limit = 20 + 4 * median(onLoop);
            Figures.add(WakeGate.class, "a fast request beside a busy and a parked thread, median",
                    median, "ms", limit);
            assertTrue(median < limit, "the median was " + median + " ms, of the loop's own "
                    + median(onLoop));
        }
    }

    private static double msBehindARest(RawClient client, String request) {
        ServerProcess.pause(PARKED_MS);
        long startNs = System.nanoTime();
        client.send(request).read("GET", BOUND).expect(200);
        return (System.nanoTime() - startNs) / 1_000_000.0;
    }

    private static double median(List<Double> samples) {
        return samples.stream().sorted().toList().get(samples.size() / 2);
    }

    /** The negative arm: where no other thread is, it waits for the busy one. */
    @Test
    void whereEveryThreadIsBusyItWaitsForOneOfThem() {
        try (ServerProcess server = spike(1).start();
                RawClient client = RawClient.connect(server)) {
            client.get("/fast").expect(200);
            try (Blockers blockers = new Blockers(server, 1, 0)) {
                client.send(FAST);
                blockers.awaitRead();
                blockers.release();
                client.read("GET", BOUND).expect(200);
                assertTrue(blockers.clients().get(0).hasBytes(), "it was answered before");
                blockers.read();
            }
        }
    }

    private static ServerProcess.Plan spike(int threads) {
        return ServerProcess.app("pool_spike").set("M0_BLOCKING_THREADS", String.valueOf(threads));
    }
}
