package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * F101, F102: a loop that is held inside one pass, and what health says. A loop that the machine
 * holds is inside a pass as well, and told of: rounds in which it has are played again.
 */
@Gate
class StallGate {
    private static final String STALLED = "host: loop=0 has been inside one pass for ";

    @Test
    void passOverTheLimitIsToldOnceWithTheStackThatHoldsIt() {
        Rounds.play(3, StallGate::expectToldOnce);
    }

    private static void expectToldOnce() {
        try (ServerProcess server = stalling("700").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=5000 HTTP/1.1\r\nHost: a\r\n\r\n");
            client.awaitTaken();
            Rounds.voidIf(server.stderr().contains(STALLED), "held before it was asked");
            server.awaitStderr("HostCheckHandler.slow", RawClient.WAIT);
            Rounds.voidIf(client.hasBytes(), "told after it was held, not while");
            client.read().expect(200);
            String told = server.stderr().substring(server.stderr().indexOf(STALLED));
            long ms = Long.parseLong(told.substring(STALLED.length()).split(" ")[0]);
            assertTrue(ms >= 700, "told after " + ms + " ms, before the limit");
            client.get("/slow?ms=1500").expect(200);
            // Not twice within a minute.
            server.expectStderrLines(1, STALLED, RawClient.WAIT);
        }
    }

    @Test
    void passUnderTheLimitIsNotTold() {
        try (ServerProcess server = stalling("5000").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/slow?ms=1500").expect(200);
            assertEquals(0, server.stderrLinesWith(STALLED), server.stderr());
        }
    }

    @Test
    void limitOfZeroTellsNothing() {
        try (ServerProcess server = stalling("0").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/slow?ms=1500").expect(200);
            assertEquals(0, server.stderrLinesWith(STALLED), server.stderr());
            client.get("/__live").expect(200);
        }
    }

    /**
     * With no connection, no tick and a producer that rests, nothing begins another pass. The limit is
     * more than a machine holds one up.
     */
    @Test
    void idleLoopIsLiveHoweverLongItIsParked() {
        try (ServerProcess server = stalling("3000")
                .set("M0_HOSTCHECK_PERIOD_MS", "600000").start()) {
            ServerProcess.pause(5000);
            try (RawClient client = RawClient.connect(server)) {
                client.get("/__live").expect(200).expectBody("live\n");
                client.get("/__ready").expect(200).expectBody("ready\n");
            }
            assertEquals(0, server.stderrLinesWith(STALLED), server.stderr());
        }
    }

    @Test
    void singleLoopThatIsHeldShowsAsNoAnswer() {
        Rounds.play(3, () -> {
            try (ServerProcess server = stalling("300").start();
                    RawClient holder = RawClient.connect(server);
                    RawClient prober = RawClient.connect(server)) {
                prober.get("/__live").expect(200);
                holder.send("GET /slow?ms=5000 HTTP/1.1\r\nHost: a\r\n\r\n").awaitTaken();
                server.awaitStderr(STALLED, RawClient.WAIT);
                prober.send("GET /__live HTTP/1.1\r\nHost: a\r\n\r\n");
                ServerProcess.pause(1000);
                boolean answered = prober.hasBytes();
                Rounds.voidIf(holder.hasBytes(), "the loop was free again");
                assertFalse(answered, "a loop that is held has answered");
                holder.read().expect(200);
                prober.read().expect(200);
            }
        });
    }

    @Test
    void withoutMetricsTheHealthRoutesAreTheApplications() {
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/__live").expect(404);
            client.get("/__ready").expect(404);
        }
    }

    private static ServerProcess.Plan stalling(String limitMs) {
        return ServerProcess.app("host_check").set("M0_METRICS", "1")
                .set("M0_LOOP_STALL_MS", limitMs);
    }
}
