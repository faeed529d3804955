package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kit.Gate;
import kit.RawClient;
import kit.ServerProcess;
import kit.SseClient;
import kit.WsClient;
import org.junit.jupiter.api.Test;

/** F1: a stream is a record of the access log when its head lands, and another when it ends. */
@Gate
class StreamLogGate {
    private static final Duration EXIT = Duration.ofSeconds(30);
    private static final String TARGET = "/events?channel=c";

    @Test
    void anEventStreamIsARecordWhenItOpensAndAnotherWhenItEnds() {
        try (ServerProcess server = logging(); RawClient other = RawClient.connect(server);
                SseClient stream = SseClient.open(server, TARGET)) {
            String remote = "127.0.0.1:" + stream.connection().localPort();
            String open = lines(server, TARGET, 1).get(0);
            assertEquals(List.of("stream_open", remote, "GET", "HTTP/1.1", "200", "0"),
                    List.of(field(open, "event"), field(open, "remote"), field(open, "method"),
                            field(open, "protocol"), field(open, "status"), field(open, "bytes")));
            Published.all(other, "channel=c&size=1000");
            int eventBytes = stream.event().raw().length();
            ServerProcess.pause(300);
            assertEquals(1, lines(server, TARGET).size(), "it has not ended yet");
            other.get("/close").expect(200);
            stream.rest(RawClient.WAIT);
            String close = lines(server, TARGET, 2).get(1);
            assertEquals(List.of("stream_close", remote, "GET", "200"),
                    List.of(field(close, "event"), field(close, "remote"),
                            field(close, "method"), field(close, "status")));
            // The event as one chunk: its size in hex and two line ends; and the last chunk.
            assertEquals(eventBytes + 3 + 4 + 5, Integer.parseInt(field(close, "bytes")));
            assertTrue(Long.parseLong(field(close, "dur_us"))
                    >= Long.parseLong(field(open, "dur_us")) + 300_000, open + "\n" + close);
            server.term();
            assertEquals(0, server.awaitExit(EXIT));
            assertEquals(2, lines(server, TARGET).size());
        }
    }

    @Test
    void aStreamWhoseClientGoesIsARecordToo() {
        try (ServerProcess server = logging(); RawClient client = RawClient.connect(server)) {
            SseClient.open(server, TARGET).connection().reset();
            lines(server, TARGET, 2);
            client.get("/health").expect(200);
            server.term();
            assertEquals(0, server.awaitExit(EXIT));
            assertEquals(List.of("stream_open", "stream_close"), events(server, TARGET));
        }
    }

    @Test
    void aWebSocketIsARecordOf101AndAnotherAtItsEnd() {
        try (ServerProcess server = logging(); WsClient socket = WsClient.open(server, "/ws")) {
            socket.text("hello").expectText("hello");
            socket.close(1000);
            socket.expectClose(1000);
            socket.expectEnd();
            List<String> lines = lines(server, "/ws", 2);
            assertEquals(List.of("stream_open", "stream_close"), events(server, "/ws"));
            assertEquals("101", field(lines.get(0), "status"));
            // "hello" and the close, each behind a head of two bytes.
            assertEquals("11", field(lines.get(1), "bytes"));
        }
    }

    @Test
    void streamsThatADrainEndsAreInTheLogAtTheEnd() {
        try (ServerProcess server = logging();
                SseClient one = SseClient.open(server, TARGET);
                SseClient two = SseClient.open(server, TARGET)) {
            server.term();
            one.rest(RawClient.WAIT);
            two.rest(RawClient.WAIT);
            assertEquals(0, server.awaitExit(EXIT));
            assertEquals(List.of("stream_open", "stream_open", "stream_close", "stream_close"),
                    events(server, TARGET));
        }
    }

    private static ServerProcess logging() {
        return ServerProcess.app("host_check").args("--access-log")
                .set("M0_HOSTCHECK_PERIOD_MS", "600000").set("M0_SSE_HEARTBEAT_MS", "0").start();
    }

    private static List<String> events(ServerProcess server, String target) {
        return lines(server, target).stream().map(line -> field(line, "event"))
                .collect(Collectors.toList());
    }

    /** Waits for so many lines about that target. */
    private static List<String> lines(ServerProcess server, String target, int count) {
        ServerProcess.await(count + " lines about " + target, EXIT,
                () -> lines(server, target).size() >= count);
        return lines(server, target);
    }

    /** The whole lines about that target so far. */
    private static List<String> lines(ServerProcess server, String target) {
        String text = server.stdout();
        return text.substring(0, text.lastIndexOf('\n') + 1).lines()
                .filter(line -> line.contains("\"target\":\"" + target + "\""))
                .collect(Collectors.toList());
    }

    private static String field(String line, String name) {
        Matcher matcher =
                Pattern.compile("\"" + name + "\":(?:\"([^\"]*)\"|([0-9]+))").matcher(line);
        if (!matcher.find()) {
            throw new AssertionError("no " + name + " in " + line);
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    }
}
