package m0.app;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import m0.stream.StreamId;

/** Keeps what an application asks of its streams, one line a call, for tests. */
public final class FakeStreams implements Streams {
    private final List<String> calls = new ArrayList<>();
    private final Set<StreamId> closed = new HashSet<>();
    private boolean full;

    /** Whether each stream's outbox is full from now on. */
    public void full(boolean now) {
        full = now;
    }

    @Override
    public boolean subscribe(StreamId stream, String channel) {
        return done(stream, "subscribe " + stream.slot() + " " + channel);
    }

    @Override
    public boolean send(StreamId stream, int opcode, ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return !full && done(stream, "send " + stream.slot() + " " + opcode + " "
                + new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public boolean close(StreamId stream, int code) {
        return done(stream, "close " + stream.slot() + " " + code) && closed.add(stream);
    }

    @Override
    public boolean resume(StreamId stream) {
        return done(stream, "resume " + stream.slot());
    }

    private boolean done(StreamId stream, String call) {
        return !closed.contains(stream) && calls.add(call);
    }

    /** The calls that were granted since the last one, such as {@code send 3 1 hello}. */
    public List<String> take() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }
}
