package views;

import kit.BesideSpins;
import kit.Gate;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * N19: while every pool thread spins in a view, routes of the loop are answered at once; on the
 * bare loop they wait.
 */
@Gate
@Isolated("two threads spin, and it measures who waits for them")
class RampPlacementGate {
    @Test
    void aRouteWithoutStateIsAnsweredWhileEveryPoolThreadSpins() {
        beside(2, 1.0).expectQuick("/x/now, 2 of 2 threads spin", client ->
                client.get("/x/now").expect(200));
    }

    @Test
    void aRouteWithTheLoopsStateIsAnsweredWhileEveryPoolThreadSpins() {
        beside(2, 1.0).expectQuick("/x, 2 of 2 threads spin", client ->
                client.get("/x").expect(200));
    }

    @Test
    void withoutALaneItWaitsForTheSpin() {
        beside(0, 0.6).expectHeld("/x/now on the bare host", client ->
                client.get("/x/now").expect(200));
    }

    private static BesideSpins beside(int threads, double heldLeast) {
        return new BesideSpins(RampPlacementGate.class, () -> ServerProcess.app("ramp")
                .set("M0_BLOCKING_THREADS", String.valueOf(threads)), "/x/slow?ms=", 2, heldLeast);
    }
}
