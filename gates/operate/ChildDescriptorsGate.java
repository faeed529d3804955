package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;

/** G16: what a child of the application has of the process that it was started by. */
@Gate
class ChildDescriptorsGate {
    @Test
    void childOfAHostHasItsThreeStreamsAndNoMore() {
        try (ServerProcess server = starter("1").start()) {
            expectStreamsAlone(server);
        }
    }

    /** A worker was given the listener as its stdin, and a child with that would keep it open. */
    @Test
    void childOfAWorkerHasItsThreeStreamsAndNoMore() {
        try (ServerProcess server = starter("2").start()) {
            expectStreamsAlone(server);
        }
    }

    private static ServerProcess.Plan starter(String workers) {
        return ServerProcess
                .program("m0.main.Main", "serve", "--app", ChildStarter.class.getName())
                .jvm("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--add-opens", "java.base/java.lang=ALL-UNNAMED",
                        "--add-opens", "java.base/java.io=ALL-UNNAMED",
                        "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED")
                .set("M0_HOST", "127.0.0.1").set("M0_PORT", "0").set("M0_WORKERS", workers);
    }

    private static void expectStreamsAlone(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            long child = Long.parseLong(client.get("/").expect(200).text());
            // Until it is that program, it is a copy of the JVM, or the JVM's helper for that.
            Path name = Path.of("/proc", String.valueOf(child), "comm");
            ServerProcess.await("the child's own program", RawClient.WAIT,
                    () -> read(name).equals("sleep\n"));
            List<String> open = ServerProcess.openDescriptors(child);
            assertEquals(3, open.size(), "a child's descriptors: " + open);
            assertEquals(0, open.stream().filter(target -> target.startsWith("socket:")).count(),
                    "a child's descriptors: " + open);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
