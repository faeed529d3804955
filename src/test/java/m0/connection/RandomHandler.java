package m0.connection;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import m0.app.AppHandler;
import m0.bus.Bus;
import m0.http.ChunkSource;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.stream.StreamId;

/**
 * An application that answers with every kind of body, and from within any hook closes, sends,
 * subscribes, publishes or throws. It fails the test where a hook comes twice or at a wrong time.
 */
final class RandomHandler implements AppHandler {
    private final Random random;
    private final Set<StreamId> ever = new HashSet<>();
    private final Set<StreamId> closedByPeer = new HashSet<>();
    final Set<StreamId> open = new LinkedHashSet<>();
    int sourcesOpen;
    LoopStreams streams;
    Bus bus;

    RandomHandler(Random random) {
        this.random = random;
    }

    @Override
    public Response handle(Request request) {
        if (random.nextInt(6) == 0) {
            act(anyStream());
        }
        StreamPolicy policy = random.nextBoolean() ? StreamPolicy.LOG : StreamPolicy.LATEST;
        return switch (request.path()) {
            case "/events" -> Response.status(200).events(channel(), policy, random.nextBoolean(),
                    List.of(new byte[] {'i', '\n', '\n'})).build();
            case "/socket" -> Response.status(200).webSocket("", 0, policy).build();
            case "/chunks" -> Response.status(200).chunks(new Source()).build();
            case "/bytes" -> Response.status(200).body(new byte[random.nextInt(200_000)]).build();
            case "/throws" -> throw new IllegalStateException("handle");
            default -> Response.text(200, "ok");
        };
    }

    @Override
    public void streamOpened(StreamId stream, Request request) {
        check(ever.add(stream), "opened twice");
        open.add(stream);
        act(stream);
    }

    @Override
    public void streamClosed(StreamId stream) {
        check(open.remove(stream), "closed without having been open");
        act(anyStream());
    }

    @Override
    public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        check(open.contains(stream), "a message of a stream that is closed");
        act(stream);
        return switch (random.nextInt(5)) {
            case 0 -> false;
            case 1 -> true;
            default -> streams.send(stream, opcode, payload);
        };
    }

    @Override
    public void webSocketClosed(StreamId stream, int code) {
        check(open.contains(stream), "a close of a stream that is closed");
        check(closedByPeer.add(stream), "closed by its peer twice");
        act(stream);
    }

    @Override
    public void peerFrame(String channel, long id, ByteBuffer frame) {
        // Whoever publishes because of what was published never comes to an end.
        if (random.nextInt(5) == 0) {
            act(anyStream(), false);
        }
    }

    @Override
    public long tickMs() {
        return 300;
    }

    @Override
    public void tick(long nowMs) {
        for (StreamId stream : List.copyOf(open)) {
            if (random.nextBoolean()) {
                streams.resume(stream);
            }
        }
        if (random.nextInt(3) == 0) {
            act(anyStream());
        }
    }

    private void act(StreamId stream) {
        act(stream, true);
    }

    private void act(StreamId stream, boolean publishes) {
        switch (random.nextInt(14)) {
            case 0 -> streams.close(stream, 1000);
            case 1 -> streams.close(anyStream(), 4000);
            case 2 -> streams.send(anyStream(), 1, ByteBuffer.wrap(new byte[random.nextInt(1500)]));
            case 3 -> streams.send(stream, 2, ByteBuffer.wrap(new byte[random.nextInt(300)]));
            case 4 -> streams.resume(anyStream());
            case 5 -> streams.subscribe(anyStream(), channel());
            case 6 -> publish(publishes);
            case 7 -> {
                if (random.nextInt(3) == 0) {
                    throw new IllegalStateException("hook");
                }
            }
            default -> { }
        }
    }

    private void publish(boolean publishes) {
        if (publishes) {
            bus.publisher().publish(channel(), "e", ByteBuffer.wrap(new byte[] {'x'}));
        }
    }

    String channel() {
        return "c" + random.nextInt(3);
    }

    /** One that is open, or, where none is, perhaps one that never was. */
    private StreamId anyStream() {
        return open.isEmpty() ? new StreamId(0, random.nextInt(5), random.nextInt(3))
                : new ArrayList<>(open).get(random.nextInt(open.size()));
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /** Has nothing at times, throws at times, also when it is closed. */
    private final class Source implements ChunkSource {
        private int turns = random.nextInt(6);
        private boolean closed;

        Source() {
            sourcesOpen++;
        }

        @Override
        public boolean next(ByteBuffer into) {
            check(!closed, "a closed source was asked");
            if (random.nextInt(20) == 0) {
                throw new IllegalStateException("next");
            }
            int bytes = random.nextInt(10) == 0 ? into.remaining()
                    : random.nextInt(4) == 0 ? 0 : random.nextInt(200);
            into.put(new byte[bytes]);
            turns -= bytes > 0 ? 1 : 0;
            return turns > 0;
        }

        @Override
        public void close() {
            check(!closed, "a source was closed twice");
            closed = true;
            sourcesOpen--;
            if (random.nextInt(10) == 0) {
                throw new IllegalStateException("close");
            }
        }
    }
}
