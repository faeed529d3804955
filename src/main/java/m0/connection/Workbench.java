package m0.connection;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import m0.app.AppHandler;
import m0.bytes.GrowableBytes;
import m0.http.HttpDate;
import m0.http.parse.ChunkedBody;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.RequestHead;
import m0.loop.Clock;
import m0.loop.StopWord;
import m0.loop.Transport;

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
    private static final int SPARES_MAX = 64;

    final int loop;
    final ConnectionConfig config;
    final AppHandler handler;
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

    /** The window of bytes that is being parsed: in {@code scratch} or in a carry. */
    byte[] window;
    int windowFrom;
    int windowTo;
    /** Whether this event may read once more to look for a FIN. */
    boolean mayLookForEnd;

    /** The time of this pass. */
    long nowNs;

    private final ByteBuffer directIn = ByteBuffer.allocateDirect(READ_BYTES);
    private final ByteBuffer directOut = ByteBuffer.allocateDirect(SLICE_BYTES);
    private final HttpDate date = new HttpDate();
    private byte[] dateLine;
    private long dateUntilNs;
    private final ArrayDeque<Inbound> inboundSpares = new ArrayDeque<>();
    private final ArrayDeque<Outbound> outboundSpares = new ArrayDeque<>();
    /** Memory that connections hold for what is incomplete or stuck. */
    private long heldBytes;
    private final boolean[] limitTold = new boolean[ProtocolViolation.values().length];

    Workbench(int loop, ConnectionConfig config, AppHandler handler, Clock clock, StopWord stop,
            ExchangeObserver observer) {
        this.loop = loop;
        this.config = config;
        this.handler = handler;
        this.clock = clock;
        this.stop = stop;
        this.observer = observer;
        exchangesWanted = observer.wantsExchanges();
        head = new RequestHead(config.limits());
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

    /** Counts what the request keeps; false where the loop holds too much with it. */
    boolean holds(Inbound inbound) {
        heldBytes += inbound.capacity() - inbound.heldBytes;
        inbound.heldBytes = inbound.capacity();
        return heldBytes <= config.heldBytesMax();
    }

    /** Counts what the stuck answer keeps; false where the loop holds too much with it. */
    boolean holds(Outbound outbound) {
        heldBytes += outbound.capacity() - outbound.heldBytes;
        outbound.heldBytes = outbound.capacity();
        return heldBytes <= config.heldBytesMax();
    }

    Inbound borrowInbound() {
        Inbound spare = inboundSpares.pollLast();
        return spare != null ? spare : new Inbound(config.limits());
    }

    void giveBack(Inbound inbound) {
        heldBytes -= inbound.heldBytes;
        inbound.heldBytes = 0;
        inbound.clear();
        if (inboundSpares.size() < SPARES_MAX) {
            inboundSpares.addLast(inbound);
        }
    }

    Outbound borrowOutbound() {
        Outbound spare = outboundSpares.pollLast();
        return spare != null ? spare : new Outbound();
    }

    void giveBack(Outbound outbound) {
        heldBytes -= outbound.heldBytes;
        outbound.heldBytes = 0;
        outbound.clear();
        if (outboundSpares.size() < SPARES_MAX) {
            outboundSpares.addLast(outbound);
        }
    }

    /** Tells the observer about a setting's limit the first time it refuses something here. */
    void noteLimit(ProtocolViolation violation) {
        if (!violation.setting().isEmpty() && !limitTold[violation.ordinal()]) {
            limitTold[violation.ordinal()] = true;
            observer.onLimit(loop, violation);
        }
    }
}
