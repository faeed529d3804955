package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** E26, E27: every pool thread has a handler of its own, or nothing is served. */
@Gate
class LaneMakeGate {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Pattern WHO = Pattern.compile("thread=(-?\\d+) loop=(\\d+)");
    /** How often a crowd of requests is sent before a thread that never answers is missed. */
    private static final int ROUNDS_MAX = 20;
    private static final int CONNECTIONS = 16;
    private static final int CONNECTIONS_MAX = 200;

    @Test
    void aMakeThatThrowsOnAPoolThreadIsRefusedAtOneLoopAndAtTwo() {
        for (int loops = 1; loops <= 2; loops++) {
            for (int thread = 0; thread <= 1; thread++) {
                expectRefusal(loops, thread);
            }
        }
    }

    private static void expectRefusal(int loops, int thread) {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_THREADS", String.valueOf(loops)).set("M0_BLOCKING_THREADS", "2")
                .set("M0_HOSTCHECK_POOL_MAKE_RAISES", String.valueOf(thread)).launch()) {
            assertEquals("", askUntilItEnds(server),
                    "what a client got from a host that then refused to serve");
            assertEquals(78, server.awaitExit(BOUND), "loops=" + loops + " " + server.stderr());
            assertTrue(server.stderr().matches("host: the application's make threw on thread "
                    + thread + " of loop [01]: M0_HOSTCHECK_POOL_MAKE_RAISES asked make to throw on"
                    + " thread " + thread + "\n"), server.stderr());
            assertEquals("", server.stdout());
            assertEquals(List.of(), server.group(), "left behind");
        }
    }

    /** What a client reads that connected while it was starting; empty if none could. */
    private static String askUntilItEnds(ServerProcess server) {
        while (server.isAlive()) {
            int port = server.boundPort();
            if (port == 0) {
                ServerProcess.pause(1);
                continue;
            }
            try (RawClient early = RawClient.connect("127.0.0.1", port, 0)) {
                early.trySend(RawClient.bytes(
                        "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
                return early.readUntilClosed(RawClient.WAIT).text();
            } catch (AssertionError notYet) {
                ServerProcess.pause(5);
            }
        }
        return "";
    }

    /** Two loops with two threads each are four handlers behind the loops' own two. */
    @Test
    void everyLoopHasItsThreadsAndEveryThreadItsHandler() {
        try (ServerProcess server = ServerProcess.app("pool_spike").set("M0_THREADS", "2")
                .set("M0_BLOCKING_THREADS", "2").start()) {
            TreeSet<String> answered = new TreeSet<>();
            List<RawClient> clients = new ArrayList<>();
            try {
                // One thread would do for a loop that has one connection alone.
                TreeMap<String, Integer> loops = new TreeMap<>();
                while (clients.size() < CONNECTIONS || loops.size() < 2
                        || Collections.min(loops.values()) < 2) {
                    assertTrue(clients.size() < CONNECTIONS_MAX, "connections by loop: " + loops);
                    RawClient client = RawClient.connect(server);
                    clients.add(client);
                    loops.merge(who(client.get("/loop").expect(200).text()), 1, Integer::sum);
                    if (clients.size() > CONNECTIONS) {
                        // On a busy machine a loop may not have been given a processor yet.
                        ServerProcess.pause(25);
                    }
                }
                assertEquals(List.of("-1 of 0", "-1 of 1"), List.copyOf(loops.keySet()),
                        "on the loops");
                for (int round = 0; round < ROUNDS_MAX && answered.size() < 4; round++) {
                    for (RawClient client : clients) {
                        client.send("GET /slow?ms=30 HTTP/1.1\r\nHost: a\r\n\r\n");
                    }
                    for (RawClient client : clients) {
                        answered.add(who(client.read().expect(200).text()));
                    }
                }
            } finally {
                clients.forEach(RawClient::close);
            }
            assertEquals(List.of("0 of 0", "0 of 1", "1 of 0", "1 of 1"), List.copyOf(answered));
        }
    }

    private static String who(String body) {
        Matcher who = WHO.matcher(body);
        assertTrue(who.find(), body);
        return who.group(1) + " of " + who.group(2);
    }
}
