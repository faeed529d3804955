package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.Seat;
import kit.ServerProcess;
import kit.Slack;
import kit.Upload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * D1, D3, D9, D101, D103: what a stop finishes, what it does not wait for, and when it gives up.
 * Times count from the signal to the end of the process.
 */
@Gate
@Isolated("it measures how long stops take")
class DrainGate {
    private static final String UPLOAD = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n";
    private static final int CROWD = 100;
    private static final int LARGE = 8 * 1024 * 1024;
    private static final int CLOSED_MS = 700;
    private static final int HELD_MS = 2000;
    private static final int ROUNDS = 4;
    private static final int BEHIND_PATIENCE_MS = 1500;
    /** Where a gap in what is dripped spoils one. */
    private static final int ROUNDS_IN_PACE = 6;

    @Test
    void idleServerEndsWhicheverSignalItGets() {
        for (String signal : List.of("TERM", "INT")) {
            try (ServerProcess server = ServerProcess.app("hello").start();
                    RawClient idle = RawClient.connect(server)) {
                idle.get("/health").expect(200).expectOpen();
                long sinceNs = System.nanoTime();
                server.signal(signal);
                idle.closedWithin(sinceNs, 0, RawClient.WAIT.toMillis()).expectNothing();
                assertEquals(0, server.awaitExit(RawClient.WAIT), signal);
                assertEquals(1, server.stderr().lines().count(), server.stderr());
            }
        }
    }

    /** Far from the second that an incomplete request is given; the best of some. */
    @Test
    void idleConnectionsAreClosedAtOnce() {
        double bestMs = Rounds.least(CLOSED_MS, () -> {
            try (ServerProcess server = ServerProcess.app("hello").start();
                    RawClient idle = RawClient.connect(server)) {
                idle.get("/health").expect(200);
                Stop stop = Stop.term(server);
                long ms = idle.readUntilClosed(RawClient.WAIT).expectNothing()
                        .afterMs(stop.sinceNs());
                stop.expectExit(0);
                return ms;
            }
        });
        Figures.add(DrainGate.class, "an idle connection at a stop", bestMs, "ms", CLOSED_MS);
        assertTrue(bestMs < CLOSED_MS, "closed after " + bestMs + " ms at best");
    }

    @Test
    void signalToTheWholeGroupDrainsToo() {
        expectAnsweredWithClose("", server -> server.signalGroup("INT"));
    }

    @Test
    void requestInFlightIsAnsweredWholeWithClose() {
        expectAnsweredWithClose("", ServerProcess::term);
    }

    /** Its answer says close, so its client knows that nothing behind it was begun. */
    @Test
    void whatIsPipelinedBehindARequestInFlightIsNotBegun() {
        expectAnsweredWithClose("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n", ServerProcess::term);
    }

    /**
     * A loop that is held cannot show that the stop was seen; the end of what is idle on the other
     * loop does. Only an answer that was there before it need not say close.
     */
    private static void expectAnsweredWithClose(String behind, Consumer<ServerProcess> signal) {
        Rounds.play(ROUNDS, () -> {
            try (ServerProcess server = patient("host_check").set("M0_THREADS", "2").start()) {
                List<Seat> seats = Seat.oneOnEach(server, 2);
                RawClient client = seats.get(0).client();
                client.send("GET /slow?ms=1500 HTTP/1.1\r\nHost: a\r\n\r\n" + behind).awaitTaken();
                long sinceNs = System.nanoTime();
                signal.accept(server);
                seats.get(1).client().expectEnd();
                boolean answered = client.hasBytes();
                Reply reply = client.read().expect(200).expectBody("slow 1500\n");
                Rounds.voidIf(answered && !reply.saysClose(), "the signal came behind the answer");
                reply.expectClose();
                client.expectEnd();
                assertEquals(0, server.awaitExit(RawClient.WAIT));
                long ms = (System.nanoTime() - sinceNs) / 1_000_000;
                assertTrue(ms <= Slack.notAfterMs(1500), "it ended " + ms + " ms after the signal");
            }
        });
    }

