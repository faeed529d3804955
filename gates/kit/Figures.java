package kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * The figures gates measured, one JSON object a line, to be read beside their limits.
 *
 * <p>They never decide anything: a gate asserts for itself. Threads: any.
 */
public final class Figures {

    private static final Path FILE = Path.of("target", "gate-figures.jsonl");

    private Figures() {
    }

    /** Appends one figure. {@code limit} is the most the gate lets pass, in the same unit. */
    public static void add(Class<?> gate, String figure, double value, String unit, double limit) {
        write(gate, figure, value, unit, "limit", limit);
    }

    /** Appends one figure. {@code least} is the least the gate lets pass, in the same unit. */
    public static void addAtLeast(Class<?> gate, String figure, double value, String unit,
            double least) {
        write(gate, figure, value, unit, "least", least);
    }

    private static synchronized void write(Class<?> gate, String figure, double value, String unit,
            String bound, double limit) {
        String line = String.format(Locale.ROOT,
                "{\"gate\":\"%s\",\"figure\":\"%s\",\"value\":%s,\"unit\":\"%s\",\"%s\":%s}%n",
                gate.getName(), escaped(figure), number(value), escaped(unit), bound,
                number(limit));
        try {
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, line.getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new AssertionError("figures: " + failure, failure);
        }
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
