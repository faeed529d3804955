package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** M212: a virtual thread for each job, with the ownership, placement and 409 of any lane. */
@Gate
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualLaneGate {
    private static final int JOBS = 300;
    private static final int SLEEP_MS = 1000;
    private static final int ROUNDS = 200;
    private static final int OUT_MS_MAX = 54;
    private static final Duration EXIT = Duration.ofSeconds(30);

    @Test
    void hundredsThatSleepOverlap() {
        try (ServerProcess server = spike().start();
                RawClient other = RawClient.connect(server)) {
            List<RawClient> clients = new ArrayList<>();
            try {
                for (int index = 0; index < JOBS; index++) {
                    clients.add(RawClient.connect(server));
                }
                long sinceNs = System.nanoTime();
                clients.forEach(client -> client.send(
                        "GET /slow?ms=" + SLEEP_MS + " HTTP/1.1\r\nHost: gate\r\n\r\n"));
                assertEquals(0, Said.thread(other.get("/fast")));
                assertEquals(-1, Said.thread(other.get("/loop")));
                Arrivals arrivals = Arrivals.await(sinceNs, clients, RawClient.WAIT);
                long last = 0;
                for (int index = 0; index < JOBS; index++) {
                    assertEquals(0, Said.thread(clients.get(index).read()));
                    last = Math.max(last, arrivals.ms(index));
                }
                Figures.add(VirtualLaneGate.class, JOBS + " jobs that sleep " + SLEEP_MS + " ms",
                        last, "ms", 10 * SLEEP_MS);
                assertTrue(last < 10 * SLEEP_MS, "the last of " + JOBS + " came after " + last
                        + " ms");
            } finally {
                clients.forEach(RawClient::close);
            }
        }
    }

    @Test
    void aStreamIs409AndNamed() {
        try (ServerProcess server = spike().start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /stream HTTP/1.1\r\nHost: gate\r\n\r\n");
            client.readHead().expect(409).expectClose();
            client.readUntilClosed(RawClient.WAIT).expectOrderly();
            server.awaitStderr("host: loop=0 thread=0 409 a stream can only be opened on the loop: "
                    + "GET /stream (answer it in beforeRequest, or have its route answered on the"
                    + " loop)", EXIT);
        }
    }

    @Test
    void theNextOwnerOfASlotReadsItsOwnAnswerAlone() {
        try (ServerProcess server = spike().set("M0_MAX_CONNECTIONS", "2").start()) {
            long begun = 0;
            // On a busy machine many vanish before they are read: then they stay longer.
            for (int outMs = 6; begun <= 1.5 * ROUNDS && outMs <= OUT_MS_MAX; outMs *= 3) {
                begun = begunInRounds(server, outMs);
            }
            assertTrue(begun > 1.5 * ROUNDS,
                    "vacuous: " + begun + " jobs were begun in " + ROUNDS + " rounds");
        }
    }

    private static long begunInRounds(ServerProcess server, int outMs) {
        long before = begun(server);
        for (int round = 0; round < ROUNDS; round++) {
            RawClient gone = RawClient.connect(server);
            gone.send("GET /late?ms=" + outMs + "&say=gone-" + round
                    + " HTTP/1.1\r\nHost: a\r\n\r\n");
            ServerProcess.pause(outMs / 2);
            if (round % 2 == 0) {
                gone.reset();
            } else {
                gone.close();
            }
            try (RawClient next = RawClient.connect(server)) {
                Reply answer = next.get("/late?ms=1&say=next-" + round).expect(200);
                assertEquals("late thread=0 loop=0 /late?ms=1&say=next-" + round + " \n",
                        answer.text());
            }
        }
        return begun(server) - before;
    }

    private static long begun(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            return Said.number(client, "/begun", "begun");
        }
    }

    @Test
    void aDrainWaitsForWhatIsOut() {
        try (ServerProcess server = spike().start();
                RawClient client = RawClient.connect(server);
                RawClient other = RawClient.connect(server)) {
            client.get("/fast").expect(200);
            client.send("GET /slow?ms=2000 HTTP/1.1\r\nHost: gate\r\n\r\n");
            ServerProcess.await("the job to begin", RawClient.WAIT,
                    () -> Said.number(other, "/begun", "begun") == 1);
            server.term();
            client.read().expect(200).expectClose();
            assertEquals(0, server.awaitExit(EXIT));
            assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
        }
    }

    private static ServerProcess.Plan spike() {
        return ServerProcess.app("pool_spike").set("M0_BLOCKING_THREADS", "virtual");
    }
}
