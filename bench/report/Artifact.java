package report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import process.Tool;

/**
 * The record of one bench run: {@code bench/results/<kind>-<UTC stamp>.json}.
 *
 * <p>Rows are single measurements, medians sum them up, ratios are what bounds are judged by, and
 * definitions say what each key means, so that the file can be read without the program.
 */
public final class Artifact {
    private static final DateTimeFormatter STAMP =
        DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final String kind;
    private final Instant time = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final String jdk;
    private final Map<String, Object> parameters;
    private final Map<String, String> definitions = new LinkedHashMap<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final List<Map<String, Object>> medians = new ArrayList<>();
    private final List<Map<String, Object>> ratios = new ArrayList<>();

    public Artifact(String kind, String jdk, Map<String, Object> parameters) {
        this.kind = kind;
        this.jdk = jdk;
        this.parameters = parameters;
    }

    public void define(String key, String meaning) {
        definitions.put(key, meaning);
    }

    public void row(Map<String, Object> row) {
        rows.add(row);
    }

    public void median(Map<String, Object> median) {
        medians.add(median);
        System.out.println(line("median", median));
    }

    public void ratio(Map<String, Object> ratio) {
        ratios.add(ratio);
        System.out.println(line("ratio", ratio));
    }

    private static String line(String what, Map<String, Object> values) {
        StringBuilder line = new StringBuilder(what);
        values.forEach((key, value) -> line.append(' ').append(key).append('=').append(
            value instanceof Double ? String.format(Locale.ROOT, "%.3f", value) : value));
        return line.toString();
    }

    /** Writes the file and says where. */
    public Path write(Path results) throws IOException {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("kind", kind);
        file.put("time", time.toString());
        file.put("commit", Tool.lines("git", "rev-parse", "HEAD").get(0));
        file.put("dirty", isDirty());
        file.put("machine", machine());
        file.put("jdk", jdk);
        file.put("parameters", parameters);
        file.put("definitions", definitions);
        file.put("rows", rows);
        file.put("medians", medians);
        file.put("ratios", ratios);
        Files.createDirectories(results);
        Path path = results.resolve(kind + "-" + STAMP.format(time) + ".json");
        Files.writeString(path, Json.write(file));
        System.out.println("wrote " + path);
        return path;
    }

    /** Artifacts not yet committed do not make the tree that was measured another one. */
    private static boolean isDirty() throws IOException {
        return Tool.lines("git", "status", "--porcelain", "--", ".", ":!bench/results").size() > 0;
    }

    private static Map<String, Object> machine() throws IOException {
        Map<String, Object> machine = new LinkedHashMap<>();
        List<String> models = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).trim()).toList();
        machine.put("cpu", models.isEmpty() ? "unknown" : models.get(0));
        // Not availableProcessors: this program is itself pinned to one.
        machine.put("cores", models.size());
        machine.put("kernel",
            System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("arch", System.getProperty("os.arch"));
        return machine;
    }
}
