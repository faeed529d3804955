package loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.Seat;
import kit.Seat.Instance;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** E27, E29, F101, F102: N loops in one process, each with a handler of its own. */
@Gate
class LoopsGate {
    private static final int TRIES_MAX = 60;

    @Test
    void bannerNamesTheLoopsOfOneProcess() {
        try (ServerProcess server = threads(3).start()) {
            String line = server.listeningLine();
            assertTrue(line.endsWith(" app=host_check mode=threads loops=3 pool=0 pid="
                    + server.pid()), line);
            assertEquals(1, server.stderr().lines().count(), server.stderr());
            assertEquals(List.of(server.pid()), server.group());
            for (Seat seat : Seat.oneOnEach(server, 3)) {
                assertEquals(server.pid(), seat.instance().pid());
                seat.close();
            }
        }
    }

    /** Counted per loop, in the order asked, so neither a lost nor a foreign request escapes. */
    @Test
    void eachLoopsHandlerCountsItsOwnRequestsAlone() {
        int[] asked = new int[2];
        List<RawClient> held = new ArrayList<>();
        try (ServerProcess server = threads(2).start()) {
            // On a busy machine the second loop may not have been given a processor yet.
            while (held.size() < 2 || held.size() < TRIES_MAX && (asked[0] == 0 || asked[1] == 0)) {
                RawClient client = RawClient.connect(server);
                held.add(client);
                ServerProcess.pause(held.size());
                for (int request = 0; request < 5; request++) {
                    Instance instance = Instance.of(client.get("/instance"));
                    assertEquals(++asked[instance.loop()], instance.count(),
                            "requests that loop " + instance.loop() + " has counted");
                }
            }
            assertTrue(asked[0] > 0 && asked[1] > 0, "vacuous: " + held.size()
                    + " connections sent " + asked[0]
                    + " requests to loop 0 and " + asked[1] + " to loop 1");
            held.forEach(RawClient::close);
        }
    }

    @Test
    void heldLoopIsNamedByItsSibling() {
        try (ServerProcess server = threads(2).set("M0_METRICS", "1")
                .set("M0_LOOP_STALL_MS", "800").start()) {
            List<Seat> seats = Seat.oneOnEach(server, 2);
            ServerProcess.await("both loops to be live", RawClient.WAIT,
                    () -> seats.get(0).client().get("/__live").status() == 200);
            seats.get(1).client().send("GET /slow?ms=4000 HTTP/1.1\r\nHost: a\r\n\r\n");
            server.awaitStderr("host: loop=1 has been inside one pass for ", RawClient.WAIT);
            String live = seats.get(0).client().get("/__live").expect(503).text();
            assertTrue(live.startsWith("loop=1 has been inside one pass for "), live);
            seats.get(1).client().read().expect(200);
            // The answer leaves before the pass is over.
            ServerProcess.await("the loop's recovery", RawClient.WAIT,
                    () -> seats.get(0).client().get("/__live").status() == 200);
            seats.forEach(Seat::close);
        }
    }

    private static ServerProcess.Plan threads(int loops) {
        return ServerProcess.app("host_check").set("M0_THREADS", String.valueOf(loops));
    }
}
