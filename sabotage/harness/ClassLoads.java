package harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a test's JVM took the mutated classes from, read from its class load log.
 *
 * <p>A log line reads {@code a.b.C source: file:/directory/}. For a gate the servers' logs count,
 * not those of the JVM that runs JUnit; the gates' kit reads them and complains by itself.
 */
record ClassLoads(String complaint) {
    static ClassLoads nothingToSay() {
        return new ClassLoads("");
    }

    /**
     * One of {@code classes}, or one nested in it, must have come from {@code mutant}, and none
     * from elsewhere. (Not each: a class whose constant went into its users is never loaded.)
     */
    static ClassLoads read(Path log, Path mutant, List<String> classes) throws IOException {
        List<String> lines = Files.exists(log)
                ? Files.readAllLines(log, StandardCharsets.ISO_8859_1) : List.of();
        boolean loaded = false;
        for (String line : lines) {
            if (classes.stream().anyMatch(name -> isLoadOf(line, name))) {
                if (!line.contains("source: file:" + mutant)) {
                    return new ClassLoads("from elsewhere: " + line);
                }
                loaded = true;
            }
        }
        return loaded ? nothingToSay()
                : new ClassLoads("the test loaded none of " + String.join(", ", classes));
    }

    /** A lambda's class is made at run time, from the class that holds it: it has no place. */
    private static boolean isLoadOf(String line, String name) {
        return line.startsWith(name)
                && (line.startsWith(" ", name.length()) || line.startsWith("$", name.length()))
                && !line.split(" ", 2)[0].contains("$$Lambda");
    }
}
