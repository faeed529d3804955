package m0.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import m0.http.Body;
import m0.http.Method;
import m0.http.Response;
import m0.http.Status;
import m0.http.parse.Framing;
import m0.http.parse.Outcome;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.RequestHead;
import m0.http.write.ResponseHead;
import m0.loop.ReadyWork;
import m0.loop.Transport;

/**
 * One peer's connection. It answers requests one at a time and in order; the answers to everything
 * that one read held go out in one write.
 *
 * <p>What it waits for decides which event is watched and which deadline runs:
 * <pre>
 *            part of a head              head whole, body short
 *  FIRST ───────────────────► HEAD ───────────────────────────► BODY
 *    │ whole request           │ whole request                   │ body whole
 *    └───────────┬─────────────┴─────────────────────────────────┘
 *                ▼
 *            answered ── socket full ──► SEND ── all sent ──┐
 *                │ all sent                                 │
 *                ▼                                          ▼
 *     keep ──► IDLE (then as FIRST)        last answer ──► LINGER, or closed at once
 * </pre>
 * A FIN ends the requests, not the connection: what was sent before it is answered.
 *
 * <p>Threads: the loop's. Owns: its transport and slot; an {@link Inbound} while a request is
 * incomplete, an {@link Outbound} while an answer is stuck. Errors: a peer that breaks a rule gets
 * the violation's status and the end of its connection; an application that throws, 500 and the
 * same; a broken transport ends it without a word.
 */
final class Connection implements ReadyWork {
    /** What is waited for: each with the event that is watched and the deadline that runs. */
    private enum Wait {
        /** Accepted, nothing has come: readable; header timeout, closed unanswered. */
        FIRST,
        /** Part of a head has come: readable; header timeout, 408. */
        HEAD,
        /** A body is arriving: readable; body timeout, 408. */
        BODY,
        /** Between requests: readable; idle timeout. */
        IDLE,
        /** An answer is stuck: writable; send timeout. */
        SEND,
        /** The last answer is out, what still comes is thrown away: readable; linger bound. */
        LINGER,
        CLOSED
    }

    /** A refused peer may go on sending this long and this much before it is cut. */
    private static final long LINGER_NS = 5_000_000_000L;
    private static final long LINGER_BYTES_MAX = 64L * 1024 * 1024;
    /** What makes no progress for this long is not waited for by a drain. */
    private static final long DRAIN_PATIENCE_NS = 1_000_000_000L;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** Turns that fill a socket's buffer, of some 64 KiB each: more than Linux lets it grow to. */
    private static final int FILL_TURNS_MAX = 128;
    /** Far enough for no deadline: about 73 years. */
    private static final long NO_DEADLINE_NS = Long.MAX_VALUE / 4;

    private static final Response FAILED =
            Response.status(500).contentType("text/plain; charset=utf-8")
                    .body("The application failed to answer this request.\n").close().build();
    private static final Response NOT_SERVED = Response.text(501,
            "Streams and deferred answers are not served by this version.\n");
    private static final Response SERVER_OPTIONS = Response.status(204)
            .header("Allow", "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS").build();

    private final Connections table;
    private final Workbench bench;
    private final Transport transport;
    private final InetSocketAddress remote;
    private final int slot;

    private Wait wait = Wait.FIRST;
    private long deadlineNs;
    private long progressNs;
    private Inbound inbound;
    private Outbound outbound;
    private int answered;
    /** This event has answered something: what is waited for next begins now. */
    private boolean answeredNow;
    /** This event has sent something of an answer that was stuck. */
    private boolean sentNow;
    /** Writing failed: nothing more can be said to this peer. */
    private boolean broken;
    /** The peer has sent its FIN. */
    private boolean inputEnded;
    /** The last answer has been given; nothing more is parsed. */
    private boolean last;
    /** Bytes may still come that nobody reads: closing at once could destroy the last answer. */
    private boolean lingers;
    private long lingerBytes;

