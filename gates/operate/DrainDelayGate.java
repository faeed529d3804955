package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import org.junit.jupiter.api.Test;

/** D104: between the signal and the drain the host is not ready, and serves on. */
@Gate
class DrainDelayGate {
    private static final int DELAY_MS = 2500;

    @Test
    void servesOnForTheDelayNotReadyAndSayingClose() {
        // What is asked between signal and drain is to be asked in time.
        Rounds.inPace(4, DELAY_MS, pace -> {
            try (ServerProcess server = delayed(DELAY_MS).start();
                    RawClient held = RawClient.connect(server)) {
                held.get("/health").expect(200).expectOpen();
                assertEquals(200, ready(server).status());
                pace.begin();
                Stop stop = Stop.term(server);
                ServerProcess.await("/__ready to say 503", Duration.ofMillis(2 * DELAY_MS),
                        () -> ready(server).status() == 503);
                ready(server).expect(503).expectClose();
                try (RawClient late = RawClient.connect(server)) {
                    late.get("/health").expect(200).expectClose();
                    late.expectEnd();
                }
                held.get("/health").expect(200).expectClose();
                held.expectEnd();
                assertTrue(stop.ms() < DELAY_MS, "not ready came only with the drain");
                stop.expectExitWithin(0, DELAY_MS, Slack.notAfterMs(DELAY_MS));
            }
        });
    }

    @Test
    void withoutADelayItDrainsAtOnce() {
        double ms = Rounds.least(DELAY_MS, () -> {
            try (ServerProcess server = delayed(0).start()) {
                return Stop.term(server).expectExit(0);
            }
        });
        assertTrue(ms < DELAY_MS, "it ended after " + ms + " ms, as if there were a delay");
    }

    @Test
    void secondSignalEndsTheDelay() {
        try (ServerProcess server = delayed(60_000).start()) {
            Stop stop = Stop.term(server);
            ServerProcess.await("/__ready to say 503", RawClient.WAIT,
                    () -> ready(server).status() == 503);
            ServerProcess.pause(300);
            server.term();
            stop.expectExit(1);
        }
    }

    private static ServerProcess.Plan delayed(int ms) {
        return ServerProcess.app("hello").set("M0_METRICS", "1")
                .set("M0_DRAIN_DELAY_MS", String.valueOf(ms));
    }

    private static Reply ready(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            return client.get("/__ready");
        }
    }
}
