package wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/**
 * C12: who comes while nobody accepts waits in the kernel's queue. Where that is full, nobody more
 * is connected.
 */
@Gate
class BacklogGate {

    private static final Path KERNEL_MAX = Path.of("/proc/sys/net/core/somaxconn");

    @Test
    void aCrowdConnectsWhileTheLoopIsBusy() throws IOException {
        int crowd = Math.min(300, kernelMax());
        assertTrue(crowd > 50, "a kernel's queue of " + crowd + " shows nothing");
        List<RawClient> clients = new ArrayList<>();
        try (ServerProcess server = ServerProcess.app("host_check").start()) {
            try {
                server.whileSuspended(() -> {
                    for (int index = 0; index < crowd; index++) {
                        clients.add(RawClient.connect(server));
                    }
                });
                for (RawClient client : clients) {
                    client.get("/pid").expect(200);
                }
            } finally {
                clients.forEach(RawClient::close);
            }
        }
    }

    /** A file below /proc/sys gives its text to one read alone, which must be large enough. */
    private static int kernelMax() throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(KERNEL_MAX)) {
            return Integer.parseInt(reader.readLine().trim());
        }
    }
}
