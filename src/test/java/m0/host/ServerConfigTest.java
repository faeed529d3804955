package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import m0.pool.LaneConfig;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
    @Test
    void loopsShareTheMemoryThatRequestsMayHold() {
        long alone = held("1");
        assertEquals(Runtime.getRuntime().maxMemory() / 4, alone);
        assertEquals(alone / 4, held("4"));
    }

    @Test
    void settingsOfALaneReachItAndItsConnections() {
        ServerConfig config = ServerConfig.builder().set(Setting.BLOCKING_THREADS, "3")
                .set(Setting.MAX_CONNECTIONS, "70").set(Setting.LANE_QUEUE, "5")
                .set(Setting.LANE_DEADLINE_MS, "250").set(Setting.DEFERRED_DEADLINE_MS, "900")
                .build();
        assertEquals(new LaneConfig(2, 1, 3, 70, 5, 250_000_000L), config.laneConfig(2, 1));
        assertEquals(250_000_000L, config.connectionConfig().laneDeadlineNs());
        assertEquals(900_000_000L, config.connectionConfig().deferredTimeoutNs());
    }

    /** A millisecond more for every four connections, since each of them may have to be cut. */
    @Test
    void loopsAreWaitedForBeyondTheDrainAndForEachConnection() {
        ServerConfig config =
                ServerConfig.builder().set(Setting.DRAIN_TIMEOUT_MS, "200").build();
        assertEquals(1_700_000_000L, config.joinBoundNs(0), "with nobody connected");
        assertEquals(1_700_000_000L, config.joinBoundNs(3));
        assertEquals(1_701_000_000L, config.joinBoundNs(4), "with four");
        assertEquals(5_796_000_000L, config.joinBoundNs(16_384), "with all that a loop takes");
    }

    private static long held(String threads) {
        return ServerConfig.builder().set(Setting.THREADS, threads).build().connectionConfig()
                .heldBytesMax();
    }
}
