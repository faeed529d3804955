package m0.connection;

import java.util.concurrent.ThreadLocalRandom;
import m0.bytes.GrowableBytes;
import m0.http.StreamPolicy;
import m0.loop.Transport;
import m0.sse.SseFrames;
import m0.stream.StreamFrame;
import m0.stream.StreamId;

/**
 * A Server-Sent Events stream: frames out, and nothing in.
 *
 * <p>A FIN ends the requests, not the stream: a client may have shut its writing side and go on
 * reading. One that has really gone answers the next bytes with a reset, which the bytes after those
 * show; so a FIN is followed by a heartbeat at once and another a second later.
 */
final class EventStream extends Stream {
    private static final StreamFrame HEARTBEAT =
            StreamFrame.of(0, SseFrames.HEARTBEAT, SseFrames.HEARTBEAT.length);
    static final StreamFrame GAP = StreamFrame.of(0, SseFrames.GAP, SseFrames.GAP.length);
    /** Clients of one host come back within this time of its end, and not all at once. */
    private static final int RETRY_MS_MIN = 500;
    private static final int RETRY_MS_MAX = 3000;

    private final StreamPolicy policy;
    private final boolean chunked;
    /** Frames up to this id the client has seen already. */
    private final long seenId;
    /** Whether the peer's bytes are still read: not behind a FIN, nor in front of a next request. */
    private boolean reads;
    private boolean probes;

    /**
     * @param chunked whether frames go out as chunks, or bare and ended by the connection
     * @param seenId the highest id that this client need not be sent
     */
    EventStream(LoopStreams streams, Connection connection, Transport transport, StreamId id,
            ExchangeRecord record, StreamPolicy policy, boolean chunked, long seenId,
            boolean reads) {
        super(streams, connection, transport, id, record);
        this.policy = policy;
        this.chunked = chunked;
        this.seenId = seenId;
        this.reads = reads;
    }

    /** Takes a frame of the bus, or does what its policy says. */
    void deliver(StreamFrame frame) {
        if (frame.id() <= seenId || isEnding()) {
            return;
        }
        if (hasRoom(frame.bytes().length)) {
            addFrame(frame);
        } else {
            streams.countDropped();
            onFrameMissed();
        }
    }

    /** Cut, and not ended in order: what its client has not read it can have replayed. */
    @Override
    void onFrameMissed() {
        switch (policy) {
            case LATEST -> { }
            case LOG -> cut();
        }
    }

    void addFrame(StreamFrame frame) {
        if (chunked) {
            add(frame.bytes(), 0, frame.bytes().length);
        } else {
            add(frame.bytes(), frame.payloadFrom(), frame.payloadTo() - frame.payloadFrom());
        }
    }

    /** Adds what goes out in front of all frames, and uses up nothing of the outbox's bound. */
    void addFirst(StreamFrame frame) {
        int from = chunked ? 0 : frame.payloadFrom();
        int to = chunked ? frame.bytes().length : frame.payloadTo();
        outbox.addUncounted(frame.bytes(), from, to - from);
    }

    @Override
    void onReadable() {
        int count = bench.read(transport, bench.scratch, 0);
        if (count == Transport.FAILED) {
            cut();
        } else if (count == Transport.END) {
            reads = false;
            connection.noteInputEnd();
            beginProbe();
        } else if (count > 0) {
            // The next request waits until this stream has ended, most of it in the socket.
            reads = false;
            connection.keepForLater(count);
        }
    }

    void beginProbe() {
        probes = true;
        addFrame(HEARTBEAT);
    }

    @Override
    void onSweep() {
        if (probes) {
            probes = false;
            onHeartbeat();
        }
    }

    /** A peer that takes nothing anyway is not sent comments on top. */
    @Override
    void onHeartbeat() {
        if (hasRoom(HEARTBEAT.bytes().length)) {
            addFrame(HEARTBEAT);
        }
    }

    @Override
    void beginFarewell() {
        GrowableBytes farewell = new GrowableBytes();
        SseFrames.appendFarewell(farewell,
                ThreadLocalRandom.current().nextInt(RETRY_MS_MIN, RETRY_MS_MAX + 1));
        addFrame(StreamFrame.of(0, farewell.array(), farewell.length()));
        close(0);
    }

    @Override
    void close(int code) {
        if (!isEnding()) {
            if (chunked) {
                add(Outbound.LAST_CHUNK, 0, Outbound.LAST_CHUNK.length);
            }
            unsubscribeAll();
            end();
            connection.onStreamEnding();
        }
    }

    @Override
    boolean wantsInput() {
        return reads;
    }

    @Override
    void takeHeldInput() {
        // What follows is the next request, which the connection keeps.
    }

    @Override
    void beforeClosed() {
        // How an event stream ends says nothing that its end does not.
    }

    @Override
    void forgetInput() {
        // The connection keeps the next request, and counts it.
    }

    @Override
    boolean awaitsEcho() {
        return false;
    }

    @Override
    boolean endsConnection() {
        return !chunked;
    }
}
