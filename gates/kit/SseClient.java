package kit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A client of event streams that reads them block by block and without any leniency.
 *
 * <p>It fails on what a browser would pass over: a field that is none, an id that is no number, a
 * line that ends in CR, a stream that is cut within a block or a chunk. Between two calls it reads
 * nothing, so that a client which does not call is one that does not read.
 *
 * <p>Threads: one. Limits: every wait has a bound.
 */
public final class SseClient implements AutoCloseable {

    /**
     * What stood between two blank lines.
     *
     * @param comments the comments' text
     * @param id the id, or −1 where there is none
     * @param event the name, or empty
     * @param data its lines joined by LF, or null where there is none: then it is no event
     * @param retryMs the time to come back after, or −1
     * @param raw as it stood there, the blank line included
     * @param atNs when it was read
     */
    public record Block(List<String> comments, long id, String event, String data, long retryMs,
            String raw, long atNs) {

        public boolean isEvent() {
            return data != null;
        }

        /** Whether it is this comment and nothing else. */
        public boolean isComment(String text) {
            return raw.equals(": " + text + "\n\n");
        }

        @Override
        public String toString() {
            return "<" + RawClient.shown(raw) + ">";
        }
    }

    private final RawClient connection;
    private final Reply head;
    private final boolean chunked;
    /** Raw bytes that are no whole chunk yet. */
    private byte[] undecoded = new byte[0];
    /** Bytes of the stream that are no whole block yet. */
    private byte[] pending = new byte[0];
    private boolean ended;
    private final List<Block> comments = new ArrayList<>();

    private SseClient(RawClient connection, Reply head) {
        this.connection = connection;
        this.head = head;
        chunked = head.header("Transfer-Encoding") != null;
    }

    /** Opens a stream, which must be a good one. */
    public static SseClient open(ServerProcess server, String target) {
        return open(RawClient.connect(server), target, "");
    }

    /** Opens a stream that goes on behind an event. */
    public static SseClient resume(ServerProcess server, String target, long lastEventId) {
        return open(RawClient.connect(server), target, "Last-Event-ID: " + lastEventId + "\r\n");
    }

    /**
     * Opens a stream on a connection of one's own.
     *
     * @param fields further field lines, each with its CRLF
     */
    public static SseClient open(RawClient connection, String target, String fields) {
        connection.send("GET " + target + " HTTP/1.1\r\nHost: gate\r\n" + fields + "\r\n");
        return over(connection);
    }

    /** Reads the head of a stream that was asked for. */
    public static SseClient over(RawClient connection) {
        Reply head = connection.readHead().expect(200);
        if (!"text/event-stream".equals(head.header("Content-Type"))) {
            throw new AssertionError("no event stream: " + head);
        }
        return new SseClient(connection, head);
    }

    public Reply head() {
        return head;
    }

    /** The loop that holds the stream. */
    public int worker() {
        String worker = head.header("X-Worker");
        if (worker == null || !worker.matches("[0-9]{1,4}")) {
            throw new AssertionError("no X-Worker in " + head);
        }
        return Integer.parseInt(worker);
    }

    public RawClient connection() {
        return connection;
    }

    /** The next event; what is none is kept for {@link #comments}. */
    public Block event() {
        return event(RawClient.WAIT);
    }

    /** The next event, which must come within {@code bound}. */
    public Block event(Duration bound) {
        Block event = tryEvent(bound);
        if (event == null) {
            throw new AssertionError("no event within " + bound.toMillis() + " ms"
                    + (ended ? ", but the stream's end" : ""));
        }
        return event;
    }

    /** The next event, or null where none comes within {@code bound} or the stream ends. */
    public Block tryEvent(Duration bound) {
        long untilNs = System.nanoTime() + bound.toNanos();
        while (true) {
            Block block = tryBlock(Duration.ofNanos(Math.max(0, untilNs - System.nanoTime())));
            if (block == null || block.isEvent()) {
                return block;
            }
            comments.add(block);
        }
    }

    /** As many events, all within {@code bound}. */
    public List<Block> events(int count, Duration bound) {
        long untilNs = System.nanoTime() + bound.toNanos();
        var events = new ArrayList<Block>(count);
        while (events.size() < count) {
            events.add(event(Duration.ofNanos(Math.max(0, untilNs - System.nanoTime()))));
        }
        return events;
    }

    /** What was no event among the blocks read so far. */
    public List<Block> comments() {
        return comments;
    }

    /** The next block, whatever it is, within {@code bound}; null where none comes. */
    public Block tryBlock(Duration bound) {
        long untilNs = System.nanoTime() + bound.toNanos();
        while (true) {
            int end = blockEnd();
            if (end > 0) {
                String raw = new String(pending, 0, end, StandardCharsets.UTF_8);
                pending = Arrays.copyOfRange(pending, end, pending.length);
                return block(raw);
            }
            long leftNs = Math.max(0, untilNs - System.nanoTime());
            if (ended || !read(Duration.ofNanos(leftNs)) && leftNs == 0) {
                return null;
            }
        }
    }

