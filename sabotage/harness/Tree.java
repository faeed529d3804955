package harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.parallel.Isolated;

/** A built working tree, which is only read: its sources, its classes and what they need. */
record Tree(Path root, Map<Path, String> sources, String libraries) {
    /** Reads the tree that Maven has packaged at {@code root}. */
    static Tree at(Path root) throws IOException {
        Path classPath = root.resolve("target/test-classpath.txt");
        if (!Files.exists(classPath)) {
            throw new IOException("not built: no " + classPath
                    + " (mvn -q -DskipTests package makes it)");
        }
        var sources = new LinkedHashMap<Path, String>();
        for (String folder : new String[] {"src/main/java", "apps"}) {
            Path directory = root.resolve(folder);
            if (Files.isDirectory(directory)) {
                try (var files = Files.walk(directory)) {
                    for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted()
                            .toList()) {
                        sources.put(file, Files.readString(file));
                    }
                }
            }
        }
        return new Tree(root, sources, Files.readString(classPath).strip());
    }

    /** Whether a class of tests says that it is not to run beside others; a missing one does not. */
    boolean isIsolated(String className) {
        try (var loader = new URLClassLoader(new URL[] {testClasses().toUri().toURL()},
                Tree.class.getClassLoader())) {
            return Class.forName(className, false, loader).isAnnotationPresent(Isolated.class);
        } catch (ClassNotFoundException | NoClassDefFoundError missing) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path testClasses() {
        return root.resolve("target/test-classes");
    }

    Path classes() {
        return root.resolve("target/classes");
    }

    String compileClassPath() {
        return classes() + File.pathSeparator + libraries;
    }

    String testClassPath() {
        return testClasses() + File.pathSeparator + compileClassPath();
    }

    /** For a test's JVM; what stands in {@code first} hides the tree's own classes. */
    String testClassPath(Path first) {
        return first + File.pathSeparator + testClassPath();
    }
}
