package kit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A client that writes the bytes it is told to and reads responses without any leniency.
 *
 * <p>The reader fails on what a lenient one would pass over: a bare CR or LF, a missing or second
 * {@code Date}, a second {@code Server}, {@code Content-Length} beside {@code Transfer-Encoding},
 * a body where there is none to be, a chunk that is short by a byte, a body that runs to the
 * connection's end without {@code close}.
 *
 * <p>Threads: one reader and one writer. Limits: every wait has a bound, {@link #WAIT} where none
 * is given.
 */
public final class RawClient implements AutoCloseable {

    /** For what comes at once on a quiet machine. */
    public static final Duration WAIT = Duration.ofSeconds(20);

    /** A deadline may be seen this much early: the two clocks are read at different moments. */
    private static final long EARLY_MS = 20;
    private static final int LINE_BYTES_MAX = 64 * 1024;
    private static final int SHOWN_MAX = 300;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final Socket socket;
    private final byte[] buffer = new byte[64 * 1024];
    private int position;
    private int limit;
    private int pieceBytesMax = buffer.length;
    private long pieceGapMs;
    /** When the last piece was read, and the longest time between two; 0 where none was. */
    private long pieceNs;
    private long longestGapNs;

    private RawClient(Socket socket) {
        this.socket = socket;
    }

    /** Connects to a server on 127.0.0.1. */
    public static RawClient connect(ServerProcess server) {
        return connect("127.0.0.1", server.port(), 0);
    }

    /** Connects with a small receive window, for a client that is to be slow. */
    public static RawClient connectWithReceiveBuffer(ServerProcess server, int bytes) {
        return connect("127.0.0.1", server.port(), bytes);
    }

    /** Connects; {@code receiveBufferBytes} 0 leaves the kernel's choice. */
    public static RawClient connect(String address, int port, int receiveBufferBytes) {
        Socket socket = new Socket();
        try {
            if (receiveBufferBytes > 0) {
                // Before the connect, or the window is already promised.
                socket.setReceiveBufferSize(receiveBufferBytes);
            }
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(address, port), (int) WAIT.toMillis());
            return new RawClient(socket);
        } catch (IOException failure) {
            closeSocket(socket);
            throw new AssertionError("no connection to " + address + ":" + port + ": " + failure,
                    failure);
        }
    }

    /** Whether something accepts connections there. */
    public static boolean canConnect(String address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 2000);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    public int localPort() {
        return socket.getLocalPort();
    }

    /** Sends text, a byte per character. */
    public RawClient send(String text) {
        return send(bytes(text));
    }

    /** Sends bytes in one write. */
    public RawClient send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException failure) {
            throw new AssertionError("the server does not take " + bytes.length + " bytes: "
                    + failure, failure);
        }
        return this;
    }

    /** Sends bytes; returns false if the connection does not take them any more. */
    public boolean trySend(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Sends text in pieces with a gap behind each. */
    public RawClient sendSlowly(String text, int pieceBytes, long gapMs) {
        byte[] bytes = bytes(text);
        for (int offset = 0; offset < bytes.length; offset += pieceBytes) {
            int length = Math.min(pieceBytes, bytes.length - offset);
            byte[] piece = new byte[length];
            System.arraycopy(bytes, offset, piece, 0, length);
            send(piece);
            ServerProcess.pause(gapMs);
        }
        return this;
    }

    /** Starts sending {@code block} over and over, {@code times} times, on a thread of its own. */
    public Upload upload(byte[] block, int times) {
        return new Upload(this, block, times, 0);
    }

    /** Like {@link #upload}, with a gap behind each block. */
    public Upload drip(byte[] block, int times, long gapMs) {
        return new Upload(this, block, times, gapMs);
    }

    /** From now on reads at most {@code pieceBytes} at a time, each after a gap. */
    public RawClient readSlowly(int pieceBytes, long gapMs) {
        pieceBytesMax = pieceBytes;
        pieceGapMs = gapMs;
        pieceNs = System.nanoTime();
        return this;
    }

    /** The longest time between two pieces: on a busy machine more than the gap. */
    public long longestGapMs() {
        return longestGapNs / 1_000_000;
    }

    /** Whether no process holds the server's end of this connection, in the backlog or any more. */
    public boolean isLetGo() {
        return !SocketTable.isHeld(socket.getPort(), localPort());
    }

    /** Waits until the kernel of the server has all that was sent, and the end of it. */
    public RawClient awaitArrived() {
        SocketTable.awaitArrived(socket.getPort(), localPort());
        return this;
    }

    /** Waits until the server has read all that was sent, see {@link SocketTable#awaitTaken}. */
    public RawClient awaitTaken() {
        SocketTable.awaitTaken(socket.getPort(), localPort());
        return this;
    }

    /** Shuts the write side: the server sees a FIN. */
    public RawClient shutdownOutput() {
        try {
            socket.shutdownOutput();
            return this;
        } catch (IOException failure) {
            throw new AssertionError("shutting the write side: " + failure, failure);
        }
    }

    /** Ends the connection with a reset. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException failure) {
            throw new AssertionError("resetting: " + failure, failure);
        }
    }

    /** {@code GET} on this connection and its answer. */
    public Reply get(String target) {
        return send("GET " + target + " HTTP/1.1\r\nHost: gate\r\n\r\n").read();
    }

    /** {@code POST} with {@code Content-Length} on this connection and its answer. */
    public Reply post(String target, String body) {
        return send("POST " + target + " HTTP/1.1\r\nHost: gate\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body).read();
    }

    /** Reads the answer to a request that was not HEAD. */
    public Reply read() {
        return read("GET", WAIT);
    }

    /** Reads the answer to a request of method {@code method}. */
    public Reply read(String method) {
        return read(method, WAIT);
    }

    /** Reads the answer to a request of method {@code method}, all of it within {@code bound}. */
    public Reply read(String method, Duration bound) {
        long untilNs = System.nanoTime() + bound.toNanos();
        Reply head = readHead(untilNs);
        byte[] body = body(head, method, untilNs);
        return new Reply(head.version(), head.status(), head.reason(), head.fields(), body);
    }

    /** Reads the head of an answer, and leaves what is behind it to be read. */
    public Reply readHead() {
        return readHead(System.nanoTime() + WAIT.toNanos());
    }

    private Reply readHead(long untilNs) {
        String statusLine = line(untilNs);
        if (!statusLine.matches("HTTP/1\\.1 [1-9][0-9][0-9] [ -~]*")) {
            throw malformed("status line <" + shown(statusLine) + ">");
        }
        int status = Integer.parseInt(statusLine.substring(9, 12));
        List<Reply.Field> fields = fields(untilNs);
        Reply head = new Reply(statusLine.substring(0, 8), status, statusLine.substring(13),
                fields, new byte[0]);
        checkFields(head);
        return head;
    }

    /**
     * Reads on until the server ends the connection, however it does.
     *
     * @param bound how long that may take
     */
    public Ending readUntilClosed(Duration bound) {
        long untilNs = System.nanoTime() + bound.toNanos();
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        boolean reset = false;
        try {
            while (fill(untilNs)) {
                rest.write(buffer, position, limit - position);
                position = limit;
            }
        } catch (SocketTimeoutException late) {
            throw new AssertionError("the connection was still open after " + bound.toMillis()
                    + " ms; read so far <" + shown(latin1(rest.toByteArray())) + ">", late);
        } catch (IOException failure) {
            reset = true;
        }
        return new Ending(rest.toByteArray(), reset, System.nanoTime());
    }

    /** Fails unless the server ends the connection in an orderly way, without another byte. */
    public void expectEnd() {
        readUntilClosed(WAIT).expectNothing();
    }

    /**
     * Reads until the server ends the connection, which it must do not before and not after a
     * time since {@code sinceNs}, taken before whatever starts the deadline was sent.
     */
    public Ending closedWithin(long sinceNs, long notBeforeMs, long notAfterMs) {
        long leftNs = sinceNs + notAfterMs * 1_000_000 - System.nanoTime();
        Ending ending = readUntilClosed(Duration.ofNanos(Math.max(leftNs, 1_000_000)));
        long afterMs = ending.afterMs(sinceNs);
        if (afterMs < notBeforeMs - EARLY_MS) {
            throw new AssertionError("closed after " + afterMs + " ms, before the " + notBeforeMs
                    + " ms it was to wait: " + ending);
        }
        return ending;
    }

    /** Fails if anything arrives, or the connection ends, within {@code ms}. */
    public RawClient expectSilence(long ms) {
        try {
            if (fill(System.nanoTime() + ms * 1_000_000)) {
                throw new AssertionError("expected silence and not <"
                        + shown(new String(buffer, position, limit - position,
                                StandardCharsets.ISO_8859_1)) + ">");
            }
            throw new AssertionError("expected silence and not the connection's end");
        } catch (SocketTimeoutException silence) {
            return this;
        } catch (IOException failure) {
            throw new AssertionError("expected silence and not " + failure, failure);
        }
    }

    /** Waits for the first bytes of what comes next and leaves them to be read. */
    public RawClient awaitBytes() {
        try {
            if (!fill(System.nanoTime() + WAIT.toNanos())) {
                throw new AssertionError("the server closed instead of answering");
            }
            return this;
        } catch (SocketTimeoutException late) {
            throw new AssertionError("no answer within " + WAIT.toMillis() + " ms", late);
        } catch (IOException failure) {
            throw new AssertionError("no answer: " + failure, failure);
        }
    }

    /**
     * Reads what has arrived, and waits for it no longer than {@code bound}.
     *
     * @return null where nothing came in time, and no bytes at the connection's orderly end
     */
    byte[] readSome(Duration bound) {
        try {
            if (!fill(System.nanoTime() + bound.toNanos())) {
                return new byte[0];
            }
        } catch (SocketTimeoutException nothing) {
            return null;
        } catch (IOException failure) {
            throw new AssertionError("the connection broke: " + failure, failure);
        }
        byte[] some = new byte[limit - position];
        System.arraycopy(buffer, position, some, 0, some.length);
        position = limit;
        return some;
    }

    /** Takes bytes back that were read too far. */
    void unread(byte[] bytes) {
        if (position < limit || bytes.length > buffer.length) {
            throw new IllegalStateException("unread " + bytes.length + " bytes at " + position);
        }
        System.arraycopy(bytes, 0, buffer, 0, bytes.length);
        position = 0;
        limit = bytes.length;
    }

    /** Whether bytes have arrived that were not read yet. */
    public boolean hasBytes() {
        try {
            return position < limit || socket.getInputStream().available() > 0;
        } catch (IOException failure) {
            throw new AssertionError("looking for bytes: " + failure, failure);
        }
    }

    /** Reads exactly {@code count} raw bytes. */
    public byte[] readRaw(int count) {
        byte[] raw = new byte[count];
        copy(raw, count, System.nanoTime() + WAIT.toNanos());
        return raw;
    }

    @Override
    public void close() {
        closeSocket(socket);
    }

    /** Bytes of text, one per character. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Text with what is not printable escaped, cut where it is long. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (int index = 0; index < text.length(); index++) {
            if (shown.length() > SHOWN_MAX) {
                return shown.append("…").toString();
            }
            char each = text.charAt(index);
            if (each == '\r') {
                shown.append("\\r");
            } else if (each == '\n') {
                shown.append("\\n");
            } else if (each < ' ' || each > '~') {
                shown.append(String.format("\\x%02x", (int) each));
            } else {
                shown.append(each);
            }
        }
        return shown.toString();
    }

    private List<Reply.Field> fields(long untilNs) {
        List<Reply.Field> fields = new ArrayList<>();
        for (String line = line(untilNs); !line.isEmpty(); line = line(untilNs)) {
            int colon = line.indexOf(':');
            if (colon <= 0 || !line.substring(0, colon).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
                throw malformed("field line <" + shown(line) + ">");
            }
            String value = line.substring(colon + 1);
            if (value.chars().anyMatch(each -> each < ' ' && each != '\t' || each == 0x7f)) {
                throw malformed("control byte in <" + shown(line) + ">");
            }
            fields.add(new Reply.Field(line.substring(0, colon), value.strip()));
        }
        return fields;
    }

    private static void checkFields(Reply head) {
        if (head.headers("Server").size() > 1) {
            throw malformed("more than one Server in " + head);
        }
        if (head.headers("Content-Length").size() > 1) {
            throw malformed("more than one Content-Length in " + head);
        }
        boolean sized = head.header("Content-Length") != null;
        boolean coded = head.header("Transfer-Encoding") != null;
        if (sized && coded) {
            throw malformed("Content-Length and Transfer-Encoding in " + head);
        }
        boolean interim = head.status() < 200;
        if ((interim || head.status() == 204) && (sized || coded)) {
            throw malformed("a length or a coding in " + head);
        }
        List<String> dates = head.headers("Date");
        if (dates.size() > 1 || dates.isEmpty() && !interim) {
            throw malformed(dates.size() + " Date fields in " + head);
        }
        if (!interim) {
            checkDate(dates.get(0));
        }
    }

    private static void checkDate(String date) {
        try {
            Instant sent = ZonedDateTime.parse(date, DATE).toInstant();
            long awaySeconds = Math.abs(Duration.between(sent, Instant.now()).toSeconds());
            if (awaySeconds > 60) {
                throw malformed("a Date " + awaySeconds + " s away: " + date);
            }
        } catch (DateTimeParseException failure) {
            throw malformed("Date <" + shown(date) + ">");
        }
    }

    private byte[] body(Reply head, String method, long untilNs) {
        int status = head.status();
        if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
            return new byte[0];
        }
        String coding = head.header("Transfer-Encoding");
        if (coding != null) {
            if (!coding.equals("chunked")) {
                throw malformed("Transfer-Encoding <" + shown(coding) + ">");
            }
            return chunks(untilNs);
        }
        String length = head.header("Content-Length");
        if (length != null) {
            if (!length.matches("0|[1-9][0-9]{0,9}")) {
                throw malformed("Content-Length <" + shown(length) + ">");
            }
            byte[] body = new byte[Integer.parseInt(length)];
            copy(body, body.length, untilNs);
            return body;
        }
        if (!head.saysClose()) {
            throw malformed("a body without end in " + head);
        }
        return restUntil(untilNs);
    }

    private byte[] chunks(long untilNs) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line(untilNs);
            if (!size.matches("[0-9a-fA-F]{1,8}")) {
                throw malformed("chunk size <" + shown(size) + ">");
            }
            int length = Integer.parseInt(size, 16);
            if (length == 0) {
                String end = line(untilNs);
                if (!end.isEmpty()) {
                    throw malformed("trailer <" + shown(end) + ">");
                }
                return body.toByteArray();
            }
            byte[] chunk = new byte[length];
            copy(chunk, length, untilNs);
            body.write(chunk, 0, length);
            String end = line(untilNs);
            if (!end.isEmpty()) {
                throw malformed("<" + shown(end) + "> behind a chunk");
            }
        }
    }

    private byte[] restUntil(long untilNs) {
        Ending ending = readUntilClosed(Duration.ofNanos(untilNs - System.nanoTime()));
        return ending.expectOrderly().bytes();
    }

    /** One line without its CRLF. */
    private String line(long untilNs) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int each = next(untilNs, line);
            if (each == '\r') {
                if (next(untilNs, line) != '\n') {
                    throw malformed("a bare CR behind <" + shown(latin1(line.toByteArray())) + ">");
                }
                return latin1(line.toByteArray());
            }
            if (each == '\n') {
                throw malformed("a bare LF behind <" + shown(latin1(line.toByteArray())) + ">");
            }
            line.write(each);
            if (line.size() > LINE_BYTES_MAX) {
                throw malformed("a line of more than " + LINE_BYTES_MAX + " bytes");
            }
        }
    }

    private int next(long untilNs, ByteArrayOutputStream before) {
        if (position == limit) {
            require(untilNs, "behind <" + shown(latin1(before.toByteArray())) + ">");
        }
        return buffer[position++] & 0xff;
    }

    private void copy(byte[] target, int length, long untilNs) {
        int copied = 0;
        while (copied < length) {
            if (position == limit) {
                require(untilNs, "after " + copied + " of " + length + " bytes");
            }
            int taken = Math.min(length - copied, limit - position);
            System.arraycopy(buffer, position, target, copied, taken);
            position += taken;
            copied += taken;
        }
    }

    private void require(long untilNs, String where) {
        try {
            if (!fill(untilNs)) {
                throw new AssertionError("the server closed " + where);
            }
        } catch (SocketTimeoutException late) {
            throw new AssertionError("nothing more came in time " + where, late);
        } catch (IOException failure) {
            throw new AssertionError("the connection broke " + where + ": " + failure, failure);
        }
    }

    /** Makes at least one byte readable; false at the end of the connection. */
    private boolean fill(long untilNs) throws IOException {
        if (position < limit) {
            return true;
        }
        if (pieceGapMs > 0) {
            ServerProcess.pause(pieceGapMs);
        }
        long leftMs = (untilNs - System.nanoTime()) / 1_000_000;
        // 0 would wait for ever.
        socket.setSoTimeout((int) Math.max(1, leftMs));
        InputStream input = socket.getInputStream();
        int count = input.read(buffer, 0, pieceBytesMax);
        position = 0;
        limit = Math.max(count, 0);
        if (pieceGapMs > 0) {
            long nowNs = System.nanoTime();
            longestGapNs = Math.max(longestGapNs, nowNs - pieceNs);
            pieceNs = nowNs;
        }
        return count > 0;
    }

    private static AssertionError malformed(String what) {
        return new AssertionError("malformed answer: " + what);
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static void closeSocket(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new AssertionError("closing: " + failure, failure);
        }
    }
}