    /** The next block, whatever it is. */
    public Block block(Duration bound) {
        Block block = tryBlock(bound);
        if (block == null) {
            throw new AssertionError("nothing within " + bound.toMillis() + " ms"
                    + (ended ? ", but the stream's end" : ""));
        }
        return block;
    }

    /** Fails if anything comes, or the stream ends, within {@code ms}. */
    public SseClient expectSilence(long ms) {
        Block block = tryBlock(Duration.ofMillis(ms));
        if (block != null || ended) {
            throw new AssertionError("expected silence and not "
                    + (ended ? "the end" : block.toString()));
        }
        return this;
    }

    /** Fails unless the stream ends within {@code bound}, between two blocks; returns the rest. */
    public List<Block> rest(Duration bound) {
        long untilNs = System.nanoTime() + bound.toNanos();
        var rest = new ArrayList<Block>();
        while (true) {
            Block block = tryBlock(Duration.ofNanos(Math.max(0, untilNs - System.nanoTime())));
            if (block == null) {
                break;
            }
            rest.add(block);
        }
        if (!ended) {
            throw new AssertionError("the stream goes on after " + bound.toMillis() + " ms");
        }
        return rest;
    }

    /** Whether the stream's end was read. */
    public boolean isEnded() {
        return ended;
    }

    @Override
    public void close() {
        connection.close();
    }

    /** Index behind the first blank line of what is pending, or −1. */
    private int blockEnd() {
        for (int index = 1; index < pending.length; index++) {
            if (pending[index] == '\n' && pending[index - 1] == '\n') {
                return index + 1;
            }
        }
        return -1;
    }

    /** Reads once; false where nothing came. */
    private boolean read(Duration bound) {
        byte[] some = connection.readSome(bound);
        if (some == null) {
            return false;
        }
        if (some.length == 0) {
            if (chunked) {
                throw malformed("the connection ended without a last chunk");
            }
            end();
        } else if (chunked) {
            undecoded = joined(undecoded, some);
            decode();
        } else {
            pending = joined(pending, some);
        }
        return true;
    }

    /** Takes whole chunks; after the last one gives back what is behind the stream. */
    private void decode() {
        int at = 0;
        while (!ended) {
            int lineEnd = lineEnd(at);
            if (lineEnd < 0) {
                break;
            }
            String size = new String(undecoded, at, lineEnd - at, StandardCharsets.ISO_8859_1);
            if (!size.matches("[0-9a-fA-F]{1,8}")) {
                throw malformed("chunk size <" + RawClient.shown(size) + ">");
            }
            int from = lineEnd + 2;
            int to = from + Integer.parseInt(size, 16);
            if (to + 2 > undecoded.length) {
                break;
            }
            if (undecoded[to] != '\r' || undecoded[to + 1] != '\n') {
                throw malformed("no line break behind a chunk");
            }
            pending = joined(pending, Arrays.copyOfRange(undecoded, from, to));
            at = to + 2;
            if (to == from) {
                end();
            }
        }
        undecoded = Arrays.copyOfRange(undecoded, at, undecoded.length);
        if (ended) {
            connection.unread(undecoded);
        }
    }

    private int lineEnd(int from) {
        for (int index = from; index + 1 < undecoded.length; index++) {
            if (undecoded[index] == '\r') {
                if (undecoded[index + 1] != '\n') {
                    throw malformed("a bare CR in a chunk's head");
                }
                return index;
            }
        }
        return -1;
    }

    private void end() {
        ended = true;
        int length = pending.length;
        boolean between = length > 1 && pending[length - 1] == '\n' && pending[length - 2] == '\n';
        if (length > 0 && !between) {
            throw malformed("the stream ends within a block");
        }
    }

    private static Block block(String raw) {
        var comments = new ArrayList<String>();
        var data = new ArrayList<String>();
        long id = -1;
        long retryMs = -1;
        String event = "";
        for (String line : raw.substring(0, raw.length() - 2).split("\n", -1)) {
            if (line.endsWith("\r") || line.isEmpty()) {
                throw malformed("line <" + RawClient.shown(line) + ">");
            }
            int colon = line.indexOf(": ");
            String name = colon < 0 ? "nothing" : line.substring(0, colon);
            String value = colon < 0 ? line : line.substring(colon + 2);
            switch (name) {
                case "" -> comments.add(value);
                case "id" -> id = number(value);
                case "event" -> event = value;
                case "data" -> data.add(value);
                case "retry" -> retryMs = number(value);
                default -> throw malformed("line <" + RawClient.shown(line) + ">");
            }
        }
        return new Block(comments, id, event, data.isEmpty() ? null : String.join("\n", data),
                retryMs, raw, System.nanoTime());
    }

    private static long number(String value) {
        if (!value.matches("0|[1-9][0-9]{0,17}")) {
            throw malformed("number <" + RawClient.shown(value) + ">");
        }
        return Long.parseLong(value);
    }

    private static byte[] joined(byte[] one, byte[] two) {
        var both = new ByteArrayOutputStream(one.length + two.length);
        both.writeBytes(one);
        both.writeBytes(two);
        return both.toByteArray();
    }

    private static AssertionError malformed(String what) {
        return new AssertionError("malformed stream: " + what);
    }
}
