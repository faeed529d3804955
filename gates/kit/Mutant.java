package kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * A run of the gates against classes that were broken on purpose.
 *
 * <p>{@code -jar} would take every class from the jar, so a mutant's server starts from a class
 * path with the mutant's directory in front, the manifest's openings as flags. The JVM logs where
 * each class comes from: a gate that failed, or passed, without the broken class says nothing, and
 * is failed with {@link #NOT_LOADED} instead, so that no failure of another kind can be taken for
 * the sabotage being caught.
 */
final class Mutant {

    /** How the failure of a gate begins that ran without the classes it was to run with. */
    static final String NOT_LOADED = "MUTANT NOT LOADED";

    private Mutant() {
    }

    static boolean present() {
        return System.getProperty("m0.mutant") != null;
    }

    /** The options and arguments that take the place of {@code -jar}. */
    static List<String> launch(Path jar, Path loads) {
        List<String> options = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes manifest = file.getManifest().getMainAttributes();
            String opens = manifest.getValue("Add-Opens");
            if (opens != null) {
                for (String opening : opens.trim().split("\\s+")) {
                    options.add("--add-opens");
                    options.add(opening + "=ALL-UNNAMED");
                }
            }
            options.addAll(classPath(jar.toString(), loads));
            options.add(manifest.getValue("Main-Class"));
        } catch (IOException failure) {
            throw new AssertionError("the manifest of " + jar + ": " + failure, failure);
        }
        return options;
    }

    /** The options that put the mutant before those classes. */
    static List<String> classPath(String classes, Path loads) {
        // A file for each process: a worker is started with these words too.
        return List.of("-Xlog:class+load=info:file=" + loads.toAbsolutePath() + ".%p::filecount=0",
                "-cp", directory() + ":" + classes);
    }

    /**
     * What is wrong with where the mutated classes came from, or the empty string. One of the
     * named classes, or one nested in it, must have come from the mutant's directory in one of
     * the servers, and none from elsewhere in any. (Not each: a class whose constant was copied
     * into its users is never loaded.)
     */
    static String complaint(List<ServerProcess> servers) {
        String names = System.getProperty("m0.mutant.class", "");
        if (names.isEmpty()) {
            return "";
        }
        boolean found = false;
        for (ServerProcess server : servers) {
            for (String line : lines(server.loads())) {
                if (!isLoadOfOneOf(line, names.split(","))) {
                    continue;
                }
                if (!line.contains("source: file:" + directory())) {
                    return NOT_LOADED + ": " + line;
                }
                found = true;
            }
        }
        return found ? ""
                : NOT_LOADED + ": no server loaded one of " + names + " from " + directory();
    }

    private static boolean isLoadOfOneOf(String line, String[] names) {
        for (String name : names) {
            if (isLoadOf(line, name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A line reads {@code [0.123s][info][class,load] a.b.C source: file:/x/}. A lambda's class is
     * made at run time, from the class that holds it: it has no place.
     */
    private static boolean isLoadOf(String line, String name) {
        int source = line.indexOf(" source: ");
        if (source < 0) {
            return false;
        }
        String loaded = line.substring(line.lastIndexOf(' ', source - 1) + 1, source);
        return loaded.equals(name)
                || loaded.startsWith(name + "$") && !loaded.contains("$$Lambda");
    }

    private static Path directory() {
        return Path.of(System.getProperty("m0.mutant")).toAbsolutePath().normalize();
    }

    /** What all processes of one server have logged. */
    private static List<String> lines(Path loads) {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(loads.getParent(), loads.getFileName() + ".*")) {
            for (Path file : files) {
                lines.addAll(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
            }
            return lines;
        } catch (IOException failure) {
            throw new AssertionError("the class load log: " + failure, failure);
        }
    }
}
