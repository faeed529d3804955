package m0.connection;

import m0.http.parse.Framing;
import m0.http.parse.Outcome;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.RequestHead;
import m0.loop.Transport;

/**
 * The reading half of a connection: from the bytes of an event to whole requests, one after another.
 *
 * <p>What is whole in one read is parsed where it was read. Only what is not is moved to an
 * {@link Inbound}, whose carry is then the window that is parsed.
 *
 * <p>Threads: the loop's. Owns: the inbound, while a request is incomplete or waits. Errors: a rule
 * that the peer breaks is told to the connection, which refuses it.
 */
final class Receiver {
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final Workbench bench;
    private final Connection connection;
    private final Transport transport;
    private Inbound inbound;
    /** The peer has sent its FIN. */
    private boolean ended;

    Receiver(Workbench bench, Connection connection, Transport transport) {
        this.bench = bench;
        this.connection = connection;
        this.transport = transport;
    }

    /** Whether the peer has sent its FIN. */
    boolean isEnded() {
        return ended;
    }

    void noteEnd() {
        ended = true;
    }

    /** Whether bytes are kept for later. */
    boolean isKeeping() {
        return inbound != null;
    }

    /** Whether whole requests may be kept that nobody has looked at. */
    boolean isUnparsed() {
        return inbound != null && inbound.unparsed;
    }

    /** Whether part of a request has come, which empty lines are not. */
    boolean hasBegun() {
        return inbound != null && (inbound.bodyBegun || inbound.head.started());
    }

    /** Whether a head is whole, and its body is arriving. */
    boolean isInBody() {
        return inbound != null && inbound.bodyBegun;
    }

    /** When the body began, moved on by a second for each that its bytes have bought. */
    long bodyClockNs() {
        int rate = bench.config.bodyRate();
        return inbound.bodyStartedNs + (rate == 0 ? 0 : inbound.bodyBytes / rate * NS_PER_SECOND);
    }

    /** The head of the request that is incomplete. */
    RequestHead head() {
        return inbound.head;
    }

    /** Whether memory allows to keep what is kept. */
    boolean isWithinBounds() {
        return inbound == null || bench.holds(inbound);
    }

    /** Whether the window holds bytes that nobody has looked at. */
    boolean hasMore() {
        return bench.windowFrom < bench.windowTo;
    }

    /** A new request is answered: the one behind it has begun by now, and not before. */
    void restart() {
        if (inbound != null) {
            inbound.startedNs = bench.nowNs;
        }
    }

    /** So many bytes of the scratch belong to a request that cannot be answered yet. */
    void keepForLater(int count) {
        openWindow(bench.scratch, 0, count);
        keepRest();
    }

    /** Takes up what was kept while nothing could be answered; its deadlines begin now. */
    void resume() {
        if (isUnparsed()) {
            openKept();
            serveKept();
        } else if (inbound != null) {
            inbound.startedNs = bench.nowNs;
            inbound.bodyStartedNs = bench.nowNs;
        }
    }

    /**
     * Gives up the request that is being answered, with its bytes: they move, or come along with the
     * inbound that they fill. What stands behind it stays.
     */
    Inbound detach(RequestHead head) {
        if (inbound != null && inbound.bodyBegun) {
            Inbound whole = inbound;
            inbound = null;
            return whole;
        }
        Inbound own = bench.borrowInbound();
        own.carry.append(bench.window, head.start(), head.position() - head.start());
        own.head.begin(0);
        own.head.parse(own.carry.array(), own.carry.length());
        if (head.bodyLength() > 0) {
            head.body(bench.body);
            own.decoded.append(bench.body.array(), bench.body.offset(), bench.body.length());
        }
        own.head.attachBody(own.decoded.array(), 0, own.decoded.length());
        return own;
    }

    /** Opens the window on what was kept, which may be nothing; its deadlines begin now. */
    void openKept() {
        openWindow(bench.scratch, 0, 0);
        if (inbound != null) {
            inbound.startedNs = bench.nowNs;
            inbound.bodyStartedNs = bench.nowNs;
            inbound.unparsed = false;
            openWindow(inbound.carry.array(), 0, inbound.carry.length());
        }
    }

    /** Answers what stands in the window. */
    void serveKept() {
        serveWindow(inbound != null ? inbound.head : bench.head, false);
    }

    /** Puts {@code count} new bytes of the scratch where they belong and answers what is whole. */
    void take(int count) {
        if (inbound == null) {
            openWindow(bench.scratch, 0, count);
            serveWindow(bench.head, false);
        } else if (inbound.bodyBegun) {
            takeBody(count);
        } else {
            if (!inbound.head.started()) {
                inbound.startedNs = bench.nowNs;
            }
            inbound.carry.append(bench.scratch, 0, count);
            openWindow(inbound.carry.array(), 0, inbound.carry.length());
            serveWindow(inbound.head, true);
        }
    }

    private void openWindow(byte[] array, int from, int to) {
        bench.window = array;
        bench.windowFrom = from;
        bench.windowTo = to;
    }

    /**
     * Answers request after request until the window is used up, holds only part of one, or no more
     * can be answered now.
     *
     * @param begun whether {@code head} already holds the beginning of the first one
     */
    private void serveWindow(RequestHead head, boolean begun) {
        boolean resumed = begun;
        while (bench.windowFrom < bench.windowTo && connection.canAnswer()) {
            if (!resumed) {
                head.begin(bench.windowFrom);
            }
            resumed = false;
            Outcome outcome = head.parse(bench.window, bench.windowTo);
            if (outcome == Outcome.NEED_MORE) {
                moveToCarry();
                return;
            }
            if (outcome == Outcome.BAD) {
                connection.refuse(head.violation(), head);
                return;
            }
            if (!attachBody(head)) {
                return;
            }
            connection.answer(head);
        }
        keepRest();
    }

