package serve;

import java.util.function.Supplier;
import kit.BesideSpins;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * N20: a loop route of one module on two hosts, while its lane spins: with a thread to spare, and with
 * none. The bare host, and the mounting one whose loop leaves its routes to the lane, wait.
 */
@Gate
@Isolated("threads spin, and it measures who waits for them")
class RampPlacementGate {
    @Test
    void aLoopRouteDoesNotWaitBesideAThreadThatSpins() {
        expectQuick("host, 1 of 2 threads spins", Ramps::host, 1, 0.4);
        expectQuick("mounted, 1 of 2 threads spins", Ramps::mounted, 1, 0.4);
    }

    @Test
    void aLoopRouteDoesNotWaitWhileItsWholeLaneSpins() {
        expectQuick("host, 2 of 2 threads spin", Ramps::host, 2, 1.0);
        expectQuick("mounted, 2 of 2 threads spin", Ramps::mounted, 2, 1.0);
    }

    @Test
    void onTheBareHostItWaitsForTheSpin() {
        expectHeld("the bare host", () -> Ramps.host().set("M0_BLOCKING_THREADS", "0"), 0.4);
    }

    @Test
    void aMountThatLeavesItsLoopRoutesToItsLaneWaitsForTheSpin() {
        expectHeld("with M0_MOUNT_LOOP=0", () -> Ramps.mounted().set("M0_MOUNT_LOOP", "0"), 1.0);
    }

    private static void expectQuick(String what, Supplier<ServerProcess.Plan> plan,
            int spinners, double heldLeast) {
        beside(plan, spinners, heldLeast).expectQuick("/x/now, " + what, RampPlacementGate::askNow);
    }

    private static void expectHeld(String what, Supplier<ServerProcess.Plan> plan,
            double heldLeast) {
        beside(plan, 2, heldLeast).expectHeld("/x/now, " + what, RampPlacementGate::askNow);
    }

    private static BesideSpins beside(Supplier<ServerProcess.Plan> plan, int spinners,
            double heldLeast) {
        return new BesideSpins(RampPlacementGate.class, plan, "/x/slow?ms=", spinners,
                heldLeast);
    }

    private static void askNow(RawClient client) {
        client.get("/x/now").expect(200).expectBody("now\n");
    }
}
