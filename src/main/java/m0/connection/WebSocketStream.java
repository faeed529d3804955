package m0.connection;

import java.nio.ByteBuffer;
import m0.bytes.GrowableBytes;
import m0.http.StreamPolicy;
import m0.http.parse.ProtocolViolation;
import m0.loop.Transport;
import m0.stream.StreamId;
import m0.ws.CloseCode;
import m0.ws.MessageReader;
import m0.ws.MessageSink;
import m0.ws.WsFrames;

/**
 * A WebSocket (RFC 6455): messages both ways, and a close that both sides say.
 *
 * <p>What the peer sends is read only as far as it can be answered: not while the outbox is more than
 * half full, and not behind a message for which the application had no time. What was read already
 * waits here, a message in the reader and at most one read behind it.
 */
final class WebSocketStream extends Stream implements MessageSink {
    /** Heartbeats without a byte from the peer until it counts as gone. */
    private static final int QUIET_HEARTBEATS_MAX = 2;
    /** What the application is told where no close frame came (RFC 6455 §7.1.5). */
    private static final int PEER_GONE = 1006;
    /** Registered for a server that cannot serve this client now. */
    private static final int TRY_AGAIN_LATER = 1013;

    private final MessageReader reader;
    private final StreamPolicy policy;
    /** Bytes behind a message that is held. */
    private final GrowableBytes unread = new GrowableBytes();
    private boolean suspended;
    /** A send was refused for want of room: an empty outbox ends the suspension. */
    private boolean refusedToSend;
    private boolean closeSent;
    private boolean closeReceived;
    private boolean goneTold;
    private int quietHeartbeats;
    /** What the bench has counted of the input that is kept. */
    private long heldBytes;

    WebSocketStream(LoopStreams streams, Connection connection, Transport transport, StreamId id,
            ExchangeRecord record, StreamPolicy policy, int messageBytesMax) {
        super(streams, connection, transport, id, record);
        this.policy = policy;
        reader = new MessageReader(messageBytesMax);
    }

    /** Takes the peer's bytes, as far as they can be answered. */
    void take(byte[] array, int from, int to) {
        quietHeartbeats = 0;
        int at = reader.read(array, from, to, bench.nowNs, this);
        if (at < to && !reader.isEnded()) {
            unread.append(array, at, to - at);
        }
        checkHeld();
    }

    /** A message that is not whole, or not wanted yet, counts like a request that is incomplete. */
    private void checkHeld() {
        long change = reader.capacity() + unread.capacity() - heldBytes;
        heldBytes += change;
        if (!bench.holds(change) && change > 0 && !closeSent) {
            bench.noteViolation(ProtocolViolation.MEMORY_SHORT);
            sayClose(TRY_AGAIN_LATER, "memory");
            end();
        }
    }

    @Override
    void forgetInput() {
        bench.holds(-heldBytes);
        heldBytes = 0;
    }

    @Override
    void onReadable() {
        int count = bench.read(transport, bench.scratch, 0);
        if (count > 0) {
            take(bench.scratch, 0, count);
        } else if (count == Transport.END) {
            onInputEnd();
        } else if (count != 0) {
            cut();
        }
    }

    /**
     * The peer has sent its FIN and no close frame. It may still read what has been answered, for as
     * long as the echo of a close may take.
     */
    void onInputEnd() {
        if (!closeSent && !isEnding()) {
            tellGone();
            streams.armClosing(this);
        }
        end();
    }

    /** However it showed that the peer has gone, by a read, a write or a silence: told here, once. */
    @Override
    void beforeClosed() {
        if (!closeReceived && !closeSent) {
            tellGone();
        }
    }

    private void tellGone() {
        if (!goneTold) {
            goneTold = true;
            streams.tellPeerClosed(this, PEER_GONE);
        }
    }

    @Override
    boolean wantsInput() {
        return !isEnding() && !suspended && !reader.isEnded() && !reader.holdsMessage()
                && !outbox.isHalfFull();
    }

