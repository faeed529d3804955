package seen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** F1, F2, F20–F22: one line of JSON for each answer, which holds no loop and loses little. */
@Gate
class AccessLogGate {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String REQUEST = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    Path directory;

    @Test
    void eachAnswerIsALineThatSaysWhatWasSent() {
        Instant before = Instant.now().minusMillis(1);
        try (ServerProcess server = logged("echo").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/hello?a=b").expect(200);
            client.send("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n").read("HEAD").expect(200);
            client.get("/nowhere").expect(404);
            client.post("/echo", "four").expect(200);
            client.get("/s204").expect(204);
            client.send("GET /hello HTTP/1.0\r\n\r\n").read().expect(200);
            List<LogLine> lines = lines(server, 6);
            for (LogLine line : lines) {
                assertEquals("response", line.event());
                assertEquals("127.0.0.1:" + client.localPort(), line.remote());
                assertEquals(0, line.loop());
                assertEquals(-1, line.thread());
                assertEquals(0, line.waitUs());
                Instant time = Instant.parse(line.time());
                assertTrue(!time.isBefore(before) && !time.isAfter(Instant.now()), line.time());
            }
            assertLine("GET", "/hello?a=b", "HTTP/1.1", 200, 5, lines.get(0));
            assertLine("HEAD", "/hello", "HTTP/1.1", 200, 0, lines.get(1));
            assertLine("GET", "/nowhere", "HTTP/1.1", 404, 14, lines.get(2));
            assertLine("POST", "/echo", "HTTP/1.1", 200, 4, lines.get(3));
            assertLine("GET", "/s204", "HTTP/1.1", 204, 0, lines.get(4));
            assertLine("GET", "/hello", "HTTP/1.0", 200, 5, lines.get(5));
        }
    }

    @Test
    void theTimeRunsFromTheRequestsFirstByte() {
        try (ServerProcess server = logged("echo").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=200 HTTP/1.1\r\nHo");
            ServerProcess.pause(300);
            client.send("st: a\r\n\r\n").read().expect(200);
            client.get("/hello").expect(200);
            List<LogLine> lines = lines(server, 2);
            assertTrue(lines.get(0).durationUs() >= 490_000, "dur_us of a request that took half"
                    + " a second: " + lines.get(0).durationUs());
            assertTrue(lines.get(1).durationUs() < lines.get(0).durationUs(), "the next request"
                    + " begins anew: " + lines.get(1).durationUs());
        }
    }

    @Test
    void whatTheParserRefusedIsInItToo() {
        try (ServerProcess server = logged("echo").set("M0_MAX_BODY", "10")
                .set("M0_HEADER_TIMEOUT_MS", "500").start()) {
            refused(server, "GET /hello HTTP/1.1\r\nBad Name: a\r\n\r\n", 400);
            refused(server, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", 413);
            refused(server, "G", 408);
            List<LogLine> lines = lines(server, 3);
            lines.forEach(line -> assertEquals("refused", line.event()));
            assertEquals(List.of(400, 413, 408),
                    lines.stream().map(LogLine::status).toList());
            assertEquals("/hello", lines.get(0).target());
            assertEquals("POST", lines.get(1).method());
            assertEquals("", lines.get(2).method());
            assertEquals("", lines.get(2).protocol());
        }
    }

    @Test
    void whatAPeerSendsIsEscapedAndCut() {
        try (ServerProcess server = logged("echo").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/a\"b\\c%0a{\"status\":500}").expect(404);
            client.get("/" + "t".repeat(8000)).expect(404);
            // All other bytes are refused in a target; those that come before it are shown.
            refused(server, "GET /a\u00e9\u001b[2J HTTP/1.1\r\nHost: a\r\n\r\n", 400);
            List<LogLine> lines = lines(server, 3);
            assertEquals("/a\\\"b\\\\c%0a{\\\"status\\\":500}", lines.get(0).target());
            assertTrue(lines.get(1).target().startsWith("/ttt"), lines.get(1).target());
            assertTrue(lines.get(1).target().endsWith("t…"), lines.get(1).target());
            assertTrue(lines.get(1).target().length() < 2048, lines.get(1).target());
            assertEquals(400, lines.get(2).status());
        }
    }

