package lane;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import kit.BesideSpins;
import kit.Gate;
import kit.Loaders;
import kit.RawClient;
import kit.ServerProcess;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * C5, E26: while every pool thread is held by a spin of 400 ms after the other, a route on the loop
 * is answered at once and streams carry all their events; on the bare loop they wait.
 */
@Gate
@Isolated("two threads spin, and it measures who waits for them")
class PlacementGate {
    private static final String SLOW = "/slow?ms=";
    private static final int BEATS = 25;

    @Test
    void aRouteOnTheLoopIsAnsweredWhileEveryPoolThreadSpins() {
        beside(2, 1.0).expectQuick("/health, 2 of 2 threads spin", PlacementGate::askHealth);
    }

    @Test
    void withoutALaneItWaitsForTheSpin() {
        beside(0, 0.6).expectHeld("/health on the bare host", PlacementGate::askHealth);
    }

    private static BesideSpins beside(int threads, double heldLeast) {
        return new BesideSpins(PlacementGate.class, () -> ServerProcess.app("host_check")
                .set("M0_BLOCKING_THREADS", String.valueOf(threads))
                .set("M0_HOSTCHECK_PERIOD_MS", "600000"), SLOW, 2, heldLeast);
    }

    private static void askHealth(RawClient client) {
        client.get("/health").expect(200).expectBody("ok");
    }

    @Test
    void streamsOnTheLoopCarryEveryBeatWhileEveryPoolThreadSpins() {
        try (ServerProcess server = ServerProcess.app("host_check")
                .set("M0_BLOCKING_THREADS", "2").set("M0_SSE_HEARTBEAT_MS", "0").start();
                Loaders loaders = new Loaders(server, 2, SLOW + 400);
                SseClient one = SseClient.open(server, "/events");
                SseClient two = SseClient.open(server, "/events");
                WsClient socket = WsClient.open(server, "/ws")) {
            for (SseClient stream : List.of(one, two)) {
                long id = stream.event().id();
                for (int count = 1; count < BEATS; count++) {
                    assertEquals(++id, stream.event(Duration.ofSeconds(20)).id(), "the beat's id");
                }
            }
            for (int count = 0; count < 5; count++) {
                assertEquals("message " + count, socket.text("message " + count).read().text());
            }
            ServerProcess.await("four spins beside that", RawClient.WAIT,
                    () -> loaders.answers() >= 4);
        }
    }
}
