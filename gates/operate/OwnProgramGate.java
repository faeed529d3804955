package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** E204: the README's program with an application of its own, compiled and started as it says. */
@Gate
class OwnProgramGate {
    private static final String OPENS = "java.base/jdk.internal.misc=ALL-UNNAMED";
    private static final Pattern LISTENING =
            Pattern.compile("host: listening on http://127\\.0\\.0\\.1:([0-9]+) app=Greeter mode=");

    @TempDir
    Path directory;

    @Test
    void programOfTheReadmeServesAndEndsWithTheHostsExitCode() throws Exception {
        compile();
        Path stderr = directory.resolve("stderr");
        Process process = start(stderr, "--host", "127.0.0.1", "--port", "0");
        try {
            ServerProcess.await("the listening line", RawClient.WAIT, () -> port(stderr) > 0);
            try (RawClient client = RawClient.connect("127.0.0.1", port(stderr), 0)) {
                client.get("/hello").expect(200).expectBody("hello\n");
                client.get("/other").expect(404);
            }
            process.destroy();
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it still ran");
            assertEquals(0, process.exitValue(), Files.readString(stderr));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void programOfTheReadmeRefusesAnotherApplication() throws Exception {
        compile();
        Path stderr = directory.resolve("stderr");
        Process process = start(stderr, "--app", "hello");
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it still ran");
            assertEquals(78, process.exitValue());
            assertEquals("host: this program serves its own application Greeter, not --app hello"
                    + " (unset M0_APP and --app)\n", Files.readString(stderr));
        } finally {
            process.destroyForcibly();
        }
    }

    /** By its class, where settings and checks name what is served. */
    @Test
    void theDoctorOfTheProgramNamesItsApplication() throws Exception {
        compile();
        Path stdout = directory.resolve("stdout");
        Process process = start(directory.resolve("stderr"), Redirect.to(stdout.toFile()), "--doctor");
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it still ran");
            assertEquals(0, process.exitValue());
            String report = Files.readString(stdout);
            for (String part : List.of("\"M0_APP\":\"Greeter\"", "\"M0_APP\":\"default\"",
                    "\"application\",\"ok\":true,\"detail\":\"Greeter\"")) {
                assertTrue(report.contains(part), part + " is not in " + report);
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private void compile() throws IOException {
        Matcher example = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("README.md")));
        assertTrue(example.find(), "README.md has no example");
        Path source = Files.writeString(directory.resolve("Greeter.java"), example.group(1));
        StringWriter said = new StringWriter();
        int code = ToolProvider.findFirst("javac").orElseThrow().run(new PrintWriter(said),
                new PrintWriter(said), "-proc:none", "--release", "17", "-cp",
                ServerProcess.jar().toString(), "-d", directory.toString(), source.toString());
        assertEquals(0, code, said.toString());
    }

    private Process start(Path stderr, String... args) throws IOException {
        return start(stderr, Redirect.DISCARD, args);
    }

    private Process start(Path stderr, Redirect stdout, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(ServerProcess.java(), "--add-opens", OPENS,
                "-cp", ServerProcess.jar() + File.pathSeparator + directory, "Greeter"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("M0_"));
        return builder.redirectError(stderr.toFile()).redirectOutput(stdout).start();
    }

    private static int port(Path stderr) {
        try {
            Matcher line = LISTENING.matcher(Files.readString(stderr));
            return line.find() ? Integer.parseInt(line.group(1)) : 0;
        } catch (IOException notYet) {
            return 0;
        }
    }
}