    @Test
    void nothingIsWrittenUnlessItIsAskedFor() {
        try (ServerProcess server = ServerProcess.app("echo").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/hello").expect(200);
            server.term();
            assertEquals(0, server.awaitExit(SOON));
            assertEquals("", server.stdout());
        }
    }

    @Test
    void aCleanExitLeavesNoRecordBehind() {
        int requests = 3000;
        try (ServerProcess server = logged("echo").set("M0_MAX_KEEPALIVE_REQUESTS", "0").start();
                RawClient client = RawClient.connect(server)) {
            client.send(REQUEST.repeat(requests));
            for (int count = 0; count < requests; count++) {
                client.read().expect(200);
            }
            server.term();
            assertEquals(0, server.awaitExit(SOON));
            assertEquals(requests, LogLine.all(server.stdout()).size());
            assertFalse(server.stderr().contains("dropped"), server.stderr());
        }
    }

    /** Its stdout is a pipe that nobody empties at first. */
    @Test
    void aReaderThatStandsHoldsNoLoopAndEachDropIsCounted() throws Exception {
        int requests = 60_000;
        int burst = 200;
        Path pipe = pipe();
        try (ServerProcess server = logged("echo").set("M0_MAX_KEEPALIVE_REQUESTS", "0")
                .shell("exec 1<>" + pipe).start();
                RawClient client = RawClient.connect(server)) {
            long startNs = System.nanoTime();
            for (int count = 0; count < requests; count += burst) {
                client.send(REQUEST.repeat(burst));
                for (int answer = 0; answer < burst; answer++) {
                    client.read().expect(200);
                }
            }
            Figures.add(AccessLogGate.class, "requests answered while stdout stands",
                    requests * 1e9 / (System.nanoTime() - startNs), "1/s", 0);
            Path copy = directory.resolve("copy");
            Process reader = new ProcessBuilder("cat", pipe.toString())
                    .redirectOutput(copy.toFile()).start();
            try {
                server.awaitStderr("access log dropped", SOON);
                server.term();
                assertEquals(0, server.awaitExit(SOON));
                assertTrue(reader.waitFor(20, TimeUnit.SECONDS), "the pipe has no end");
            } finally {
                reader.destroy();
            }
            int written = LogLine.all(Files.readString(copy)).size();
            assertEquals(requests, written + dropped(server), "written " + written + " and dropped "
                    + dropped(server));
        }
    }

    private static ServerProcess.Plan logged(String app) {
        return ServerProcess.app(app).args("--access-log");
    }

    private Path pipe() throws IOException, InterruptedException {
        Path pipe = directory.resolve("stdout");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        return pipe;
    }

    /** The sum over the lines that say it. */
    private static long dropped(ServerProcess server) {
        Matcher said = Pattern.compile("^host: access log dropped ([0-9]+) records$",
                Pattern.MULTILINE).matcher(server.stderr());
        long sum = 0;
        while (said.find()) {
            sum += Long.parseLong(said.group(1));
        }
        return sum;
    }

    private static void refused(ServerProcess server, String bytes, int status) {
        try (RawClient client = RawClient.connect(server)) {
            client.send(bytes).read().expect(status).expectClose();
        }
    }

    /** Waits for so many lines; there must be no more. */
    private static List<LogLine> lines(ServerProcess server, int count) {
        ServerProcess.await(count + " lines of access log", SOON,
                () -> server.stdout().chars().filter(c -> c == '\n').count() >= count);
        List<LogLine> lines = LogLine.all(server.stdout());
        assertEquals(count, lines.size());
        return lines;
    }

    private static void assertLine(String method, String target, String protocol, int status,
            long bytes, LogLine line) {
        assertEquals(method, line.method());
        assertEquals(target, line.target());
        assertEquals(protocol, line.protocol());
        assertEquals(status, line.status());
        assertEquals(bytes, line.bytes());
    }
}
