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

    private static long held(String threads) {
        return ServerConfig.builder().set(Setting.THREADS, threads).build().connectionConfig()
                .heldBytesMax();
    }
}
