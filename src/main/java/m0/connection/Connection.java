package m0.connection;

import java.net.InetSocketAddress;
import m0.http.Response;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.RequestHead;
import m0.loop.ReadyWork;
import m0.loop.Transport;

/**
 * One peer's connection. It answers requests one at a time and in order; the answers to everything
 * that one read held go out in one write. Bytes become requests in {@link Receiver}, requests are
 * answered by {@link Answering}, answers become bytes in {@link Sender}.
 *
 * <p>What it waits for decides which event is watched and which deadline runs:
 * <pre>
 *            part of a head              head whole, body short
 *  FIRST ───────────────────► HEAD ───────────────────────────► BODY
 *    │ whole request           │ whole request                   │ body whole
 *    └───────────┬─────────────┴─────────────────────────────────┘
 *                ▼
 *            answering ── elsewhere ──► LANE, DEFERRED
 *                │ answered ◄───────────────────┘ come back
 *                ├── socket full ──► SEND ──────────┐
 *                ├── nothing for now ──► SOURCE ────┤
 *                │ all sent                         │ all sent
 *                ▼                                  ▼
 *     keep ──► IDLE (then as FIRST)        last answer ──► LINGER, or closed at once
 *                ▲                                          ▲
 *                └────────── STREAM, until it ends ─────────┘
 * </pre>
 * A FIN ends the requests, not the connection: what was sent before it is answered.
 *
 * <p>Threads: the loop's. Owns: its transport and slot; a {@link Stream} while it is one. Errors: a
 * peer that breaks a rule gets the violation's status and the end of its connection; an application
 * that throws, 500 and the same; a broken transport ends it without a word.
 */
final class Connection implements ReadyWork {
    /** What is waited for: each with the event that is watched and the deadline that runs. */
    private enum Wait {
        /** Accepted, nothing has come: readable; header timeout, closed unanswered. */
        FIRST(true, false),
        /** Part of a head has come: readable; header timeout, 408. */
        HEAD(true, false),
        /** A body is arriving: readable; body timeout, 408. */
        BODY(true, false),
        /** Between requests: readable; idle timeout. */
        IDLE(true, false),
        /** A lane has the request: nothing, once something comes; no deadline, but the lane's. */
        LANE(false, true),
        /** The answer is deferred: readable, for who has gone; its own timeout, 503. */
        DEFERRED(false, true),
        /** An answer is stuck: writable; send timeout. */
        SEND(false, true),
        /** The application's source has nothing for now: readable, for who has gone. */
        SOURCE(false, true),
        /** It is a stream: what that wants; no deadline, but for a stream that is to end. */
        STREAM(false, false),
        /** The last answer is out, what still comes is thrown away: readable; linger bound. */
        LINGER(true, false),
        CLOSED(false, false);

        /** Whether whatever comes is wanted. */
        final boolean reads;
        /** Whether an answer is under way, which a drain waits for though it seems to rest. */
        final boolean answers;

        Wait(boolean reads, boolean answers) {
            this.reads = reads;
            this.answers = answers;
        }
    }

    /** A refused peer may go on sending this long and this much before it is cut. */
    private static final long LINGER_NS = 5_000_000_000L;
    private static final long LINGER_BYTES_MAX = 64L * 1024 * 1024;
    /** What makes no progress for this long is not waited for by a drain. */
    private static final long DRAIN_PATIENCE_NS = 1_000_000_000L;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** Far enough for no deadline: about 73 years. */
    private static final long NO_DEADLINE_NS = Long.MAX_VALUE / 4;

    private final Connections table;
    private final Workbench bench;
    final Transport transport;
    final InetSocketAddress remote;
    final InetSocketAddress local;
    final Receiver receiver;
    final Sender sender;
    private final Answering answering;
    private final int slot;

