package m0.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The number of this process. Threads: any. */
final class ProcessId {
    private ProcessId() {
    }

    /**
     * Where Linux says it, since the JDK's own answer brings a pool of threads with it and costs a
     * start some ten milliseconds.
     */
    static String own() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self")).toString();
        } catch (IOException notLinux) {
            return Long.toString(ProcessHandle.current().pid());
        }
    }
}
