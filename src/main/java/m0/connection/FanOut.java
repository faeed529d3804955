package m0.connection;

import java.nio.ByteBuffer;
import m0.bus.FrameSink;
import m0.bytes.GrowableBytes;
import m0.sse.SseFrames;
import m0.stream.Registry.Channel;
import m0.stream.StreamFrame;
import m0.ws.WsFrames;

/**
 * Takes the bus's frames to the streams of one loop: each frame is encoded once for all event
 * streams, which share the bytes with the journal, and once for all WebSockets, if there are any.
 *
 * <p>Threads: the loop's.
 */
final class FanOut implements FrameSink {
    /** An array larger than this is given back when its frame is encoded. */
    private static final int KEPT_BYTES_MAX = 16 * 1024;

    private final LoopStreams streams;
    private final GrowableBytes encoded = new GrowableBytes();

    FanOut(LoopStreams streams) {
        this.streams = streams;
    }

    @Override
    public void onFrame(long id, String channel, String event, ByteBuffer data) {
        streams.tellFrame(channel, id, data);
        SseFrames.appendEvent(encoded, id, event, data.duplicate());
        StreamFrame frame = StreamFrame.of(id, encoded.array(), encoded.length());
        encoded.clear();
        encoded.shed(KEPT_BYTES_MAX);
        streams.journal().add(channel, frame);
        Channel<Stream> members = streams.registry().channel(channel);
        if (members != null) {
            deliver(members, frame, data);
        }
    }

    private void deliver(Channel<Stream> members, StreamFrame frame, ByteBuffer data) {
        byte[] message = null;
        // From the end, since a member that is refused may leave: the last then takes its place.
        for (int index = members.size() - 1; index >= 0; index--) {
            Stream member = members.member(index);
            if (member instanceof EventStream events) {
                events.deliver(frame);
            } else if (member instanceof WebSocketStream webSocket) {
                if (message == null) {
                    message = streams.bench().frame(WsFrames.opcodeOf(data), data.duplicate());
                }
                webSocket.deliver(message);
            }
        }
    }

    /** Frames up to that id may be missing: who needs each of them comes back and asks. */
    @Override
    public void onLost(long id) {
        streams.onFramesLost(id);
    }
}