    /** Gives the request its body from the window; false if it is not whole, or refused. */
    private boolean attachBody(RequestHead head) {
        int bodyFrom = head.position();
        if (head.framing() == Framing.NONE) {
            head.attachBody(bench.window, bodyFrom, 0);
            bench.windowFrom = bodyFrom;
            return true;
        }
        if (head.framing() == Framing.LENGTH) {
            long bodyTo = bodyFrom + head.contentLength();
            if (bodyTo > bench.windowTo) {
                keepBody(head);
                return false;
            }
            head.attachBody(bench.window, bodyFrom, (int) head.contentLength());
            bench.windowFrom = (int) bodyTo;
            return true;
        }
        bench.decoded.clear();
        bench.chunked.begin(bench.config.limits());
        Outcome outcome = bench.chunked.decode(bench.window, bodyFrom, bench.windowTo,
                bench.decoded);
        if (outcome == Outcome.NEED_MORE) {
            keepBody(head);
        } else if (outcome == Outcome.BAD) {
            connection.refuse(bench.chunked.violation(), head);
        } else {
            head.attachBody(bench.decoded.array(), 0, bench.decoded.length());
            bench.windowFrom = bench.chunked.position();
        }
        return outcome == Outcome.DONE;
    }

    /** A whole head stays, with what has come of its body. */
    private void keepBody(RequestHead parsed) {
        moveToCarry();
        RequestHead head = inbound.head;
        int bodyFrom = head.position();
        inbound.bodyBegun = true;
        inbound.bodyStartedNs = bench.nowNs;
        inbound.bodyBytes = inbound.carry.length() - bodyFrom;
        if (head.framing() == Framing.CHUNKED) {
            inbound.chunked.begin(bench.config.limits());
            inbound.chunked.decode(inbound.carry.array(), bodyFrom, inbound.carry.length(),
                    inbound.decoded);
        }
        if (head.expectsContinue()) {
            connection.askForBody();
        }
    }

    /** Moves the rest of the window to index 0 of a carry, where a head is parsed once more. */
    private void moveToCarry() {
        if (keepInCarry()) {
            inbound.head.begin(0);
            inbound.head.parse(inbound.carry.array(), inbound.carry.length());
        }
    }

    /** Keeps the rest of the window; false if it stands at index 0 of the carry already. */
    private boolean keepInCarry() {
        if (inbound == null) {
            inbound = bench.borrowInbound();
            inbound.carry.append(bench.window, bench.windowFrom,
                    bench.windowTo - bench.windowFrom);
        } else if (bench.windowFrom > 0) {
            inbound.carry.discard(bench.windowFrom);
        } else {
            return false;
        }
        inbound.startedNs = bench.nowNs;
        return true;
    }

    /** Whole requests that cannot be answered yet stay; what follows the last answer does not. */
    private void keepRest() {
        if (hasMore() && !connection.isOver()) {
            keepInCarry();
            inbound.unparsed = true;
            return;
        }
        if (hasMore()) {
            connection.noteUnread();
        }
        drop();
    }

    /** Forgets what is kept. */
    void drop() {
        if (inbound != null) {
            bench.giveBack(inbound);
            inbound = null;
        }
    }

    /** More of a body has come; what stands behind its end belongs to the next request. */
    private void takeBody(int count) {
        RequestHead head = inbound.head;
        int used = count;
        boolean whole;
        if (head.framing() == Framing.LENGTH) {
            long have = inbound.carry.length() - head.position();
            used = (int) Math.min(head.contentLength() - have, count);
            inbound.carry.append(bench.scratch, 0, used);
            whole = have + used == head.contentLength();
            if (whole) {
                head.attachBody(inbound.carry.array(), head.position(), (int) (have + used));
            }
        } else {
            Outcome outcome = inbound.chunked.decode(bench.scratch, 0, count, inbound.decoded);
            if (outcome == Outcome.BAD) {
                connection.refuse(inbound.chunked.violation(), head);
                return;
            }
            whole = outcome == Outcome.DONE;
            if (whole) {
                used = inbound.chunked.position();
                head.attachBody(inbound.decoded.array(), 0, inbound.decoded.length());
            }
        }
        inbound.bodyBytes += used;
        if (whole) {
            openWindow(bench.scratch, used, count);
            connection.answer(head);
            drop();
            serveWindow(bench.head, false);
        }
    }

    /** When the request that is being answered began. */
    long startedNs() {
        return inbound != null ? inbound.startedNs : bench.nowNs;
    }

    /**
     * Reads once more, so that the last answer can say {@code close} where a FIN stands behind its
     * request. Done in a connection's first event, for a request that took several reads, and after
     * an answer was stuck: a connection that goes on asking in single reads pays for it once.
     *
     * @return whether bytes came, which now stand in the window
     */
    boolean lookForEnd() {
        if (ended) {
            return false;
        }
        bench.mayLookForEnd = false;
        boolean inScratch = bench.window == bench.scratch;
        int at = inScratch ? bench.windowTo : 0;
        int count = bench.read(transport, bench.scratch, at);
        if (count > 0) {
            if (!inScratch) {
                inbound.carry.append(bench.scratch, 0, count);
                bench.window = inbound.carry.array();
            }
            bench.windowTo += count;
        }
        ended = count == Transport.END;
        return count > 0;
    }
}
