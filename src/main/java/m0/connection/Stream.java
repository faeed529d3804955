package m0.connection;

import java.util.ArrayList;
import java.util.List;
import m0.loop.Transport;
import m0.stream.Outbox;
import m0.stream.Registry.Subscription;
import m0.stream.StreamId;

/**
 * A connection that has become a stream: what it still has to send, and how it ends.
 *
 * <pre>
 *   open ── end asked for, by either side ──► ending ── outbox sent ──► ended, whole
 *    │                                          │
 *    └── the peer has gone, or is too slow ─────┴─────────────────────► ended, cut
 * </pre>
 *
 * <p>Whatever happens to it is only noted where it happens, and done when the stream is settled: at
 * the end of its event, or of the loop's pass.
 *
 * <p>Threads: the loop's. Owns: its outbox and subscriptions.
 */
abstract class Stream {
    /** Slices sent for one event or pass: a fast reader of much shares the loop. */
    private static final int SLICES_MAX = 4;

    final Workbench bench;
    final LoopStreams streams;
    final Connection connection;
    final Transport transport;
    final StreamId id;
    final Outbox outbox;
    /** The access log's record, or null where none is wanted. */
    private final ExchangeRecord record;
    private final List<Subscription<Stream>> subscriptions = new ArrayList<>(1);
    private final long openedNs;
    private long sentBytes;
    /** What the bench has counted of the outbox. */
    private long countedBytes;
    private boolean noted;
    private boolean ending;
    private boolean cut;
    private boolean ended;

    /** The queue it waits in, or null, with its neighbours there. */
    DueQueue queue;
    long dueNs;
    Stream earlier;
    Stream later;

    Stream(LoopStreams streams, Connection connection, Transport transport, StreamId id,
            ExchangeRecord record) {
        this.streams = streams;
        this.bench = streams.bench();
        this.connection = connection;
        this.transport = transport;
        this.id = id;
        this.record = record;
        openedNs = bench.clock.nanoTime();
        outbox = new Outbox(bench.config.streams().outboxBytesMax());
    }

    /** Bytes may be read. */
    abstract void onReadable();

    /** A heartbeat is due; it is armed again already. */
    abstract void onHeartbeat();

    /** A second has passed. */
    abstract void onSweep();

    /** A frame of its channels did not reach it: its policy decides what follows. */
    abstract void onFrameMissed();

    /** What a drain says to the peer before it ends the stream. */
    abstract void beginFarewell();

    /** The application closes it; the code is a WebSocket's. */
    abstract void close(int code);

    /** Whether more of the peer's bytes are wanted. */
    abstract boolean wantsInput();

    /** Takes up what was kept back while the outbox was full or the application busy. */
    abstract void takeHeldInput();

    /** What else the application is told before it hears that the stream has ended. */
    abstract void beforeClosed();

    /** What was kept of the peer's bytes is no longer needed. */
    abstract void forgetInput();

    /** Whether the peer is to answer a close, for which it has its own time. */
    abstract boolean awaitsEcho();

    /** Whether nothing can follow it on its connection, however it ends. */
    abstract boolean endsConnection();

    final void onReady(boolean readable, boolean writable) {
        if (writable) {
            flush();
        }
        if (readable && isOpenForInput()) {
            onReadable();
        }
        settle();
    }

    private boolean isOpenForInput() {
        return !cut && !ended && wantsInput();
    }

    /** Adds bytes, which fit or are the host's own; false where the stream takes no more. */
    final boolean add(byte[] array, int offset, int length) {
        if (ending || cut || ended) {
            return false;
        }
        outbox.add(array, offset, length);
        count();
        streams.note(this);
        return true;
    }

    /** Whether so many bytes fit, once what the socket takes has gone. */
    final boolean hasRoom(int length) {
        if (!fits(length)) {
            flush();
        }
        return fits(length);
    }

    private boolean fits(int length) {
        if (bench.streamsHoldTooMuch()) {
            return outbox.isEmpty() && length <= bench.config.streams().outboxBytesMax();
        }
        return outbox.fits(length);
    }

    /** What was added so far is the last; the stream ends when it is out. */
    final void end() {
        ending = true;
        streams.note(this);
    }

    /** The stream ends without another byte. */
    final void cut() {
        cut = true;
        streams.note(this);
    }

    final boolean isEnding() {
        return ending || cut || ended;
    }

    final void subscribe(String channel) {
        subscriptions.add(streams.registry().join(channel, this));
    }

    final boolean isSubscribedTo(String channel) {
        for (Subscription<Stream> subscription : subscriptions) {
            if (subscription.channel().equals(channel)) {
                return true;
            }
        }
        return false;
    }

    final boolean hasSubscriptions() {
        return !subscriptions.isEmpty();
    }

    final void unsubscribeAll() {
        for (Subscription<Stream> subscription : subscriptions) {
            streams.registry().leave(subscription);
        }
        subscriptions.clear();
    }

    /** Whether it is to be settled already; the answer is yes from now on. */
    final boolean noteOnce() {
        boolean before = noted;
        noted = true;
        return before;
    }

    /** Sends what is there, and does what was noted. */
    final void settle() {
        noted = false;
        if (ended) {
            return;
        }
        flush();
        if (!cut) {
            takeHeldInput();
            flush();
        }
        if (cut) {
            connection.onStreamEnd(false);
        } else if (ending && outbox.isEmpty()) {
            connection.onStreamEnd(true);
        } else {
            transport.interest(wantsInput(), !outbox.isEmpty());
        }
    }

    private void flush() {
        for (int turn = 0; turn < SLICES_MAX && !cut && !outbox.isEmpty(); turn++) {
            int wanted = (int) Math.min(outbox.bytes(), Workbench.SLICE_BYTES);
            int sent = bench.send(transport, outbox);
            if (sent == Transport.FAILED) {
                cut();
            } else if (sent > 0) {
                sentBytes += sent;
                connection.noteProgress();
            }
            if (sent < wanted) {
                break;
            }
        }
        count();
    }

    private void count() {
        bench.countStreamBytes(outbox.bytes() - countedBytes);
        countedBytes = outbox.bytes();
    }

    /** Forgets everything; the application and the log are told, once. */
    final void onEnd() {
        ended = true;
        if (queue != null) {
            queue.disarm(this);
        }
        unsubscribeAll();
        outbox.clear();
        count();
        forgetInput();
        beforeClosed();
        if (record != null) {
            record.event = ExchangeRecord.Event.STREAM_CLOSE;
            record.bytes = sentBytes;
            // The record has what the request took until the stream was opened.
            record.durationNs += bench.clock.nanoTime() - openedNs;
            bench.observer.onExchange(record);
        }
        streams.tellClosed(this);
    }
}
