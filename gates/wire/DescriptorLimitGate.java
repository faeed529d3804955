package wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** A server that runs out of descriptors says so once, does not spin, and comes back. */
@Gate
class DescriptorLimitGate {

    private static final int LIMIT = 64;
    private static final int CLIENTS = 90;
    /** Half a second is promised; a spinning loop on a crowded machine may get little more. */
    private static final double CPU_SECONDS_MAX = 0.2;

    @Test
    void whoFindsNoDescriptorWaitsAndIsServedLater() {
        List<RawClient> waiting = new ArrayList<>();
        List<RawClient> served = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("host_check")
                .shell("ulimit -n " + LIMIT).start()) {
            try {
                for (int index = 0; index < CLIENTS; index++) {
                    RawClient client = RawClient.connect(server);
                    waiting.add(client);
                    client.send("GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
                }
                server.awaitStderr("cannot accept", RawClient.WAIT);
                ServerProcess.await("an answer to the first", RawClient.WAIT,
                        waiting.get(0)::hasBytes);
                moveAnswered(waiting, served);
                assertTrue(!waiting.isEmpty(), "all of " + CLIENTS
                        + " were served: the limit was to be met in between");
                served.get(0).get("/pid").expect(200);
                double used = server.quietCpuSeconds(2000, CPU_SECONDS_MAX);
                Figures.add(DescriptorLimitGate.class, "CPU in 2 s without descriptors", used, "s",
                        CPU_SECONDS_MAX);
                assertTrue(used < CPU_SECONDS_MAX, used + " CPU seconds in 2 s");
                server.expectStderrLines(1, "cannot accept", RawClient.WAIT);
                while (!waiting.isEmpty()) {
                    assertTrue(!served.isEmpty(), waiting.size() + " were never served");
                    served.forEach(RawClient::close);
                    served.clear();
                    ServerProcess.await("a waiting client's answer", RawClient.WAIT,
                            () -> waiting.stream().anyMatch(RawClient::hasBytes));
                    moveAnswered(waiting, served);
                }
            } finally {
                waiting.forEach(RawClient::close);
                served.forEach(RawClient::close);
            }
        }
    }

    private static void moveAnswered(List<RawClient> waiting, List<RawClient> served) {
        for (RawClient client : List.copyOf(waiting)) {
            if (client.hasBytes()) {
                client.read().expect(200).expectOpen();
                waiting.remove(client);
                served.add(client);
            }
        }
    }
}
