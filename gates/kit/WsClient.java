package kit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A WebSocket client that sends whatever it is told to and reads frames without any leniency.
 *
 * <p>The reader fails on a server's frame with a mask, a reserved bit, an unknown opcode or a length
 * in more bytes than it needs, on a control frame that is too long or fragmented, and on a close
 * frame with one byte. Between two calls it reads nothing.
 *
 * <p>Threads: one reader and one writer. Limits: every wait has a bound.
 */
public final class WsClient implements AutoCloseable {

    /** A frame of the server. */
    public record Frame(boolean fin, int opcode, byte[] payload) {

        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The code of a close frame; 1005 where it has none. */
        public int closeCode() {
            if (opcode != ClientFrames.CLOSE) {
                throw new AssertionError("expected a close frame and not " + this);
            }
            return payload.length == 0 ? 1005
                    : (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        }

        @Override
        public String toString() {
            return (fin ? "" : "unfinished ") + "frame " + opcode + " of " + payload.length
                    + " bytes <" + RawClient.shown(
                            new String(payload, StandardCharsets.ISO_8859_1)) + ">";
        }
    }

    private static final String SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final RawClient connection;
    private final Reply head;

    private WsClient(RawClient connection, Reply head) {
        this.connection = connection;
        this.head = head;
    }

    /** Opens one, which must go well. */
    public static WsClient open(ServerProcess server, String target) {
        return open(RawClient.connect(server), target, "");
    }

    /**
     * Opens one on a connection of one's own.
     *
     * @param fields further field lines, each with its CRLF
     */
    public static WsClient open(RawClient connection, String target, String fields) {
        String key = newKey();
        connection.send(handshake(target, key, fields));
        return over(connection, key);
    }

    /** A good handshake with that key. */
    public static String handshake(String target, String key, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: gate\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key
                + "\r\n" + fields + "\r\n";
    }

    /** Reads the answer to a handshake with that key, which must be the right 101. */
    public static WsClient over(RawClient connection, String key) {
        Reply head = connection.readHead().expect(101);
        if (!accept(key).equals(head.header("Sec-WebSocket-Accept"))
                || !"websocket".equalsIgnoreCase(head.header("Upgrade"))
                || !head.connectionHas("upgrade")
                || head.header("Sec-WebSocket-Extensions") != null) {
            throw new AssertionError("a wrong handshake: " + head);
        }
        return new WsClient(connection, head);
    }

    public static String newKey() {
        byte[] nonce = new byte[16];
        ThreadLocalRandom.current().nextBytes(nonce);
        return Base64.getEncoder().encodeToString(nonce);
    }

    private static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(RawClient.bytes(key + SALT));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError("every Java platform has SHA-1", missing);
        }
    }

    public Reply head() {
        return head;
    }

    /** The loop that holds it. */
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

    public WsClient send(ClientFrames frames) {
        connection.send(frames.bytes());
        return this;
    }

    public WsClient text(String text) {
        return send(new ClientFrames().text(text));
    }

    public WsClient binary(byte[] payload) {
        return send(new ClientFrames().binary(payload));
    }

    public WsClient ping(String payload) {
        return send(new ClientFrames().ping(payload));
    }

    public WsClient close(int code) {
        return send(new ClientFrames().close(code, ""));
    }

    /** The next frame. */
    public Frame read() {
        return read(RawClient.WAIT);
    }

    /** The next frame, which must begin within {@code bound}. */
    public Frame read(Duration bound) {
        Frame frame = tryRead(bound);
        if (frame == null) {
            throw new AssertionError("no frame within " + bound.toMillis() + " ms");
        }
        return frame;
    }

    /** The next frame, or null where none begins within {@code bound}; fails at the end. */
    public Frame tryRead(Duration bound) {
        byte[] some = connection.readSome(bound);
        if (some == null) {
            return null;
        }
        if (some.length == 0) {
            throw new AssertionError("the connection ended without a close frame");
        }
        connection.unread(some);
        byte[] head = connection.readRaw(2);
        boolean fin = (head[0] & 0x80) != 0;
        int opcode = head[0] & 0x0f;
        int length = length(head[1]);
        String what = "frame " + opcode + " of " + length + " bytes";
        if ((head[0] & 0x70) != 0 || opcode > ClientFrames.PONG
                || opcode > ClientFrames.BINARY && opcode < ClientFrames.CLOSE) {
            throw malformed("first byte " + (head[0] & 0xff) + " of a " + what);
        }
        boolean control = opcode >= ClientFrames.CLOSE;
        if (control && (!fin || length > 125 || opcode == ClientFrames.CLOSE && length == 1)) {
            throw malformed("control " + what);
        }
        return new Frame(fin, opcode, connection.readRaw(length));
    }

    private int length(byte second) {
        if (second < 0) {
            throw malformed("a mask");
        }
        if (second < 126) {
            return second;
        }
        byte[] field = connection.readRaw(second == 126 ? 2 : 8);
        long length = 0;
        for (byte octet : field) {
            length = length << 8 | octet & 0xff;
        }
        if (length < (second == 126 ? 126 : 65_536) || length > Integer.MAX_VALUE) {
            throw malformed("length " + length + " in " + field.length + " bytes");
        }
        return (int) length;
    }

    /** Fails unless the next frame is that whole text. */
    public WsClient expectText(String text) {
        return expect(ClientFrames.TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Fails unless the next frame is that and whole. */
    public WsClient expect(int opcode, byte[] payload) {
        Frame frame = read();
        if (!frame.fin() || frame.opcode() != opcode
                || !Arrays.equals(frame.payload(), payload)) {
            throw new AssertionError("expected " + new Frame(true, opcode, payload) + " and not "
                    + frame);
        }
        return this;
    }

    /** Fails unless the next frame is a close with that code. */
    public WsClient expectClose(int code) {
        Frame frame = read();
        if (frame.closeCode() != code) {
            throw new AssertionError("expected the close code " + code + " and not "
                    + frame.closeCode());
        }
        return this;
    }

    /** Fails unless the server ends the connection without another byte. */
    public void expectEnd() {
        connection.expectEnd();
    }

    @Override
    public void close() {
        connection.close();
    }

    private static AssertionError malformed(String what) {
        return new AssertionError("malformed frame: " + what);
    }
}
