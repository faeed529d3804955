package m0;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import m0.ArchitectureRules.Edge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchitectureTest {
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path TEST_CLASSES = Path.of("target/test-classes");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    Path temporary;

    @Test
    void hostAndApplicationsKeepToTheTable() {
        assertFalse(ArchitectureRules.edges(CLASSES, CLASS_PATH).isEmpty(), "jdeps saw nothing");
        assertEquals(List.of(),
                ArchitectureRules.violationsOfHostAndApplications(CLASSES, CLASS_PATH));
    }

    @Test
    void everyPackageOfTheHostHasARow() {
        assertEquals(Set.of(), ArchitectureRules.packagesWithoutRow(CLASSES, CLASS_PATH));
    }

    @Test
    void gatesAreBlackBoxes() throws IOException {
        Set<String> gates = packagesUnder(Path.of("gates"));
        assertFalse(gates.isEmpty(), "no gates were found");
        assertEquals(List.of(),
                ArchitectureRules.violationsOfGates(TEST_CLASSES, CLASS_PATH, gates));
    }

    @Test
    void tableIsWrittenBottomUp() {
        var above = new HashSet<String>();
        ArchitectureRules.TABLE.forEach((row, uses) -> {
            assertTrue(above.containsAll(uses), row + " uses a row that is not above it");
            above.add(row);
        });
    }

    @Test
    void catchesAnEdgeUpwards() throws IOException {
        compile("m0/loop/Turn.java", "package m0.loop; public class Turn { }",
                "m0/bytes/Toy.java", "package m0.bytes; class Toy extends m0.loop.Turn { }");
        assertEquals(List.of(new Edge("m0.bytes", "m0.loop")), hostViolations());
    }

    @Test
    void catchesTheCodecsUsingEachOther() throws IOException {
        compile("m0/ws/Frame.java", "package m0.ws; public class Frame { }",
                "m0/sse/Toy.java", "package m0.sse; class Toy extends m0.ws.Frame { }");
        assertEquals(List.of(new Edge("m0.sse", "m0.ws")), hostViolations());
    }

    @Test
    void catchesAUseOfASubpackageThatHasItsOwnRow() throws IOException {
        compile("m0/http/parse/Head.java", "package m0.http.parse; public class Head { }",
                "m0/http/Toy.java", "package m0.http; class Toy extends m0.http.parse.Head { }");
        assertEquals(List.of(new Edge("m0.http", "m0.http.parse")), hostViolations());
    }

    @Test
    void catchesChannelsOutsideTheirPackages() throws IOException {
        String body = " class Toy { Object open() throws java.io.IOException"
                + " { return java.nio.channels.Selector.open(); } }";
        compile("m0/pool/Toy.java", "package m0.pool;" + body,
                "m0/loop/Toy.java", "package m0.loop;" + body);
        assertEquals(List.of(new Edge("m0.pool", "java.nio.channels")), hostViolations());
    }

    @Test
    void catchesTheTwoLibrariesOutsideTheirPackages() throws IOException {
        compile("m0/http/Toy.java",
                "package m0.http; class Toy { Object a = new org.agrona.concurrent.UnsafeBuffer();"
                        + " Object b = new org.HdrHistogram.Histogram(2); }",
                "m0/telemetry/Toy.java",
                "package m0.telemetry; class Toy { Object b = new org.HdrHistogram.Histogram(2); }");
        assertEquals(Set.of(new Edge("m0.http", "org.agrona.concurrent"),
                new Edge("m0.http", "org.HdrHistogram")), Set.copyOf(hostViolations()));
    }

    @Test
    void catchesAJdkInternalOutsideTheHost() throws IOException {
        String body = " class Toy { Object signal = new sun.misc.Signal(\"TERM\"); }";
        compile("m0/loop/Toy.java", "package m0.loop;" + body,
                "m0/host/Toy.java", "package m0.host;" + body);
        assertEquals(List.of(new Edge("m0.loop", "sun.misc")), hostViolations());
    }

    @Test
    void catchesAnApplicationReachingIntoTheHost() throws IOException {
        compile("m0/loop/Turn.java", "package m0.loop; public class Turn { }",
                "m0/app/App.java", "package m0.app; public interface App { }",
                "toy/Toy.java",
                "package toy; class Toy extends m0.loop.Turn implements m0.app.App { }");
        assertEquals(List.of(new Edge("toy", "m0.loop")), hostViolations());
    }

    @Test
    void catchesAnApplicationUsingAnother() throws IOException {
        compile("toy/Part.java", "package toy; public class Part { }",
                "other/Toy.java", "package other; class Toy extends toy.Part { }");
        assertEquals(List.of(new Edge("other", "toy")), hostViolations());
    }

    @Test
    void catchesAPackageWithoutARow() throws IOException {
        compile("m0/util/Toy.java", "package m0.util; class Toy { }");
        assertEquals(Set.of("m0.util"),
                ArchitectureRules.packagesWithoutRow(temporary, CLASS_PATH));
    }

    @Test
    void catchesAGateThatIsNoBlackBox() throws IOException {
        compile("m0/bytes/Ascii.java", "package m0.bytes; public class Ascii { }",
                "kit/Client.java", "package kit; public class Client { }",
                "wire/Toy.java",
                "package wire; class Toy extends m0.bytes.Ascii { kit.Client client; }");
        assertEquals(List.of(new Edge("wire", "m0.bytes")),
                ArchitectureRules.violationsOfGates(temporary, CLASS_PATH, Set.of("wire", "kit")));
    }

    private List<Edge> hostViolations() {
        return ArchitectureRules.violationsOfHostAndApplications(temporary, CLASS_PATH);
    }

    /** Compiles pairs of path and source into the temporary directory. */
    private void compile(String... pathsAndSources) throws IOException {
        var arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-cp", CLASS_PATH,
                "-d", temporary.toString()));
        for (int i = 0; i < pathsAndSources.length; i += 2) {
            Path file = temporary.resolve("source").resolve(pathsAndSources[i]);
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, pathsAndSources[i + 1]).toString());
        }
        var said = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, said, said,
                arguments.toArray(new String[0]));
        assertEquals(0, code, said::toString);
    }

    /** The packages of a source root, whose folders they are. */
    private static Set<String> packagesUnder(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            var packages = new TreeSet<String>();
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> packages.add(root.relativize(file.getParent()).toString()
                            .replace('/', '.')));
            return packages;
        }
    }
}
