package operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** F1, F2, F20–F22: one JSON line on stdout for each answer, refusals too. */
@Gate
class AccessLogGate {
    private static final int MANY = 2000;
    private static final int FLOOD = 30_000;
    private static final String DROPPED = "host: access log dropped ";
    private static final String LATE = "host: access log was not written within ";

    @TempDir
    Path temporary;

    @Test
    void eachAnswerIsOneLineWithWhatWasSent() {
        try (ServerProcess server = logging("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/slow?ms=100").expect(200);
            client.send("HEAD /bytes?n=5 HTTP/1.0\r\n\r\n").read("HEAD").expect(200);
            client.expectEnd();
            List<Map<String, Object>> lines = linesAfterStop(server, 2);
            assertEquals(2, lines.size());
            Map<String, Object> slow = lines.get(0);
            assertEquals(List.of("time", "event", "remote", "method", "target", "protocol",
                    "status", "bytes", "dur_us", "wait_us", "loop", "thread"),
                    List.copyOf(slow.keySet()));
            assertTrue(slow.get("time").toString()
                    .matches("20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]"
                            + "\\.[0-9]{3}Z"), slow.toString());
            assertEquals("response", slow.get("event"));
            assertEquals("127.0.0.1:" + client.localPort(), slow.get("remote"));
            assertEquals("GET", slow.get("method"));
            assertEquals("/slow?ms=100", slow.get("target"));
            assertEquals("HTTP/1.1", slow.get("protocol"));
            assertEquals(200L, slow.get("status"));
            assertEquals("slow 100\n".length(), (long) slow.get("bytes"));
            assertTrue((long) slow.get("dur_us") >= 100_000, slow.toString());
            assertEquals(0L, slow.get("wait_us"));
            assertEquals(0L, slow.get("loop"));
            assertEquals(-1L, slow.get("thread"));
            Map<String, Object> head = lines.get(1);
            assertEquals("HEAD", head.get("method"));
            assertEquals("HTTP/1.0", head.get("protocol"));
            assertEquals(0L, head.get("bytes"), "what was sent of a body, and HEAD sends none");
        }
    }

    @Test
    void whatTheHostRefusesIsInItToo() {
        try (ServerProcess server = logging("host_check").set("M0_MAX_BODY", "10").start()) {
            try (RawClient bad = RawClient.connect(server)) {
                bad.send("GET /\u00ff HTTP/1.1\r\nHost: a\r\n\r\n").read().expect(400);
            }
            try (RawClient large = RawClient.connect(server)) {
                large.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n")
                        .read().expect(413);
            }
            try (RawClient thrown = RawClient.connect(server)) {
                thrown.get("/throw").expect(500);
            }
            List<Map<String, Object>> lines = linesAfterStop(server, 3);
            assertEquals(List.of(400L, 413L, 500L),
                    lines.stream().map(line -> line.get("status")).toList());
            assertEquals("refused", lines.get(0).get("event"));
            assertEquals("refused", lines.get(1).get("event"));
            assertEquals("/echo", lines.get(1).get("target"));
            assertEquals("response", lines.get(2).get("event"));
        }
    }

    @Test
    void whatAPeerSentCannotBreakALine() {
        try (ServerProcess server = logging("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/a\"b\\c,{}").expect(404);
            assertEquals("/a\"b\\c,{}", linesAfterStop(server, 1).get(0).get("target"));
        }
    }

    @Test
    void longTargetIsCutAndSaysSo() {
        try (ServerProcess server = logging("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/" + "t".repeat(8000)).expect(404);
            String target = (String) linesAfterStop(server, 1).get(0).get("target");
            assertTrue(target.startsWith("/ttt") && target.endsWith("t…"), target);
            assertTrue(target.length() < 2048, target);
        }
    }