    Connection(Connections table, Workbench bench, Transport transport, int slot) {
        this.table = table;
        this.bench = bench;
        this.transport = transport;
        this.slot = slot;
        remote = transport.remote();
        progressNs = bench.nowNs;
        waitFor(Wait.FIRST, bench.nowNs, bench.config.headerTimeoutNs());
    }

    int slot() {
        return slot;
    }

    @Override
    public void onReady(boolean readable, boolean writable) {
        if (wait == Wait.SEND) {
            if (writable) {
                onWritable();
            }
        } else if (readable && wait != Wait.CLOSED) {
            onReadable();
        }
    }

    private void onReadable() {
        int count = bench.read(transport, bench.scratch, 0);
        if (count == Transport.END) {
            inputEnded = true;
            settle();
        } else if (count == Transport.FAILED) {
            close();
        } else if (count > 0 && wait == Wait.LINGER) {
            onLingering(count);
        } else if (count > 0) {
            bench.mayLookForEnd = answered == 0 || inbound != null;
            take(count);
            if (answeredNow || hasBegun()) {
                progressNs = bench.nowNs;
            }
            settle();
        }
    }

    /** Puts {@code count} new bytes of the scratch where they belong and answers what is whole. */
    private void take(int count) {
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
        while (bench.windowFrom < bench.windowTo && canAnswer()) {
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
                refuse(head.violation(), head);
                return;
            }
            if (!attachBody(head)) {
                return;
            }
            answer(head);
        }
        keepRest();
    }

    private boolean canAnswer() {
        return !last && outbound == null && !broken;
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
            refuse(bench.chunked.violation(), head);
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
            makeRoom(ResponseHead.continueSize());
            ResponseHead.writeContinue(bench.out);
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
        boolean rest = bench.windowFrom < bench.windowTo;
        lingers |= rest && last;
        if (rest && !last) {
            keepInCarry();
            inbound.unparsed = true;
        } else {
            dropInbound();
        }
    }

    private void dropInbound() {
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
                refuse(inbound.chunked.violation(), head);
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
            answer(head);
            dropInbound();
            serveWindow(bench.head, false);
        }
    }

    /** Has the request answered, and writes the answer behind those before it. */
    private void answer(RequestHead head) {
        head.attachRemote(remote);
        long startedNs = startedNs();
        if (inbound != null) {
            // The next request in the same carry has begun by now, and not before.
            inbound.startedNs = bench.nowNs;
        }
        Response response = dispatch(head);
        answered++;
        answeredNow = true;
        boolean moreInput = bench.windowFrom < bench.windowTo;
        if (!moreInput && bench.mayLookForEnd) {
            moreInput = lookForEnd();
        }
        last = !head.keepAlive() || response.close()
                || answered == bench.config.keepaliveRequestsMax() || bench.stop.asked()
                || inputEnded && !moreInput;
        lingers = last && (moreInput || head.keepAlive() && !table.draining());
        respond(response, head, startedNs, ExchangeRecord.Event.RESPONSE);
    }

    private long startedNs() {
        return inbound != null ? inbound.startedNs : bench.nowNs;
    }

    /**
     * Reads once more, so that the last answer can say {@code close} where a FIN stands behind its
     * request. Done in a connection's first event, for a request that took several reads, and after
     * an answer was stuck: a connection that goes on asking in single reads pays for it once.
     *
     * @return whether bytes came, which now stand in the window
     */
    private boolean lookForEnd() {
        if (inputEnded) {
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
        inputEnded = count == Transport.END;
        return count > 0;
    }

    /** The application's answer, or the one that is given in its place. */
    private Response dispatch(RequestHead request) {
        if (request.isServerWideOptions()) {
            return SERVER_OPTIONS;
        }
        try {
            Response response = bench.handler.beforeRequest(request);
            if (response == null) {
                response = bench.handler.handle(request);
            }
            if (response == null) {
                throw new IllegalStateException("the handler returned no response");
            }
            return served(bench.handler.afterResponse(request, response));
        } catch (Exception failure) {
            bench.observer.onApplicationFailure(bench.loop, request, failure);
            return FAILED;
        }
    }

    private static Response served(Response response) {
        Body body = response.body();
        boolean served = body instanceof Body.Bytes || body instanceof Body.None
                || body instanceof Body.FileRegion;
        return served ? response : NOT_SERVED;
    }

    /** Writes the head, and of the body what fits; the rest waits in an {@link Outbound}. */
    private void respond(Response response, RequestHead head, long startedNs,
            ExchangeRecord.Event event) {
        boolean hasBody = head.method() != Method.HEAD && Status.hasContent(response.status());
        FileChannel file = null;
        if (hasBody && response.body() instanceof Body.FileRegion region) {
            file = open(region, head);
            if (file == null) {
                last = true;
                lingers = true;
                respond(FAILED, head, startedNs, event);
                return;
            }
        }
        writeHead(response, head.keepAliveTold());
        long length = 0;
        if (hasBody && response.body() instanceof Body.Bytes bytes) {
            length = bytes.length();
            writeBytes(bytes);
        } else if (file != null) {
            Body.FileRegion region = (Body.FileRegion) response.body();
            length = region.length();
            useOutbound().setFile(file, region.offset(), length);
        }
        if (bench.exchangesWanted) {
            record(response.status(), head, startedNs, event, length);
        }
    }

    /** The file, or null where it cannot be read as announced, which the observer is told. */
    private FileChannel open(Body.FileRegion region, RequestHead request) {
        FileChannel file = null;
        try {
            // Opening anything else could wait, for a FIFO's writer say, and hold the loop.
            if (!Files.isRegularFile(region.path())) {
                throw new IOException("there is no such file, or it is no regular one");
            }
            file = FileChannel.open(region.path(), StandardOpenOption.READ);
            if (file.size() - region.offset() >= region.length()) {
                return file;
            }
            throw new IOException("the file is shorter than the part to be sent");
        } catch (IOException failure) {
            bench.observer.onApplicationFailure(bench.loop, request, failure);
            Outbound.close(file);
            return null;
        }
    }

    private void writeHead(Response response, boolean keepAliveTold) {
        int sizeMax = ResponseHead.sizeMax(response);
        if (sizeMax <= bench.out.capacity()) {
            makeRoom(sizeMax);
            ResponseHead.write(bench.out, response, bench.dateLine(), last, keepAliveTold);
        } else {
            ByteBuffer large = ByteBuffer.allocate(sizeMax);
            ResponseHead.write(large, response, bench.dateLine(), last, keepAliveTold);
            useOutbound().addFront(large.array(), 0, large.position());
        }
    }

    private void writeBytes(Body.Bytes body) {
        int fitting = Math.min(body.length(), bench.out.remaining());
        bench.out.put(body.array(), body.offset(), fitting);
        if (fitting < body.length()) {
            useOutbound().setBody(body.array(), body.offset() + fitting,
                    body.length() - fitting);
        }
    }

    /** Makes {@code size} bytes free in the bench's buffer, which holds as many. */
    private void makeRoom(int size) {
        if (size > bench.out.remaining()) {
            flush();
        }
    }

    /** From here on what is written goes through the outbound, in order. */
    private Outbound useOutbound() {
        if (outbound == null) {
            outbound = bench.borrowOutbound();
        }
        outbound.addFront(bench.out.array(), 0, bench.out.position());
        bench.out.clear();
        return outbound;
    }

    private void record(int status, RequestHead head, long startedNs,
            ExchangeRecord.Event event, long length) {
        ExchangeRecord record = bench.record;
        record.event = event;
        record.remote = remote;
        record.status = status;
        record.bytes = length;
        record.durationNs = bench.clock.nanoTime() - startedNs;
        record.loop = bench.loop;
        record.takeRequestLine(head);
        if (outbound != null && outbound.bodyBytesLeft() > 0) {
            outbound.record = record.copy();
        } else {
            bench.observer.onExchange(record);
        }
    }

    /** The host's own answer to a broken rule: the last one on this connection. */
    private void refuse(ProtocolViolation violation, RequestHead head) {
        bench.noteLimit(violation);
        last = true;
        lingers = true;
        respond(Refusals.of(violation), head, startedNs(), ExchangeRecord.Event.REFUSED);
        dropInbound();
    }

    /** Sends what the event has produced, then decides what is waited for. */
    private void settle() {
        if (answeredNow) {
            // Handlers take their time, and what is waited for now begins now.
            bench.nowNs = bench.clock.nanoTime();
        }
        flush();
        checkHeld();
        if (broken) {
            close();
        } else if (outbound != null || !last && inbound != null && inbound.unparsed) {
            // Unparsed requests are taken up again by the next event, as one more turn.
            if (wait != Wait.SEND || sentNow) {
                waitFor(Wait.SEND, bench.nowNs, bench.config.sendTimeoutNs());
            }
        } else if (last) {
            finish();
        } else if (inputEnded) {
            // What has begun can never become whole.
            close();
        } else {
            waitForInput();
        }
        answeredNow = false;
        sentNow = false;
    }

    /** Bounds what all connections of the loop keep together, whatever each is allowed. */
    private void checkHeld() {
        if (outbound != null && !bench.holds(outbound)
                || inbound != null && !bench.holds(inbound)) {
            if (outbound == null) {
                refuse(ProtocolViolation.MEMORY_SHORT, inbound.head);
                flush();
            } else {
                bench.noteLimit(ProtocolViolation.MEMORY_SHORT);
                broken = true;
            }
        }
    }

    /** Empty lines are no request: they leave the wait, and its deadline, as they were. */
    private void waitForInput() {
        if (inbound != null && inbound.bodyBegun) {
            long boughtNs = bench.config.bodyRate() == 0 ? 0
                    : inbound.bodyBytes / bench.config.bodyRate() * NS_PER_SECOND;
            waitFor(Wait.BODY, inbound.bodyStartedNs + boughtNs, bench.config.bodyTimeoutNs());
        } else if (hasBegun()) {
            waitFor(Wait.HEAD, inbound.startedNs, bench.config.headerTimeoutNs());
        } else if (answeredNow || wait == Wait.SEND) {
            waitFor(Wait.IDLE, bench.nowNs, bench.config.idleTimeoutNs());
        }
    }

    /** Whether part of a request has come, which empty lines are not. */
    private boolean hasBegun() {
        return inbound != null && (inbound.bodyBegun || inbound.head.started());
    }

    /** Sets the deadline {@code timeoutNs} after {@code fromNs}, or none for 0. */
    private void waitFor(Wait next, long fromNs, long timeoutNs) {
        boolean sends = next == Wait.SEND;
        if (sends != (wait == Wait.SEND)) {
            transport.interest(!sends, sends);
        }
        wait = next;
        deadlineNs = fromNs + (timeoutNs == 0 ? NO_DEADLINE_NS : timeoutNs);
    }

    /** Sends what is written; what the socket does not take stays in the outbound. */
    private void flush() {
        ByteBuffer out = bench.out;
        if (broken) {
            out.clear();
        } else if (outbound != null) {
            sendOutbound();
        } else if (out.position() > 0) {
            int sent = bench.send(transport, out.array(), 0, out.position());
            broken = sent == Transport.FAILED;
            if (!broken && sent < out.position()) {
                outbound = bench.borrowOutbound();
                outbound.addFront(out.array(), sent, out.position() - sent);
            }
            out.clear();
        }
    }

    private void sendOutbound() {
        Outbound.Sent sent = useOutbound().send(bench, transport);
        if (sent == Outbound.Sent.BROKEN) {
            broken = true;
        } else if (sent != Outbound.Sent.NONE) {
            sentNow = true;
            progressNs = bench.nowNs;
        }
        if (sent == Outbound.Sent.ALL) {
            dropOutbound();
        }
    }

    private void dropOutbound() {
        if (outbound == null) {
            return;
        }
        if (outbound.record != null) {
            outbound.record.bytes -= outbound.bodyBytesLeft();
            bench.observer.onExchange(outbound.record);
        }
        bench.giveBack(outbound);
        outbound = null;
    }

    /** The socket takes more; once all of it is out, what came meanwhile is answered. */
    private void onWritable() {
        bench.mayLookForEnd = true;
        flush();
        if (canAnswer() && inbound != null) {
            inbound.startedNs = bench.nowNs;
            inbound.bodyStartedNs = bench.nowNs;
            if (inbound.unparsed) {
                inbound.unparsed = false;
                openWindow(inbound.carry.array(), 0, inbound.carry.length());
                serveWindow(inbound.head, false);
            }
        }
        settle();
    }

    /** The last answer is out: close, or first let the peer read it. */
    private void finish() {
        if (!lingers || inputEnded || !transport.shutdownOutput()) {
            close();
        } else {
            progressNs = bench.nowNs;
            waitFor(Wait.LINGER, bench.nowNs, LINGER_NS);
        }
    }

    private void onLingering(int count) {
        progressNs = bench.nowNs;
        lingerBytes += count;
        if (lingerBytes > LINGER_BYTES_MAX) {
            close();
        }
    }

    /**
     * Looks at the deadlines: called once a second, more often in a drain. An answer that has stood
     * still for a second is tried once more first: Linux reports room only when a third of a
     * socket's buffer is free, so a steady but slow reader shows its progress to a write alone.
     */
    void onTime() {
        if (wait == Wait.SEND && bench.nowNs - progressNs >= NS_PER_SECOND) {
            fillSocket();
        }
        if (bench.nowNs - deadlineNs >= 0) {
            onDeadline();
        } else if (table.draining()) {
            onDrainSweep();
        }
    }

    /**
     * Writes until the socket is full: a peer that has stopped reading must not seem to go on, sweep
     * after sweep, for as long as the buffer has room.
     */
    private void fillSocket() {
        long left;
        int turns = 0;
        do {
            left = outbound == null ? 0 : outbound.bytesLeft();
            onWritable();
        } while (wait == Wait.SEND && outbound != null && outbound.bytesLeft() < left
                && ++turns < FILL_TURNS_MAX);
    }

    /** A large answer begun before the drain could not say close: its end is as good. */
    private void onDrainSweep() {
        if (wait == Wait.IDLE) {
            onDrain();
        } else if (wait != Wait.SEND && bench.nowNs - progressNs >= DRAIN_PATIENCE_NS) {
            close();
        }
    }

    private void onDeadline() {
        switch (wait) {
            case HEAD -> {
                refuse(ProtocolViolation.HEADER_TIMEOUT, inbound.head);
                settle();
            }
            case BODY -> {
                refuse(ProtocolViolation.BODY_TIMEOUT, inbound.head);
                settle();
            }
            case FIRST, IDLE, SEND, LINGER, CLOSED -> close();
        }
    }

    /** The drain begins: what has come already is served, and an idle connection goes. */
    void onDrain() {
        if (wait != Wait.SEND && wait != Wait.LINGER) {
            onReadable();
        }
        if (wait == Wait.IDLE) {
            close();
        }
    }

    void close() {
        if (wait == Wait.CLOSED) {
            return;
        }
        wait = Wait.CLOSED;
        bench.out.clear();
        dropOutbound();
        dropInbound();
        transport.close();
        table.release(this);
    }
}
