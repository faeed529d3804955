package process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The live heap of a JVM by class, from {@code jcmd PID GC.class_histogram}, which collects first.
 *
 * @param bytes        of all live objects
 * @param bytesByClass of each class's live objects
 */
public record LiveHeap(long bytes, Map<String, Long> bytesByClass) {
    /** Collects twice, so that what a cleaner frees after the first is gone, and reads. */
    public static LiveHeap of(ServerProcess server) throws IOException {
        String jcmd = server.arm().jdk().program("jcmd");
        String pid = String.valueOf(server.pid());
        Tool.lines(jcmd, pid, "GC.run");
        return parse(Tool.lines(jcmd, pid, "GC.class_histogram"));
    }

    static LiveHeap parse(List<String> lines) throws IOException {
        Map<String, Long> byClass = new HashMap<>();
        for (String line : lines) {
            String[] words = line.trim().split("\\s+");
            if (words.length >= 3 && words[0].equals("Total")) {
                return new LiveHeap(Long.parseLong(words[2]), Map.copyOf(byClass));
            }
            if (words.length >= 4 && words[0].endsWith(":")) {
                byClass.merge(words[3], Long.parseLong(words[2]), Long::sum);
            }
        }
        throw new IOException("no total in the class histogram: " + lines);
    }

    /** The classes that grew most since an earlier reading, as {@code name bytes}. */
    public List<String> grownSince(LiveHeap earlier, int count) {
        Map<String, Long> growth = new HashMap<>(bytesByClass);
        earlier.bytesByClass.forEach((name, size) -> growth.merge(name, -size, Long::sum));
        List<Map.Entry<String, Long>> classes = new ArrayList<>(growth.entrySet());
        classes.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()));
        return classes.stream().limit(count)
            .map(entry -> entry.getKey() + " " + entry.getValue()).toList();
    }
}
