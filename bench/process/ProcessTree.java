package process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process and its children, as Linux tells of them. Threads: any. */
public final class ProcessTree {
    private static final Path PROCESSES = Path.of("/proc");

    private ProcessTree() {
    }

    /**
     * Memory of several processes together.
     *
     * @param residentBytes what each has in memory, shared pages as often as they are mapped
     * @param proportionalBytes the same with shared pages divided among those that map them
     */
    public record Memory(long residentBytes, long proportionalBytes) { }

    /** The children of a process. */
    public static List<Long> children(long parent) throws IOException {
        List<Long> children = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path entry : entries) {
                if (field(read(entry.resolve("status")), "PPid:") == parent) {
                    children.add(Long.parseLong(entry.getFileName().toString()));
                }
            }
        }
        return children;
    }

    /** The child that has that variable in its environment, or −1. */
    public static long childWith(long parent, String assignment) throws IOException {
        for (long child : children(parent)) {
            String environment = read(PROCESSES.resolve(child + "/environ"));
            if (List.of(environment.split("\0")).contains(assignment)) {
                return child;
            }
        }
        return -1;
    }

    /** Of a process and its children. */
    public static Memory memory(long parent) throws IOException {
        List<Long> all = new ArrayList<>(children(parent));
        all.add(parent);
        long resident = 0;
        long proportional = 0;
        for (long process : all) {
            String sums = read(PROCESSES.resolve(process + "/smaps_rollup"));
            resident += field(sums, "Rss:") * 1024;
            proportional += field(sums, "Pss:") * 1024;
        }
        return new Memory(resident, proportional);
    }

    private static long field(String text, String name) {
        for (String line : text.split("\n")) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return -1;
    }

    /** Empty where the process has ended meanwhile. */
    private static String read(Path file) throws IOException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException ended) {
            return "";
        }
    }
}