    @Test
    void longAnswerThatIsStillLeavingIsSentWhole() {
        try (ServerProcess server = patient("host_check").start();
                RawClient client = RawClient.connectWithReceiveBuffer(server, 32 * 1024)) {
            client.send("GET /bytes?n=" + LARGE + " HTTP/1.1\r\nHost: a\r\n\r\n");
            client.awaitBytes();
            Stop stop = Stop.term(server).awaitNobodyListens();
            ServerProcess.pause(500);
            assertTrue(server.isAlive(), "it ended with an answer in flight");
            assertEquals(LARGE, client.read().expect(200).body().length);
            stop.expectExit(0);
        }
    }

    @Test
    void uploadInFlightIsReadOnAndAnswered() {
        // An upload that lasts longer than a drain waits for what makes no progress.
        Rounds.inPace(ROUNDS_IN_PACE, 700, pace -> {
            try (ServerProcess server = patient("echo").start();
                    RawClient client = RawClient.connect(server)) {
                int bytes = 4000;
                client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + bytes
                        + "\r\n\r\n");
                Upload drip = client.drip(new byte[] {'x'}, bytes, 10);
                try {
                    client.awaitTaken();
                    Stop stop = Stop.term(server).awaitNobodyListens();
                    ServerProcess.pause(BEHIND_PATIENCE_MS);
                    assertTrue(server.isAlive(), "the server ended with an upload in flight");
                    client.send("x".repeat(bytes - (int) drip.cease())).read().expect(200)
                            .expectBody("x".repeat(bytes)).expectClose();
                    client.expectEnd();
                    stop.expectExit(0);
                } finally {
                    pace.begin();
                    pace.step(drip.longestGapMs());
                }
            }
        });
    }

    /** The loop is to be held until it has the signal, as the close in its answer tells. */
    @Test
    void connectionsStillInTheBacklogAreServed() {
        Rounds.play(ROUNDS, DrainGate::expectBacklogServed);
    }

    private static void expectBacklogServed() {
        List<RawClient> crowd = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient blocker = RawClient.connect(server)) {
            try {
                blocker.send("GET /slow?ms=2000 HTTP/1.1\r\nHost: a\r\n\r\n").awaitTaken();
                for (int count = 0; count < CROWD; count++) {
                    crowd.add(RawClient.connect(server)
                            .send("GET /instance HTTP/1.1\r\nHost: a\r\n\r\n"));
                }
                Stop stop = Stop.term(server);
                Rounds.voidIf(!blocker.read().expect(200).saysClose(),
                        "the loop was not held: there is no backlog");
                for (RawClient member : crowd) {
                    member.read().expect(200).expectClose();
                }
                stop.expectExit(0);
            } finally {
                crowd.forEach(RawClient::close);
            }
        }
    }

    @Test
    void nothingListensWhileItDrains() {
        try (ServerProcess server = patient("host_check").start();
                RawClient client = RawClient.connectWithReceiveBuffer(server, 32 * 1024)) {
            client.send("GET /bytes?n=" + LARGE + " HTTP/1.1\r\nHost: a\r\n\r\n");
            client.awaitBytes();
            Stop stop = Stop.term(server).awaitNobodyListens();
            assertEquals(LARGE, client.read().expect(200).body().length);
            stop.expectExit(0);
        }
    }

    /**
     * The best of some: what the machine adds is no fault of the drain, which is off by seconds. A
     * signal that came behind the answer counts for nothing.
     */
    @Test
    void whatMakesNoProgressDoesNotHoldIt() {
        double bestMs = Rounds.least(HELD_MS, DrainGate::msBesideWhatMakesNoProgress);
        Figures.add(DrainGate.class, "a drain beside what makes no progress", bestMs, "ms",
                HELD_MS);
        assertTrue(bestMs < HELD_MS, "gone after " + bestMs + " ms at best");
    }

    private static double msBesideWhatMakesNoProgress() {
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient silent = RawClient.connect(server);
                RawClient halfHead = RawClient.connect(server);
                RawClient halfBody = RawClient.connect(server);
                RawClient client = RawClient.connect(server)) {
            halfHead.send("GET /health HTTP/1.1\r\nHos");
            halfBody.send(UPLOAD + "1");
            client.get("/health").expect(200);
            client.send("GET /slow?ms=500 HTTP/1.1\r\nHost: a\r\n\r\n").awaitTaken();
            Stop stop = Stop.term(server);
            boolean inFlight = client.read().expect(200).saysClose();
            silent.readUntilClosed(RawClient.WAIT);
            long ms = stop.expectExit(0);
            return inFlight ? ms : Double.POSITIVE_INFINITY;
        }
    }

    @Test
    void requestThatGoesOnArrivingIsWaitedFor() {
        Rounds.inPace(ROUNDS_IN_PACE, 700, pace -> {
            try (ServerProcess server = patient("host_check").start();
                    RawClient client = RawClient.connect(server)) {
                client.send("GET /health HTTP/1.1\r\nHost: a\r\nX-Drip: ");
                Upload drip = client.drip(new byte[] {'x'}, 4000, 10);
                try {
                    client.awaitTaken();
                    Stop stop = Stop.term(server).awaitNobodyListens();
                    ServerProcess.pause(BEHIND_PATIENCE_MS);
                    assertTrue(server.isAlive(), "the server ended with a head on its way");
                    drip.cease();
                    client.send("\r\n\r\n").read().expect(200).expectClose();
                    stop.expectExit(0);
                } finally {
                    pace.begin();
                    pace.step(drip.longestGapMs());
                }
            }
        });
    }

    /** One whose bound is far. */
    private static ServerProcess.Plan patient(String app) {
        return ServerProcess.app(app).set("M0_DRAIN_TIMEOUT_MS", "30000");
    }

    @Test
    void drainIsBoundedAndNamesWhatItAbandons() {
        expectCut("1000", 1000);
    }

    @Test
    void drainIsBoundedByFiveSecondsWhereNothingIsSet() {
        expectCut(null, 5000);
    }

    /**
     * An upload that drips for longer than the bound, without a gap that a drain does not wait for.
     */
    private static void expectCut(String timeoutMs, long boundMs) {
        Rounds.inPace(ROUNDS_IN_PACE, 700, pace -> cut(timeoutMs, boundMs, pace));
    }

    private static void cut(String timeoutMs, long boundMs, Rounds.Pace pace) {
        ServerProcess.Plan plan = ServerProcess.app("echo");
        if (timeoutMs != null) {
            plan.set("M0_DRAIN_TIMEOUT_MS", timeoutMs);
        }
        try (ServerProcess server = plan.start(); RawClient client = RawClient.connect(server)) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
            Upload drip = client.drip(new byte[] {'x'}, 1000, 100);
            client.awaitTaken();
            Stop stop = Stop.term(server);
            long ms;
            try {
                ms = stop.expectExitWithin(0, boundMs, Slack.notAfterMs(boundMs));
            } finally {
                pace.begin();
                pace.step(drip.longestGapMs());
            }
            Figures.add(DrainGate.class, "a drain cut at " + boundMs, ms, "ms",
                    Slack.notAfterMs(boundMs));
            server.expectStderrLines(1, "host: loop=0 abandoned 1 connection", RawClient.WAIT);
        }
    }

    @Test
    void loopThatDoesNotEndIsNamedAndFailsIt() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_DRAIN_TIMEOUT_MS", "500").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n").awaitTaken();
            Stop stop = Stop.term(server);
            stop.expectExitWithin(1, 2000, Slack.notAfterMs(2000));
            assertEquals(1, server.stderrLinesWith("host: loop 0 did not end"), server.stderr());
        }
    }
}
