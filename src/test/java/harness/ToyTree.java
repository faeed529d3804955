package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** A small built tree with tests that can be broken in every way the harness tells apart. */
final class ToyTree {
    private static final String LIMIT = """
            package toy;
            public final class Limit {
                public static final int MOST = 3;
                public static boolean allows(int count) {
                    return count <= MOST;
                }
                public static boolean spins() {
                    return false;
                }
            }
            """;
    private static final String USER = """
            package toy;
            public final class User {
                public static int most() {
                    return Limit.MOST;
                }
            }
            """;
    private static final String SERVER = """
            package toy;
            public final class Server {
                public static void main(String[] arguments) throws Exception {
                    System.out.println("four is " + Limit.allows(4) + ", spins " + Limit.spins());
                    if (arguments.length > 0) {
                        Thread.sleep(600_000);
                    }
                }
            }
            """;
    private static final String LIMIT_TEST = """
            package toy;
            import static org.junit.jupiter.api.Assertions.*;
            import org.junit.jupiter.api.*;
            class LimitTest {
                @Test void refusesFour() {
                    assertFalse(Limit.allows(4), "four was let in");
                }
                @TestFactory java.util.List<DynamicTest> cases() {
                    return java.util.List.of(
                        DynamicTest.dynamicTest("case three", () -> assertTrue(Limit.allows(3))),
                        DynamicTest.dynamicTest("case four", () -> assertFalse(Limit.allows(4))));
                }
                @Test void userKnowsTheLimit() {
                    assertEquals(3, User.most(), "the user's limit");
                    assertNotNull(Limit.class.getDeclaredMethods());
                }
                @Test void neverLooks() {
                }
                @Test void isRed() {
                    fail("always");
                }
                @Test void isRedAtFirst() throws Exception {
                    java.nio.file.Path sign = java.nio.file.Path.of("target/first-test");
                    if (java.nio.file.Files.notExists(sign)) {
                        java.nio.file.Files.createFile(sign);
                        fail("others are in the way");
                    }
                    assertFalse(Limit.allows(4), "four was let in");
                }
                @Test @Disabled("for a reason") void isDisabled() {
                }
                @Test void halts() {
                    if (Limit.allows(4)) {
                        Runtime.getRuntime().halt(3);
                    }
                }
                void isNoTest() {
                }
            }
            """;
    private static final String SERVER_GATE = """
            package toy;
            import static org.junit.jupiter.api.Assertions.*;
            import java.io.File;
            import java.nio.file.*;
            import org.junit.jupiter.api.*;
            class ServerGate {
                @Test void serverRefusesFour() throws Exception {
                    Process server = server().start();
                    String said = new String(server.getInputStream().readAllBytes());
                    assertTrue(said.contains("four is false"), "the server let four in: " + said);
                }
                @Test void hangs() throws Exception {
                    Process server = server().start();
                    if (new String(server.getInputStream().readAllBytes()).contains("spins true")) {
                        server("stay").start();
                        Files.createFile(Path.of("target/hanging"));
                        Thread.sleep(600_000);
                    }
                }
                static void expectFourRefused() throws Exception {
                    String said = new String(server().start().getInputStream().readAllBytes());
                    assertTrue(said.contains("four is false"), "four was let in");
                }
                static ProcessBuilder server(String... arguments) {
                    var command = new java.util.ArrayList<>(java.util.List.of("setsid",
                        System.getProperty("m0.java"), "-Xshare:auto", "-cp",
                        System.getProperty("m0.mutant") + ":target/classes", "toy.Server"));
                    command.addAll(java.util.List.of(arguments));
                    return new ProcessBuilder(command);
                }
            }
            """;

    /** Gates that can tell whether others run beside them. */
    private static final String BESIDE_GATE = """
            package toy;
            import static org.junit.jupiter.api.Assertions.*;
            import java.nio.file.*;
            import org.junit.jupiter.api.*;
            class BesideGate {
                @Test void meetsTheOther() throws Exception {
                    meet("one", "other");
                }
                @Test void meetsTheOne() throws Exception {
                    meet("other", "one");
                }
                @Test void isRedAtFirst() throws Exception {
                    if (Files.notExists(Path.of("target/first"))) {
                        Files.createFile(Path.of("target/first"));
                        fail("others are in the way");
                    }
                    ServerGate.expectFourRefused();
                }
                @Test void neverNotices() {
                    assertTrue(Limit.allows(3), "three was not let in");
                }
                private static void meet(String me, String whom) throws Exception {
                    Files.writeString(Path.of("target", me), "here");
                    for (int i = 0; i < 9000 && Files.notExists(Path.of("target", whom)); i++) {
                        Thread.sleep(10);
                    }
                    assertTrue(Files.exists(Path.of("target", whom)), "nobody runs beside " + me);
                    ServerGate.expectFourRefused();
                }
            }
            """;
    private static final String ALONE_GATE = """
            package toy;
            import static org.junit.jupiter.api.Assertions.*;
            import java.nio.file.*;
            import org.junit.jupiter.api.*;
            import org.junit.jupiter.api.parallel.Isolated;
            @Isolated("it says so")
            class AloneGate {
                @Test void first() throws Exception {
                    expectNobody();
                }
                @Test void second() throws Exception {
                    expectNobody();
                }
                private static void expectNobody() throws Exception {
                    Path sign = Files.createFile(Path.of("target/alone"));
                    Thread.sleep(300);
                    Files.delete(sign);
                    ServerGate.expectFourRefused();
                }
            }
            """;

    private final Path root;

    private ToyTree(Path root) {
        this.root = root;
    }

    /** Writes and compiles the toy below {@code root}. */
    static ToyTree build(Path root) throws IOException {
        var toy = new ToyTree(root);
        String libraries = System.getProperty("java.class.path");
        toy.write("target/test-classpath.txt", libraries);
        toy.compile("target/classes", libraries,
                toy.write("src/main/java/toy/Limit.java", LIMIT),
                toy.write("src/main/java/toy/User.java", USER),
                toy.write("src/main/java/toy/Server.java", SERVER));
        toy.compile("target/test-classes",
                root.resolve("target/classes") + File.pathSeparator + libraries,
                toy.write("src/test/java/toy/LimitTest.java", LIMIT_TEST),
                toy.write("gates/toy/ServerGate.java", SERVER_GATE),
                toy.write("gates/toy/BesideGate.java", BESIDE_GATE),
                toy.write("gates/toy/AloneGate.java", ALONE_GATE));
        return toy;
    }

    Path root() {
        return root;
    }

    Path write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void compile(String to, String classPath, Path... sources) throws IOException {
        var arguments = new ArrayList<>(List.of("--release", "17", "-g", "-nowarn", "-proc:none",
                "-XDstringConcat=inline", "-cp", classPath, "-d",
                Files.createDirectories(root.resolve(to)).toString()));
        for (Path source : sources) {
            arguments.add(source.toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, System.out, System.out,
                arguments.toArray(new String[0])), "the toy does not compile");
    }

    /** A rule that lets four in, or does whatever {@code find} and {@code replacement} do. */
    static String rule(String name, String gate, String words, String find, String replacement) {
        return "rule: " + name + "\ngate: " + gate + "\nwords: " + words
                + "\nfile: src/main/java/toy/Limit.java\n<<<<\n" + find + "\n====\n" + replacement
                + "\n>>>>\n\n";
    }
}
