package seen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** F102: live while no loop is stuck, ready until a stop was asked for. */
@Gate
class HealthGate {

    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void aRunningServerIsLiveAndReady() {
        try (ServerProcess server = withMetrics().start();
                RawClient client = RawClient.connect(server)) {
            client.get("/__live").expect(200).expectOpen();
            client.get("/__ready").expect(200).expectOpen();
            client.send("HEAD /__ready HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD").expect(200);
            assertEquals("GET, HEAD", client.post("/__live", "").expect(405).header("Allow"));
        }
    }

    @Test
    void theRoutesAreTheApplicationsWithoutMetrics() {
        try (ServerProcess server = ServerProcess.app("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/__live").expect(404);
            client.get("/__ready").expect(404);
        }
    }

    @Test
    void aStopEndsReadinessAtOnceWhileTheServerServesOn() {
        try (ServerProcess server = withMetrics().set("M0_DRAIN_DELAY_MS", "4000").start()) {
            server.term();
            ServerProcess.await("503 of /__ready", Duration.ofSeconds(3),
                    () -> ask(server, "/__ready") == 503);
            assertEquals(200, ask(server, "/__live"));
            assertEquals(200, ask(server, "/health"));
            assertEquals(0, server.awaitExit(SOON));
        }
    }

    /** The loop that is held is the one that would answer: nothing comes, which says the same. */
    @Test
    void aStuckLoopDoesNotAnswerAndIsLiveAgainAfterwards() {
        try (ServerProcess server = withMetrics().args("--loop-stall-ms", "300").start();
                RawClient holder = RawClient.connect(server);
                RawClient asker = RawClient.connect(server)) {
            asker.get("/__live").expect(200);
            holder.send("GET /slow?ms=2500 HTTP/1.1\r\nHost: a\r\n\r\n");
            server.awaitStderr("has been inside one pass for", SOON);
            asker.send("GET /__live HTTP/1.1\r\nHost: a\r\n\r\n");
            asker.expectSilence(500);
            holder.read().expect(200);
            asker.read().expect(200);
        }
    }

    private static ServerProcess.Plan withMetrics() {
        return ServerProcess.app("host_check").args("--metrics");
    }

    private static int ask(ServerProcess server, String target) {
        try (RawClient client = RawClient.connect(server)) {
            return client.get(target).status();
        }
    }
}
