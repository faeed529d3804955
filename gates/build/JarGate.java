package build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the build hands over: one jar to start, one library without the applications. */
class JarGate {
    private static final String HOST = "target/host.jar";
    private static final String LIBRARY = "target/m0-host-0.1.0.jar";

    @Test
    void libraryHoldsTheHostAlone() throws IOException {
        assertEquals(List.of(), entries(LIBRARY, name -> !name.startsWith("m0/")
                && !name.startsWith("META-INF/")));
        try (var jar = new JarFile(LIBRARY)) {
            assertEquals("m0.host",
                    jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
        }
    }

    @Test
    void hostJarOpensWhatItNeedsAndCarriesNoBuildLeftovers() throws IOException {
        try (var jar = new JarFile(HOST)) {
            var attributes = jar.getManifest().getMainAttributes();
            assertEquals("m0.main.Main", attributes.getValue("Main-Class"));
            assertEquals("java.base/jdk.internal.misc java.base/java.lang java.base/java.io"
                    + " java.base/sun.nio.ch", attributes.getValue("Add-Opens"));
            assertNotNull(attributes.getValue("Implementation-Version"));
            assertNotNull(jar.getEntry("m0/main/Main.class"));
            assertNotNull(jar.getEntry("META-INF/licences/agrona.txt"));
        }
        assertEquals(List.of(), entries(HOST, name -> name.endsWith("module-info.class")
                || name.startsWith("META-INF/maven/")
                || name.startsWith("META-INF/versions/")
                || name.startsWith("META-INF/services/")
                || name.startsWith("org/junit/")
                || name.startsWith("org/HdrHistogram/")
                || name.endsWith(".java")
                || name.endsWith("Test.class")
                || name.endsWith("Gate.class")));
    }

    private static List<String> entries(String path, Predicate<String> wanted) throws IOException {
        try (var jar = new JarFile(path)) {
            return jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName)
                    .filter(wanted).toList();
        }
    }
}
