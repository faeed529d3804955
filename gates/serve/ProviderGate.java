package serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Gate;
import kit.RawClient;
import kit.Reply;
import kit.ServerProcess;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * E216: programs that know the JDK's {@code HttpServer} alone, on ours: one of this project's gates,
 * and the JDK's own file server, which nobody here wrote.
 */
@Gate
class ProviderGate {
    private static final String PROVIDER =
            "-Dcom.sun.net.httpserver.HttpServerProvider=m0.serve.Provider";
    private static final String[] OPENS =
            {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"};
    private static final Pattern PORTS = Pattern.compile("ports ([0-9]+) ([0-9]+)");
    private static final int LARGE = 3_000_000;

    @TempDir
    Path directory;

    @Test
    void aProgramWithTwoServersRunsUnchanged() {
        try (ServerProcess program = twoServers().jvm(PROVIDER).jvm(OPENS).launch()) {
            int[] ports = ports(program);
            try (RawClient one = RawClient.connect("127.0.0.1", ports[0], 0);
                    RawClient two = RawClient.connect("127.0.0.1", ports[1], 0)) {
                Reply first = one.get("/").expect(200);
                assertEquals("m0", first.header("Server"), "it is the JDK's own: " + first);
                first.expectBody("one m0.serve.ProvidedServer the-programs-own\n");
                two.get("/").expect(200).expectBody("two m0.serve.ProvidedServer main-less\n");
                one.get("/late").expect(404);
                two.get("/add").expect(200);
                one.get("/late").expect(200).expectBody("late\n");
                two.get("/stop").expect(200);
                one.readUntilClosed(RawClient.WAIT);
            }
            ServerProcess.await("the first server's end", RawClient.WAIT,
                    () -> !RawClient.canConnect("127.0.0.1", ports[0]));
            assertTrue(RawClient.canConnect("127.0.0.1", ports[1]));
            // It takes no signals: the JVM ends as any that has none.
            program.term();
            assertEquals(143, program.awaitExit(RawClient.WAIT));
        }
    }

    /** The same program and the same questions, first on the JDK's server and then on ours. */
    @Test
    void aFilterAnswersBeforeTheAuthenticatorAsOnTheJdksServer() {
        for (ServerProcess.Plan plan : List.of(twoServers(),
                twoServers().jvm(PROVIDER).jvm(OPENS))) {
            try (ServerProcess program = plan.launch();
                    RawClient two = RawClient.connect("127.0.0.1", ports(program)[1], 0)) {
                Reply allowed = two.send("OPTIONS /known HTTP/1.1\r\nHost: a\r\n\r\n").read()
                        .expect(204);
                assertEquals("null", allowed.header("X-Before"));
                Reply refused = two.get("/known").expect(401);
                assertEquals("null", refused.header("X-Before"));
                assertTrue(refused.header("WWW-Authenticate").startsWith("Basic realm=\"here\""),
                        refused.toString());
                Reply known = two.send("GET /known HTTP/1.1\r\nHost: a\r\n"
                        + "Authorization: Basic YTpi\r\n\r\n").read().expect(200)
                        .expectBody("known a\n");
                assertEquals("null", known.header("X-Before"));
            }
        }
    }

    @Test
    void withoutTheOpeningItNamesTheFlag() {
        try (ServerProcess program = twoServers().jvm(PROVIDER).launch()) {
            assertEquals(1, program.awaitExit(RawClient.WAIT));
            assertTrue(program.stderr().contains(String.join(" ", OPENS)), program.stderr());
        }
    }

    @Test
    void aPropertyThatCannotBeReadIsNamedAsItWasWritten() {
        try (ServerProcess program = twoServers().jvm(PROVIDER, "-Dm0.max-body=zz").jvm(OPENS)
                .launch()) {
            assertEquals(1, program.awaitExit(RawClient.WAIT));
            assertTrue(program.stderr().contains(": -Dm0.max-body=zz cannot be read as "),
                    program.stderr());
        }
    }

    @Test
    void withoutThePropertyTheJdkServes() {
        try (ServerProcess program = twoServers().jvm(OPENS).launch()) {
            int[] ports = ports(program);
            try (RawClient one = RawClient.connect("127.0.0.1", ports[0], 0)) {
                assertTrue(one.get("/").expect(200).text().startsWith("one sun.net.httpserver."));
            }
        }
    }

    /** {@code jwebserver}'s own module, JDK 18 and later. */
    @Test
    void theJdksFileServerIsServed() throws Exception {
        String java = laterJava();
        Assumptions.assumeTrue(java != null, "there is no JDK 18 or later beside this one");
        Path files = Files.createDirectory(directory.resolve("files"));
        byte[] large = new byte[LARGE];
        for (int index = 0; index < LARGE; index++) {
            large[index] = (byte) (index % 251);
        }
        Files.writeString(files.resolve("note.txt"), "a note\n");
        Files.write(files.resolve("large.bin"), large);
        try (ServerProcess program = ServerProcess.program("-m", "jdk.httpserver", "-b",
                "127.0.0.1", "-p", "0", "-d", files.toString()).on(java)
                .jvm(PROVIDER, "-Djava.net.preferIPv4Stack=true").jvm(OPENS).launch()) {
            ServerProcess.await("the file server", RawClient.WAIT, () -> program.boundPort() > 0);
            try (RawClient client = RawClient.connect("127.0.0.1", program.boundPort(), 0)) {
                Reply note = client.get("/note.txt").expect(200).expectBody("a note\n");
                assertEquals("m0", note.header("Server"), "it is the JDK's own: " + note);
                assertEquals("text/plain", note.header("Content-Type"));
                assertTrue(client.get("/").expect(200).text().contains("large.bin"));
                Reply all = client.get("/large.bin").expect(200);
                assertEquals(LARGE, all.body().length);
                assertEquals(-1, Serving.firstWrong(all.body(), 0), "the first wrong byte");
                Reply head = client.send("HEAD /large.bin HTTP/1.1\r\nHost: a\r\n\r\n")
                        .read("HEAD").expect(200);
                assertEquals(String.valueOf(LARGE), head.header("Content-Length"));
                client.get("/nothing").expect(404);
                client.send("PUT /note.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                        .read().expect(405);
            }
            assertTrue(program.isAlive());
        }
    }

    /** A {@code java} of 18 or later: the one in use, or one that is installed beside it. */
    private static String laterJava() throws IOException {
        List<String> candidates = new ArrayList<>(List.of(ServerProcess.java()));
        File[] beside = new File("/usr/lib/jvm").listFiles();
        for (File each : beside == null ? new File[0] : beside) {
            if (new File(each, "bin/java").isFile()) {
                candidates.add(new File(each, "bin/java").getPath());
            }
        }
        for (String java : candidates) {
            Path release = Path.of(java).toRealPath().getParent().getParent().resolve("release");
            Matcher version = Files.exists(release) ? Pattern.compile("JAVA_VERSION=\"([0-9]+)")
                    .matcher(Files.readString(release)) : null;
            if (version != null && version.find() && Integer.parseInt(version.group(1)) >= 18) {
                return java;
            }
        }
        return null;
    }

    /** No setting of a host may change it. */
    private static ServerProcess.Plan twoServers() {
        return ServerProcess.program(TwoServers.class.getName()).set("M0_PORT", "1");
    }

    private static int[] ports(ServerProcess program) {
        ServerProcess.await("the program's ports", RawClient.WAIT,
                () -> PORTS.matcher(program.stdout()).find() || !program.isAlive());
        Matcher ports = PORTS.matcher(program.stdout());
        assertTrue(ports.find(), program.stderr());
        return new int[] {Integer.parseInt(ports.group(1)), Integer.parseInt(ports.group(2))};
    }
}
