package m0.connection;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import m0.app.AppHandler;
import m0.bytes.GrowableBytes;
import m0.bytes.Span;
import m0.http.HttpDate;
import m0.http.parse.ChunkedBody;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.RequestHead;
import m0.loop.Clock;
import m0.loop.StopWord;
import m0.loop.Transport;
import m0.pool.Job;
import m0.pool.Lanes;
import m0.stream.Outbox;
import m0.ws.WsFrames;

/**
 * What the connections of one loop take turns with: one of them is at work at a time, and leaves
 * nothing of its own behind.
 */
final class Workbench {
    /** One read: as large as a read gets. */
    static final int READ_BYTES = 16 * 1024;
    /** The largest piece handed to the socket at once, through the direct buffer. */
    static final int SLICE_BYTES = 64 * 1024;
    /** Borrowed objects kept for the next borrower. */
    private static final int SPARES_MAX = 1024;
    /** And the memory that they may take together. */
    private static final long SPARE_BYTES_MAX = 4L * 1024 * 1024;

    final int loop;
    final ConnectionConfig config;
    final AppHandler handler;
    final Lanes lanes;
    final Clock clock;
    final StopWord stop;
    final ExchangeObserver observer;
    final boolean exchangesWanted;

    /** The bytes of one event; twice a read's size, for the read that looks for a FIN. */
    final byte[] scratch = new byte[2 * READ_BYTES];
    /** The parser for requests that are whole in one read. */
    final RequestHead head;
    final ChunkedBody chunked = new ChunkedBody();
    final GrowableBytes decoded = new GrowableBytes();
    /** The answers of one event, empty between events. */
    final ByteBuffer out = ByteBuffer.allocate(SLICE_BYTES);
    final ExchangeRecord record = new ExchangeRecord();

    /** Field lines of an event stream's head, on HTTP/1.0 and on 1.1. */
    final byte[] eventsLines;
    final byte[] chunkedEventsLines;

    /** The window of bytes that is being parsed: in {@code scratch} or in a carry. */
    byte[] window;
    int windowFrom;
    int windowTo;
    /** Whether this event may read once more to look for a FIN. */
    boolean mayLookForEnd;

    /** The request whose answer the application is giving, here or on the thread below; else null. */
    RequestHead asked;
    /** The pool thread that was asked where an {@code Error} came back from one, else −1. */
    int askedThread = -1;
    /** The lane of the request that is being answered. */
    int lane;
    /** The job that has brought the answer which is being given, or null. */
    Job answeredBy;
    /** Where the body of that request lies. */
    final Span body = new Span();

    /** The time of this pass. */
    long nowNs;

    private final ByteBuffer directIn = ByteBuffer.allocateDirect(READ_BYTES);
    private final ByteBuffer directOut = ByteBuffer.allocateDirect(SLICE_BYTES);
    private final HttpDate date = new HttpDate();
    private ByteBuffer pulled;
    private final GrowableBytes frames = new GrowableBytes();
    /** What waits in the outboxes of all streams. */
    private long streamBytes;
    private byte[] dateLine;
    private long dateUntilNs;
    private final ArrayDeque<Inbound> inboundSpares = new ArrayDeque<>();
    private final ArrayDeque<Outbound> outboundSpares = new ArrayDeque<>();
    /** Memory that connections hold for what is incomplete or stuck. */
    private long heldBytes;
    /** Memory of what nobody has borrowed. */
    private long spareBytes;
    private final boolean[] limitTold = new boolean[ProtocolViolation.values().length];

    Workbench(int loop, ConnectionConfig config, AppHandler handler, Lanes lanes, Clock clock,
            StopWord stop, ExchangeObserver observer) {
        this.loop = loop;
        this.config = config;
        this.handler = handler;
        this.lanes = lanes;
        this.clock = clock;
        this.stop = stop;
        this.observer = observer;
        exchangesWanted = observer.wantsExchanges();
        head = new RequestHead(config.limits());
        String worker = "X-Worker: " + loop + "\r\n";
        eventsLines = ascii(worker);
        chunkedEventsLines = ascii("Transfer-Encoding: chunked\r\n" + worker);
    }

    void beginPass(long nowNs) {
        this.nowNs = nowNs;
    }

    /** The {@code Date} line of this pass, looked up again when its second has passed. */
    byte[] dateLine() {
        if (dateLine == null || nowNs - dateUntilNs >= 0) {
            long epochMillis = clock.epochMillis();
            dateLine = date.line(epochMillis);
            dateUntilNs = nowNs + (1000 - Math.floorMod(epochMillis, 1000L)) * 1_000_000L;
        }
        return dateLine;
    }

