package m0.connection;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.app.Streams;
import m0.http.Request;
import m0.stream.Journal;
import m0.stream.Registry;
import m0.stream.StreamId;

/**
 * The streams of one loop: what the application may do with them, whom it is told about, and which
 * of them have something to be done at the end of a pass.
 *
 * <p>It is made before the handler, which may keep it, and works once the loop's connections exist.
 *
 * <p>Threads: the loop's; a call of the application from another one throws. Errors: what a hook
 * throws is told to the observer, and the stream it was about is closed.
 */
public final class LoopStreams implements Streams {
    /** How long the peer of a closed WebSocket may take to say its own close. */
    private static final long CLOSE_ECHO_NS = 2_000_000_000L;
    private static final int CODE_FAILED = 1011;

    private final Registry<Stream> registry = new Registry<>();
    private final DueQueue closing = new DueQueue(CLOSE_ECHO_NS);
    /** Streams to be settled; grows while it is worked through. */
    private final List<Stream> noted = new ArrayList<>();
    private Thread owner;
    private Connections table;
    private Workbench bench;
    private AppHandler handler;
    private Journal journal;
    private DueQueue heartbeats;

    /** Called once, by the loop's thread, before the first pass. */
    void attach(Connections connections, Workbench workbench, long headId) {
        owner = Thread.currentThread();
        table = connections;
        bench = workbench;
        handler = workbench.handler;
        StreamConfig config = workbench.config.streams();
        journal = new Journal(config.replayFrames(), config.journalBytesMax(), headId);
        heartbeats = new DueQueue(config.heartbeatNs());
    }

    @Override
    public boolean subscribe(StreamId id, String channel) {
        Stream stream = find(id);
        if (stream == null || stream.isEnding()) {
            return false;
        }
        if (!stream.isSubscribedTo(channel)) {
            stream.subscribe(channel);
        }
        return true;
    }

    @Override
    public boolean send(StreamId id, int opcode, ByteBuffer payload) {
        if (opcode != 1 && opcode != 2) {
            throw new IllegalArgumentException("opcode=" + opcode + " is neither 1 nor 2");
        }
        int bytesMax = bench.config.streams().messageBytesMax();
        if (payload.remaining() > bytesMax) {
            throw new IllegalArgumentException("a message of " + payload.remaining()
                    + " bytes is over M0_MAX_MESSAGE, " + bytesMax);
        }
        return find(id) instanceof WebSocketStream webSocket && webSocket.send(opcode, payload);
    }

    @Override
    public boolean close(StreamId id, int code) {
        Stream stream = find(id);
        if (stream == null || stream.isEnding()) {
            return false;
        }
        stream.close(code);
        return true;
    }

    @Override
    public boolean resume(StreamId id) {
        if (find(id) instanceof WebSocketStream webSocket) {
            webSocket.resume();
            return true;
        }
        return false;
    }

    /** The open stream of that name, or null. */
    private Stream find(StreamId id) {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("streams belong to their loop's thread, and this is "
                    + Thread.currentThread().getName());
        }
        return id.loop() == bench.loop ? table.stream(id) : null;
    }

    Workbench bench() {
        return bench;
    }

    Registry<Stream> registry() {
        return registry;
    }

    Journal journal() {
        return journal;
    }

    /** The stream has something to be done before the pass ends. */
    void note(Stream stream) {
        if (!stream.noteOnce()) {
            noted.add(stream);
        }
    }

    /** Settles what was noted, and what that brings about. */
    void flush() {
        for (int index = 0; index < noted.size(); index++) {
            noted.get(index).settle();
        }
        noted.clear();
    }

    void countDropped() {
        bench.observer.onFrameDropped(bench.loop);
    }

    /** A stream has opened: it has its head, and gets what is published from now on. */
    void onOpen(Stream stream, Request request) {
        if (bench.config.streams().heartbeatNs() > 0) {
            heartbeats.arm(stream, bench.nowNs);
        }
        try {
            handler.streamOpened(stream.id, request);
        } catch (Exception failure) {
            onFailure("streamOpened", failure);
            stream.close(CODE_FAILED);
        }
    }

    void tellClosed(Stream stream) {
        try {
            handler.streamClosed(stream.id);
        } catch (Exception failure) {
            onFailure("streamClosed", failure);
        }
    }

    /** Offers a message; false for "not now". */
    boolean tellMessage(WebSocketStream stream, int opcode, ByteBuffer payload) {
        try {
            return handler.webSocketMessage(stream.id, opcode, payload);
        } catch (Exception failure) {
            onFailure("webSocketMessage", failure);
            stream.close(CODE_FAILED);
            return true;
        }
    }

    void tellPeerClosed(WebSocketStream stream, int code) {
        try {
            handler.webSocketClosed(stream.id, code);
        } catch (Exception failure) {
            onFailure("webSocketClosed", failure);
        }
    }

    void tellFrame(String channel, long id, ByteBuffer frame) {
        try {
            handler.peerFrame(channel, id, frame.asReadOnlyBuffer());
        } catch (Exception failure) {
            onFailure("peerFrame", failure);
        }
    }

    void tellTick(long nowMs) {
        try {
            handler.tick(nowMs);
        } catch (Exception failure) {
            onFailure("tick", failure);
        }
    }

    private void onFailure(String hook, Exception failure) {
        bench.observer.onHookFailure(bench.loop, hook, failure);
    }

    void armClosing(WebSocketStream stream) {
        if (stream.queue != null) {
            stream.queue.disarm(stream);
        }
        closing.arm(stream, bench.nowNs);
    }

    /** Does what is due; nanoseconds until the next thing is. */
    long runTimers(long nowNs) {
        Stream due = heartbeats.pollDue(nowNs);
        while (due != null) {
            heartbeats.arm(due, nowNs);
            due.onHeartbeat();
            due = heartbeats.pollDue(nowNs);
        }
        due = closing.pollDue(nowNs);
        while (due != null) {
            ((WebSocketStream) due).onCloseOverdue();
            due = closing.pollDue(nowNs);
        }
        return Math.min(heartbeats.untilDueNs(nowNs), closing.untilDueNs(nowNs));
    }

    /** Some frames have missed this loop, and nobody knows of which channels. */
    void onFramesLost(long id) {
        journal.lost(id);
        table.onFramesMissed();
    }
}