    private Wait wait = Wait.FIRST;
    private long deadlineNs;
    private long progressNs;
    private Stream stream;
    private int answered;
    /** This event has answered something: what is waited for next begins now. */
    private boolean answeredNow;
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
        local = transport.local();
        receiver = new Receiver(bench, this, transport);
        sender = new Sender(bench, transport);
        answering = new Answering(table, bench, this);
        progressNs = bench.nowNs;
        waitFor(Wait.FIRST, bench.nowNs, bench.config.headerTimeoutNs());
    }

    int slot() {
        return slot;
    }

    boolean isClosed() {
        return wait == Wait.CLOSED;
    }

    /** Whether what is answered next has waited behind a lane's answer. */
    boolean waitsForLane() {
        return wait == Wait.LANE;
    }

    @Override
    public void onReady(boolean readable, boolean writable) {
        if (wait == Wait.STREAM) {
            stream.onReady(readable, writable);
        } else if (wait == Wait.SEND) {
            if (writable) {
                onWritable();
            }
        } else if (readable && (wait == Wait.SOURCE || wait == Wait.DEFERRED)) {
            onReadableBesideAnswer();
        } else if (readable && wait == Wait.LANE) {
            // Whatever it is waits until the request before it is answered.
            answering.noteInput();
            transport.interest(false, false);
        } else if (readable && wait.reads) {
            onReadable();
        }
    }

    /** While the application has nothing: what shows that nobody waits for it any more. */
    private void onReadableBesideAnswer() {
        int count = bench.read(transport, bench.scratch, 0);
        if (count == Transport.FAILED) {
            close();
            return;
        }
        if (count == Transport.END) {
            receiver.noteEnd();
            if (wait == Wait.SOURCE) {
                // Whoever reads on has this long; whoever has gone would be waited for without end.
                deadlineNs = deadline(bench.nowNs, bench.config.sendTimeoutNs());
            }
        } else if (count > 0) {
            receiver.keepForLater(count);
            if (!receiver.isWithinBounds()) {
                bench.noteViolation(ProtocolViolation.MEMORY_SHORT);
                close();
                return;
            }
        }
        watchBesideAnswer();
    }

    /** The next request waits until this one's answer has ended, and so do its bytes. */
    private void watchBesideAnswer() {
        transport.interest(!receiver.isKeeping() && !receiver.isEnded(), false);
    }

    private void onReadable() {
        int count = bench.read(transport, bench.scratch, 0);
        if (count == Transport.END) {
            receiver.noteEnd();
            settle();
        } else if (count == Transport.FAILED) {
            close();
        } else if (count > 0 && wait == Wait.LINGER) {
            onLingering(count);
        } else if (count > 0) {
            bench.mayLookForEnd = answered == 0 || receiver.isKeeping();
            receiver.take(count);
            if (answeredNow || receiver.hasBegun()) {
                progressNs = bench.nowNs;
            }
            settle();
        }
    }

    /** Has the request answered, here and now or elsewhere. */
    void answer(RequestHead head) {
        answering.answer(head);
    }

    /** The job of the request that is answered elsewhere has come back from there. */
    void onReturn() {
        answering.onReturn();
    }

    /** Writes the answer behind those before it. */
    void give(Response response, RequestHead head, long startedNs) {
        answered++;
        answeredNow = true;
        boolean moreInput = receiver.hasMore();
        if (!moreInput && bench.mayLookForEnd) {
            moreInput = receiver.lookForEnd();
        }
        last = !head.keepAlive() || response.close()
                || answered == bench.config.keepaliveRequestsMax() || bench.stop.asked()
                || receiver.isEnded() && !moreInput;
        lingers = last && (moreInput || head.keepAlive() && !table.draining());
        table.writer().write(this, response, head, startedNs, ExchangeRecord.Event.RESPONSE);
    }

    /** A body is wanted, and its client waits to be told. */
    void askForBody() {
        sender.writeContinue();
    }

    /** Whether the last answer has been given. */
    boolean isOver() {
        return last;
    }

    /** The answer that is being written is the last; more may come that nobody reads. */
    void endAfterAnswer(boolean lingering) {
        last = true;
        lingers |= lingering;
    }

    /** The connection is that stream from now on, until it ends. */
    void become(Stream opened) {
        stream = opened;
        enter(Wait.STREAM);
        deadlineNs = deadline(bench.nowNs, 0);
    }

    /** Bytes behind the last answer are passed over: more of them may come. */
    void noteUnread() {
        lingers = true;
    }

    /** Whether the next request can be answered now. */
    boolean canAnswer() {
        return !last && stream == null && !answering.isEngaged() && !sender.isStuck()
                && !sender.isBroken();
    }

    /** The host's own answer to a broken rule: the last one on this connection. */
    void refuse(ProtocolViolation violation, RequestHead head) {
        bench.noteViolation(violation);
        last = true;
        lingers = true;
        table.writer().write(this, Refusals.of(violation), head, receiver.startedNs(),
                ExchangeRecord.Event.REFUSED);
        receiver.drop();
    }

    /** Sends what the event has produced, then decides what is waited for. */
    void settle() {
        if (answeredNow) {
            // Handlers take their time, and what is waited for now begins now.
            bench.nowNs = bench.clock.nanoTime();
        }
        if (stream != null) {
            // It sends by itself, and is settled before the pass ends.
            answeredNow = false;
            return;
        }
        sender.flush();
        checkHeld();
        boolean progressed = sender.takeProgress();
        if (progressed) {
            progressNs = bench.nowNs;
        }
        if (sender.isBroken()) {
            close();
        } else if (sender.waitsForSource()) {
            if (wait != Wait.SOURCE) {
                waitFor(Wait.SOURCE, bench.nowNs,
                        receiver.isEnded() ? bench.config.sendTimeoutNs() : 0);
                watchBesideAnswer();
            }
            if (!sender.isWoken()) {
                table.askSourceSoon(this);
            }
        } else if (!sender.isStuck() && answering.isAwaited()) {
            waitForAnswer();
        } else if (sender.isStuck() || !last && receiver.isUnparsed()) {
            // Unparsed requests are taken up again by the next event, as one more turn.
            if (wait != Wait.SEND || progressed) {
                waitFor(Wait.SEND, bench.nowNs, bench.config.sendTimeoutNs());
            }
        } else if (last) {
            finish();
        } else if (receiver.isEnded()) {
            // What has begun can never become whole.
            close();
        } else {
            waitForInput();
        }
        answeredNow = false;
    }

    /** What has come is being answered elsewhere. */
    private void waitForAnswer() {
        if (!answering.isDeferred()) {
            waitFor(Wait.LANE, bench.nowNs, 0);
        } else if (wait != Wait.DEFERRED || answeredNow) {
            waitFor(Wait.DEFERRED, bench.nowNs, bench.config.deferredTimeoutNs());
            watchBesideAnswer();
        }
    }

    /** Bounds what all connections of the loop keep together, whatever each is allowed. */
    private void checkHeld() {
        if (!sender.isWithinBounds()) {
            bench.noteViolation(ProtocolViolation.MEMORY_SHORT);
            sender.markBroken();
        } else if (!receiver.isWithinBounds()) {
            // In the middle of an answer, or before the one that is due, nothing else can be said.
            if (sender.isStuck() || answering.isEngaged()) {
                bench.noteViolation(ProtocolViolation.MEMORY_SHORT);
                sender.markBroken();
            } else {
                refuse(ProtocolViolation.MEMORY_SHORT, receiver.head());
                sender.flush();
            }
        }
    }

    /** Empty lines are no request: they leave the wait, and its deadline, as they were. */
    private void waitForInput() {
        if (receiver.isInBody()) {
            waitFor(Wait.BODY, receiver.bodyClockNs(), bench.config.bodyTimeoutNs());
        } else if (receiver.hasBegun()) {
            waitFor(Wait.HEAD, receiver.startedNs(), bench.config.headerTimeoutNs());
        } else if (answeredNow || wait.answers || wait == Wait.STREAM) {
            waitFor(Wait.IDLE, bench.nowNs, bench.config.idleTimeoutNs());
        }
    }

    /** Sets the deadline {@code timeoutNs} after {@code fromNs}, or none for 0. */
    private void waitFor(Wait next, long fromNs, long timeoutNs) {
        if (next == Wait.LANE && wait != Wait.LANE) {
            // A client that waits for its answer sends nothing: watching on costs no call.
            transport.interest(wait.reads, false);
        } else if (next != wait) {
            transport.interest(next.reads, next == Wait.SEND);
        }
        enter(next);
        deadlineNs = deadline(fromNs, timeoutNs);
    }

    private static long deadline(long fromNs, long timeoutNs) {
        return fromNs + (timeoutNs == 0 ? NO_DEADLINE_NS : timeoutNs);
    }

    private void enter(Wait next) {
        if ((next == Wait.IDLE) != (wait == Wait.IDLE)) {
            bench.observer.onIdle(bench.loop, next == Wait.IDLE ? 1 : -1);
        }
        wait = next;
    }

    /** The socket takes more; once all of it is out, what came meanwhile is answered. */
    private void onWritable() {
        bench.mayLookForEnd = true;
        answering.noteInput();
        sender.flush();
        resume();
    }

    /** Takes up what came while an answer was stuck, or a stream was open. */
    private void resume() {
        if (answering.hasReturned() && !sender.isStuck() && !sender.isBroken()) {
            answering.giveReturned();
            return;
        }
        if (canAnswer()) {
            receiver.resume();
        }
        settle();
    }

    /** The last answer is out: close, or first let the peer read it. */
    private void finish() {
        if (!lingers || receiver.isEnded() || !transport.shutdownOutput()) {
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

    /** The source is asked again, if it is what is waited for. */
    void onSourceDue() {
        if (wait == Wait.SOURCE) {
            sender.askAgain();
            onWritable();
        }
    }

    /** The stream has sent something. */
    void noteProgress() {
        progressNs = bench.nowNs;
    }

    /** The stream has read the peer's FIN. */
    void noteInputEnd() {
        receiver.noteEnd();
    }

    /** So many bytes of the scratch belong to a request behind the stream. */
    void keepForLater(int count) {
        receiver.keepForLater(count);
        if (!receiver.isWithinBounds()) {
            bench.noteViolation(ProtocolViolation.MEMORY_SHORT);
            stream.cut();
        }
    }

    /** The stream is to end, and its peer has as long to take the rest as for any answer. */
    void onStreamEnding() {
        progressNs = bench.nowNs;
        deadlineNs = deadline(bench.nowNs, bench.config.sendTimeoutNs());
    }

    /**
     * The stream is over.
     *
     * @param whole whether its end has been said; otherwise nothing more can be
     */
    void onStreamEnd(boolean whole) {
        Stream ended = stream;
        stream = null;
        ended.onEnd();
        if (!whole) {
            close();
            return;
        }
        last |= ended.endsConnection() || table.draining();
        lingers |= ended.endsConnection() || receiver.isKeeping();
        answeredNow = true;
        progressNs = bench.nowNs;
        if (last) {
            receiver.drop();
        }
        resume();
    }

    Stream stream() {
        return stream;
    }

    /**
     * Looks at the deadlines: called once a second, more often in a drain. An answer that has stood
     * still for a second is tried once more first: Linux reports room only when a third of a
     * socket's buffer is free, so a steady but slow reader shows its progress to a write alone.
     */
    void onTime() {
        if (wait == Wait.SEND && bench.nowNs - progressNs >= NS_PER_SECOND) {
            if (sender.isStuck()) {
                sender.fillSocket();
            }
            onWritable();
        } else if (wait == Wait.STREAM) {
            stream.onSweep();
        } else if (wait == Wait.LANE) {
            answering.recall();
        }
        if (bench.nowNs - deadlineNs >= 0) {
            onDeadline();
        } else if (table.draining()) {
            onDrainSweep();
        }
    }

    /** A large answer begun before the drain could not say close: its end is as good. */
    private void onDrainSweep() {
        if (wait == Wait.IDLE) {
            onDrain();
        } else if (!wait.answers && !awaitsEcho()
                && bench.nowNs - progressNs >= DRAIN_PATIENCE_NS) {
            close();
        }
    }

    private boolean awaitsEcho() {
        return wait == Wait.STREAM && stream.awaitsEcho();
    }

    private void onDeadline() {
        switch (wait) {
            case HEAD -> {
                refuse(ProtocolViolation.HEADER_TIMEOUT, receiver.head());
                settle();
            }
            case BODY -> {
                refuse(ProtocolViolation.BODY_TIMEOUT, receiver.head());
                settle();
            }
            case DEFERRED -> {
                if (!answering.tryExpire()) {
                    // It is on its way.
                    deadlineNs = deadline(bench.nowNs, 0);
                }
            }
            case FIRST, IDLE, LANE, SEND, SOURCE, STREAM, LINGER, CLOSED -> close();
        }
    }

    /** The drain begins: what has come already is served, and an idle connection goes. */
    void onDrain() {
        if (wait == Wait.STREAM) {
            stream.beginFarewell();
        } else if (wait.reads && wait != Wait.LINGER) {
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
        enter(Wait.CLOSED);
        if (stream != null) {
            Stream cut = stream;
            stream = null;
            cut.onEnd();
        }
        sender.close();
        receiver.drop();
        transport.close();
        if (!answering.abandon()) {
            table.release(this);
        }
    }
}