    @Override
    void takeHeldInput() {
        if (suspended && refusedToSend && outbox.isEmpty() && !bench.streamsHoldTooMuch()) {
            suspended = false;
        }
        if ((reader.holdsMessage() || unread.length() > 0) && !suspended
                && !outbox.isHalfFull() && !reader.isEnded()) {
            int at = reader.read(unread.array(), 0, unread.length(), bench.nowNs, this);
            unread.discard(at);
            unread.shed(0);
            checkHeld();
            if (!suspended) {
                streams.note(this);
            }
        }
    }

    @Override
    public boolean onMessage(int opcode, ByteBuffer payload) {
        if (closeSent) {
            return true;
        }
        if (outbox.isHalfFull()) {
            return false;
        }
        refusedToSend = false;
        suspended = !streams.tellMessage(this, opcode, payload);
        return !suspended;
    }

    @Override
    public void onPing(ByteBuffer payload) {
        if (!closeSent) {
            addFrame(WsFrames.PONG, payload);
        }
    }

    @Override
    public void onPong(ByteBuffer payload) {
        // Any byte that came has shown already that the peer is there.
    }

    @Override
    public void onClose(int code) {
        closeReceived = true;
        if (!closeSent) {
            streams.tellPeerClosed(this, code);
            sayClose(code, "");
        }
        end();
    }

    @Override
    public void onViolation(int closeCode, String kind) {
        bench.observer.onFrameViolation(bench.loop, kind);
        sayClose(closeCode, kind);
        end();
    }

    /** Sends one message of the application; false where it does not fit, or all is over. */
    boolean send(int opcode, ByteBuffer payload) {
        if (closeSent || isEnding()) {
            return false;
        }
        if (!hasRoom(WsFrames.HEAD_BYTES_MAX + payload.remaining())) {
            refusedToSend = true;
            return false;
        }
        return addFrame(opcode, payload);
    }

    /** Takes a frame of the bus, encoded for all, or does what its policy says. */
    void deliver(byte[] frame) {
        if (closeSent || isEnding()) {
            return;
        }
        if (hasRoom(frame.length)) {
            add(frame, 0, frame.length);
            return;
        }
        streams.countDropped();
        onFrameMissed();
    }

    @Override
    void onFrameMissed() {
        switch (policy) {
            case LATEST -> { }
            case LOG -> sayClose(TRY_AGAIN_LATER, "too slow");
        }
    }

    private boolean addFrame(int opcode, ByteBuffer payload) {
        byte[] frame = bench.frame(opcode, payload);
        return add(frame, 0, frame.length);
    }

    /** Reads on after "not now". */
    void resume() {
        suspended = false;
        streams.note(this);
    }

    @Override
    void onHeartbeat() {
        if (closeSent) {
            return;
        }
        if (wantsInput() && ++quietHeartbeats > QUIET_HEARTBEATS_MAX) {
            cut();
        } else if (hasRoom(WsFrames.HEAD_BYTES_MAX)) {
            addFrame(WsFrames.PING, ByteBuffer.allocate(0));
        }
    }

    @Override
    void onSweep() {
        // Where it was the memory of all streams that was short, nothing else tells of its end.
        if (suspended && refusedToSend) {
            streams.note(this);
        }
    }

    @Override
    void beginFarewell() {
        close(CloseCode.GOING_AWAY);
    }

    @Override
    void close(int code) {
        sayClose(code, "");
    }

    /** The last frame; the echo is waited for as long as the queue of closing streams says. */
    private void sayClose(int code, String reason) {
        if (closeSent || isEnding()) {
            return;
        }
        GrowableBytes frame = new GrowableBytes();
        WsFrames.appendClose(frame, code, reason);
        add(frame.array(), 0, frame.length());
        closeSent = true;
        // The echo may stand behind messages for which there was no time, and which nobody hears now.
        suspended = false;
        unsubscribeAll();
        streams.armClosing(this);
    }

    /** The echo has not come in time. */
    void onCloseOverdue() {
        if (outbox.isEmpty()) {
            end();
        } else {
            cut();
        }
    }

    @Override
    boolean awaitsEcho() {
        return closeSent && !closeReceived;
    }

    @Override
    boolean endsConnection() {
        return true;
    }
}
