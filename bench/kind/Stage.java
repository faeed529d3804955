package kind;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import load.ClosedLoop;
import load.OneAnswer;
import process.Arm;
import process.Jdk;
import process.ServerProcess;
import report.Artifact;

/**
 * What every kind needs: the arms, the request, and the answer that ours gave, which the floor
 * then repeats byte for byte.
 *
 * <p>The server is pinned to core 0. {@code bench/run} pins this program to core 1.
 */
final class Stage implements AutoCloseable {
    static final int SERVER_CORE = 0;
    /** 42 bytes. */
    static final byte[] REQUEST =
        "GET /health HTTP/1.1\r\nHost: m0.example\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final Path HOST_JAR = Path.of("target/host.jar");
    private static final Path CLASSES = Path.of("target/test-classes");
    private static final Path RESULTS = Path.of("bench/results");
    /** What the floor answers where no answer of ours exists to repeat. */
    private static final byte[] FLOOR_ANSWER = ("HTTP/1.1 200 OK\r\nServer: m0\r\n"
        + "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: 3\r\n\r\nok\n").getBytes(StandardCharsets.ISO_8859_1);

    private final Options options;
    private final Path answerFile;
    private final int answerBytes;

    private Stage(Options options, Path answerFile, int answerBytes) {
        this.options = options;
        this.answerFile = answerFile;
        this.answerBytes = answerBytes;
    }

    static Stage set(Options options) throws IOException {
        byte[] answer = options.floor() ? FLOOR_ANSWER : answerOfOurs();
        Path file = Files.createTempFile("m0-bench-answer", ".bin");
        Files.write(file, answer);
        return new Stage(options, file, answer.length);
    }

    private static byte[] answerOfOurs() throws IOException {
        Arm ours = Arm.ours("ours", Jdk.running(), HOST_JAR);
        try (ServerProcess server = ServerProcess.start(ours, SERVER_CORE)) {
            return OneAnswer.fetch(server.address(), REQUEST);
        }
    }

    /** Ours, under a name of its own where it stands twice. */
    Arm ours(String name) {
        return options.floor()
            ? Arm.bare(name, Jdk.running(), CLASSES, answerFile)
            : Arm.ours(name, Jdk.running(), HOST_JAR);
    }

    /** The second host, or with {@code --floor} the JDK's server in its place. */
    Arm serve(String name, String application, int threads) {
        return options.floor() ? jdkServer(name, application, threads)
            : Arm.serve(name, Jdk.running(), HOST_JAR, application, threads);
    }

    Arm jdkServer(String name, String application, int threads) {
        return Arm.jdkServer(name, Jdk.running(), CLASSES, HOST_JAR, application, threads);
    }

    Arm end() {
        return Arm.end("end", Jdk.running(), CLASSES);
    }

    Arm bare() {
        return Arm.bare("bare", Jdk.running(), CLASSES, answerFile);
    }

    ClosedLoop load(InetSocketAddress server, Load load) throws IOException {
        return new ClosedLoop(server, load.connections(), load.depth(), REQUEST, answerBytes);
    }

    Artifact artifact(Map<String, Object> parameters) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("short", options.brief());
        all.put("ours_is",
            options.floor() ? "the floor itself" : "java -jar target/host.jar, hello");
        all.put("request", new String(REQUEST, StandardCharsets.ISO_8859_1));
        all.put("request_bytes", REQUEST.length);
        all.put("answer_bytes", answerBytes);
        all.put("server_core", SERVER_CORE);
        all.put("client_core", 1);
        all.putAll(parameters);
        Artifact artifact = new Artifact(options.kind(), System.getProperty("java.vm.name") + " "
            + System.getProperty("java.runtime.version"), all);
        artifact.define("ours", "java -jar target/host.jar: hello, one loop, keep-alive cap off");
        artifact.define("bare", "floor.BareSelector: waits, reads, looks for blank lines, writes"
            + " the bytes that ours answered; parses nothing");
        artifact.define("load", "connections x requests in one write");
        return artifact;
    }

    Options options() {
        return options;
    }

    Path results() {
        return RESULTS;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(answerFile);
    }
}
