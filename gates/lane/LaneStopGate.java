package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** E26, H6, D3: how a host with pool threads ends. Times count from the signal. */
@Gate
@Isolated("it measures how long stops take")
class LaneStopGate {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Pattern ABANDONED = Pattern.compile(
            "host: abandoned handler thread ([01]) of loop ([01]) after (\\d+) ms"
                    + " \\(raise --drain-timeout-ms, M0_DRAIN_TIMEOUT_MS, or let it answer"
                    + " sooner\\)\n");

    /** Idle threads are parked, each waiting for a wake of its own. */
    @Test
    void idleThreadsEndAndEachHandlerIsClosedOnce() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_THREADS", "2")
                .set("M0_BLOCKING_THREADS", "3").set("M0_HOSTCHECK_TELL_CLOSE", "1").start()) {
            ServerProcess.pause(300);
            long ms = stop(server, 0);
            Figures.add(LaneStopGate.class, "a stop of eight idle handlers", ms, "ms",
                    Slack.notAfterMs(0));
            assertEquals(8, server.stderrLinesWith("host_check: handler closed "),
                    server.stderr());
            assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
            assertTrue(ms <= Slack.notAfterMs(0), "gone after " + ms + " ms");
        }
    }

    @Test
    void aStopRightAfterTheStartEndsAllThreads() {
        for (int attempt = 0; attempt < 5; attempt++) {
            try (ServerProcess server = ServerProcess.app("pool_spike").set("M0_THREADS", "2")
                    .set("M0_BLOCKING_THREADS", "4").start()) {
                stop(server, 0);
                assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
                assertEquals(List.of(), server.group());
            }
        }
    }

    @Test
    void aJobInFlightIsAnsweredWhole() {
        try (ServerProcess server = ServerProcess.app("host_check").set("M0_BLOCKING_THREADS", "2")
                .set("M0_DRAIN_TIMEOUT_MS", "20000").start();
                RawClient slow = RawClient.connect(server);
                RawClient quick = RawClient.connect(server)) {
            slow.send("GET /slow?ms=2500 HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitBegun(quick, 1);
            quick.get("/health").expect(200);
            assertTrue(!slow.hasBytes(), "vacuous: the job is not in flight");
            long sinceNs = System.nanoTime();
            server.term();
            slow.read().expect(200).expectBody("slow 2500\n").expectClose();
            slow.expectEnd();
            assertEquals(0, server.awaitExit(BOUND));
            long ms = msSince(sinceNs);
            assertEquals(0, server.stderrLinesWith("abandoned"), server.stderr());
            assertTrue(ms <= Slack.notAfterMs(2500), "gone after " + ms + " ms");
        }
    }

    /**
     * The drain waits its whole bound for the answer; the threads have half a second more. Two loops
     * wait side by side.
     */
    @Test
    void aJobThatDoesNotEndIsAbandonedByName() {
        for (int loops = 1; loops <= 2; loops++) {
            try (ServerProcess server = ServerProcess.app("host_check")
                    .set("M0_THREADS", String.valueOf(loops)).set("M0_BLOCKING_THREADS", "2")
                    .set("M0_DRAIN_TIMEOUT_MS", "1000").set("M0_HOSTCHECK_TELL_CLOSE", "1").start();
                    RawClient first = RawClient.connect(server);
                    RawClient second = RawClient.connect(server);
                    RawClient other = RawClient.connect(server)) {
                first.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n");
                awaitBegun(other, 1);
                if (loops == 2) {
                    second.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n");
                    awaitBegun(other, 2);
                }
                long ms = stop(server, 0);
                Figures.add(LaneStopGate.class, "a job that does not end, " + loops + " loops", ms,
                        "ms", Slack.notAfterMs(1500));
                expectAbandoned(server, loops);
                // Of two or three handlers a loop, its own among them, one is in use.
                assertEquals(2 * loops, server.stderrLinesWith("host_check: handler closed "),
                        "what is in use is not closed, what is not is: " + server.stderr());
                assertTrue(ms >= 1450 && ms <= Slack.notAfterMs(1500), "gone after " + ms + " ms");
                first.readUntilClosed(RawClient.WAIT).expectNothing();
            }
        }
    }

    private static void awaitBegun(RawClient other, int count) {
        ServerProcess.await(count + " jobs to begin", RawClient.WAIT,
                () -> Said.number(other, "/begun", "begun") == count);
    }

    private static void expectAbandoned(ServerProcess server, int count) {
        Matcher line = ABANDONED.matcher(server.stderr());
        int found = 0;
        while (line.find()) {
            found++;
            int afterMs = Integer.parseInt(line.group(3));
            assertTrue(afterMs >= 1450 && afterMs <= Slack.notAfterMs(1500), line.group());
        }
        assertEquals(count, found, server.stderr());
    }

    /** Milliseconds from SIGTERM to the end, which comes with that code. */
    private static long stop(ServerProcess server, int code) {
        long sinceNs = System.nanoTime();
        server.term();
        assertEquals(code, server.awaitExit(BOUND), server.stderr());
        return msSince(sinceNs);
    }

    private static long msSince(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1_000_000L;
    }
}