    /** Reads once into {@code into}, at most {@link #READ_BYTES}; what {@link Transport} returns. */
    int read(Transport transport, byte[] into, int at) {
        directIn.clear();
        int count = transport.read(directIn);
        if (count > 0) {
            directIn.flip();
            directIn.get(into, at, count);
        }
        return count;
    }

    /** Writes through the direct buffer, slice by slice; bytes taken, or {@link Transport#FAILED}. */
    int send(Transport transport, byte[] array, int offset, int length) {
        int sent = 0;
        while (sent < length) {
            int slice = Math.min(length - sent, SLICE_BYTES);
            directOut.clear();
            directOut.put(array, offset + sent, slice);
            directOut.flip();
            int count = transport.write(directOut);
            if (count < 0) {
                return count;
            }
            sent += count;
            if (count < slice) {
                break;
            }
        }
        return sent;
    }

    /** Counts what is kept there; false where the loop holds too much with it. */
    boolean holds(Held held) {
        heldBytes += held.capacity() - held.heldBytes;
        held.heldBytes = held.capacity();
        return heldBytes <= config.heldBytesMax();
    }

    /** Counts what else is kept of a peer's input; false where the loop holds too much with it. */
    boolean holds(long changeBytes) {
        heldBytes += changeBytes;
        return heldBytes <= config.heldBytesMax();
    }

    Inbound borrowInbound() {
        Inbound spare = borrow(inboundSpares);
        return spare != null ? spare : new Inbound(config.limits());
    }

    void giveBack(Inbound inbound) {
        giveBack(inbound, inboundSpares);
    }

    Outbound borrowOutbound() {
        Outbound spare = borrow(outboundSpares);
        return spare != null ? spare : new Outbound();
    }

    void giveBack(Outbound outbound) {
        outbound.abandonSource(this);
        giveBack(outbound, outboundSpares);
    }

    private <T extends Held> T borrow(ArrayDeque<T> spares) {
        T spare = spares.pollLast();
        if (spare != null) {
            spareBytes -= spare.capacity();
        }
        return spare;
    }

    private <T extends Held> void giveBack(T held, ArrayDeque<T> spares) {
        heldBytes -= held.heldBytes;
        held.heldBytes = 0;
        held.clear();
        if (spares.size() < SPARES_MAX && spareBytes + held.capacity() <= SPARE_BYTES_MAX) {
            spareBytes += held.capacity();
            spares.addLast(held);
        }
    }

    /** Where a source puts its next bytes, empty. */
    ByteBuffer pulled() {
        if (pulled == null) {
            pulled = ByteBuffer.allocate(READ_BYTES);
        }
        return pulled.clear();
    }

    /** Sends from the front of the outbox what one slice holds and the socket takes. */
    int send(Transport transport, Outbox outbox) {
        directOut.clear();
        outbox.gather(directOut);
        directOut.flip();
        int count = transport.write(directOut);
        if (count > 0) {
            outbox.consume(count);
        }
        return count;
    }

    /** Field lines that a handshake's answer has of its own. */
    byte[] webSocketLines(String accept) {
        return ascii("Sec-WebSocket-Accept: " + accept + "\r\nX-Worker: " + loop + "\r\n");
    }

    /** A WebSocket frame in an array of its own. */
    byte[] frame(int opcode, ByteBuffer payload) {
        WsFrames.append(frames, opcode, payload);
        byte[] frame = Arrays.copyOf(frames.array(), frames.length());
        frames.clear();
        frames.shed(READ_BYTES);
        return frame;
    }

    /** Counts what the outboxes of all streams hold. */
    void countStreamBytes(long change) {
        streamBytes += change;
    }

    /** Whether they hold so much that only an empty one may take more. */
    boolean streamsHoldTooMuch() {
        return streamBytes > config.streams().waitingBytesMax();
    }

    /** Whether nothing is counted as held, as when there is no connection. */
    boolean isHoldingNothing() {
        return streamBytes == 0 && heldBytes == 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Tells the observer; and about a setting's limit the first time it refuses something here. */
    void noteViolation(ProtocolViolation violation) {
        observer.onViolation(loop, violation);
        if (!violation.setting().isEmpty() && !limitTold[violation.ordinal()]) {
            limitTold[violation.ordinal()] = true;
            observer.onLimit(loop, violation);
        }
    }
}
