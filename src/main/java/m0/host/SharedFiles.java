package m0.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import m0.bus.BusWarden;
import m0.page.Page;

/**
 * The files that a supervisor and its workers share: where they lie and how large they are.
 *
 * <p>Threads: any.
 */
final class SharedFiles {
    private static final Path MEMORY = Path.of("/dev/shm");

    private SharedFiles() {
    }

    /** In memory, where there is a place for it: on a disk all that is shared is written back. */
    static Path parent() {
        return Files.isWritable(MEMORY) && Files.isDirectory(MEMORY) ? MEMORY
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** What is free for them. */
    static Surroundings.Room room() {
        Path parent = parent();
        // A file system without a limit, as tmpfs can be mounted, says 0 and 0.
        boolean limited = parent.toFile().getTotalSpace() > 0;
        return new Surroundings.Room(parent, limited
                ? parent.toFile().getUsableSpace() + PrivateDirectory.leftBehindBytes(parent)
                : Surroundings.Room.UNKNOWN);
    }

    /**
     * How much of it a start with these settings takes.
     *
     * @param service null where there is none, which shares no words of its own
     */
    static long bytes(Settings settings, Service service) {
        int workers = (int) settings.number(Setting.WORKERS);
        ServerConfig config = new ServerConfig(settings, Map.of());
        return BusWarden.fileBytes(workers) + (service == null ? 0
                : Page.fileBytes(workers, config.counterWords(service),
                        service.app().pageSlots(workers)));
    }
}