    @Test
    void theTimeRunsFromTheRequestsFirstByte() {
        try (ServerProcess server = logging("host_check").start();
                RawClient client = RawClient.connect(server)) {
            client.send("GET /slow?ms=200 HTTP/1.1\r\nHo").awaitTaken();
            ServerProcess.pause(900);
            client.send("st: a\r\n\r\n").read().expect(200);
            int count = 5;
            for (int index = 0; index < count; index++) {
                client.get("/health").expect(200);
            }
            List<Map<String, Object>> lines = linesAfterStop(server, 1 + count);
            long whole = (long) lines.get(0).get("dur_us");
            // The first byte was read before the pause began.
            assertTrue(whole >= 1_090_000, "a request of 200 ms behind 900 ms of head took " + whole
                    + " us");
            // One of them is not held up by the machine.
            long next = lines.subList(1, 1 + count).stream()
                    .mapToLong(line -> (long) line.get("dur_us")).min().orElseThrow();
            assertTrue(next < whole, "the next request begins anew, and took " + next + " us");
        }
    }

    /** The thread that writes has a second for it at the end, and says so where that was short. */
    @Test
    void everyAnswerIsInItAtTheEnd() {
        Rounds.play(3, () -> {
            try (ServerProcess server = logging("hello").set("M0_MAX_KEEPALIVE_REQUESTS", "0")
                    .start(); RawClient client = RawClient.connect(server)) {
                ask(client, MANY);
                Stop.term(server).expectExit(0);
                Rounds.voidIf(server.stderr().contains(LATE), "it was not written in time");
                assertEquals(MANY, lines(server).size());
                assertEquals(0, dropped(server), server.stderr());
            }
        });
    }

    @Test
    void withoutItNothingIsOnStdout() {
        try (ServerProcess server = ServerProcess.app("hello").start();
                RawClient client = RawClient.connect(server)) {
            client.get("/health").expect(200);
            Stop.term(server).expectExit(0);
            assertEquals("", server.stdout());
        }
    }

    /** Stdout is a pipe that is full after 64 KiB, and read only once the gate says so. */
    @Test
    void readerThatDoesNotReadHoldsNobodyAndDropsAreCounted() throws IOException {
        Path pipe = temporary.resolve("stdout");
        Path go = temporary.resolve("go");
        Path copy = temporary.resolve("copy");
        String prelude = "mkfifo '" + pipe + "'; { while [ ! -e '" + go + "' ]; do sleep 0.1; done;"
                + " exec cat >'" + copy + "'; } <'" + pipe + "' & exec >'" + pipe + "'";
        try (ServerProcess server = logging("hello").set("M0_MAX_KEEPALIVE_REQUESTS", "0")
                .shell(prelude).start(); RawClient client = RawClient.connect(server)) {
            ask(client, FLOOD);
            Files.createFile(go);
            server.awaitStderr(DROPPED, RawClient.WAIT);
            client.get("/health").expect(200);
            Stop.term(server).expectExit(0);
            long dropped = dropped(server);
            ServerProcess.await("a line or a counted drop for each answer", RawClient.WAIT,
                    () -> linesOf(copy) + dropped >= FLOOD + 1);
            assertEquals(FLOOD + 1, linesOf(copy) + dropped);
        }
    }

    private static long dropped(ServerProcess server) {
        return server.stderr().lines().filter(line -> line.startsWith(DROPPED))
                .mapToLong(line -> Long.parseLong(line.substring(DROPPED.length()).split(" ")[0]))
                .sum();
    }

    /** Whole lines so far. */
    private static long linesOf(Path log) {
        try {
            return Files.exists(log)
                    ? Files.readString(log).chars().filter(c -> c == '\n').count() : 0;
        } catch (IOException failure) {
            throw new AssertionError("the copy of stdout: " + failure, failure);
        }
    }

    private static void ask(RawClient client, int count) {
        String batch = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100);
        for (int sent = 0; sent < count; sent += 100) {
            client.send(batch);
            for (int index = 0; index < 100; index++) {
                client.read().expect(200);
            }
        }
    }

    private static ServerProcess.Plan logging(String app) {
        return ServerProcess.app(app).args("--access-log");
    }

    /** All lines, of which so many must have been written before the stop begins. */
    private static List<Map<String, Object>> linesAfterStop(ServerProcess server, int before) {
        ServerProcess.await(before + " lines on stdout", RawClient.WAIT,
                () -> server.stdout().chars().filter(c -> c == '\n').count() >= before);
        Stop.term(server).expectExit(0);
        return lines(server);
    }

    private static List<Map<String, Object>> lines(ServerProcess server) {
        List<Map<String, Object>> lines = new ArrayList<>();
        server.stdout().lines().forEach(line -> lines.add(JsonText.object(line)));
        return lines;
    }
}
