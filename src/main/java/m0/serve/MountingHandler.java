package m0.serve;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import m0.app.AppHandler;
import m0.bytes.Span;
import m0.http.Request;
import m0.http.Response;
import m0.stream.StreamId;

/**
 * The mounts' instances of one loop, as one: a request and the stream it opens are those of the mount
 * whose prefix it has; ticks and frames are everybody's.
 *
 * <p>Threads: its loop's. Owns: the instances, each closed once.
 */
final class MountingHandler implements AppHandler {
    private final Mounts mounts;
    private final List<AppHandler> handlers;
    private final boolean loopRoutes;
    private final long[] tickMs;
    private final long[] tickDueMs;
    /** The interval at which the host ticks. */
    private final long leastMs;
    private final Map<StreamId, AppHandler> streams = new HashMap<>();
    /** The loop's, as this is. */
    private final Span path = new Span();
    private boolean ticked;

    /**
     * @param handlers one for each mount
     * @param loopRoutes whether they may answer before a request becomes a job
     * @param settingTickMs the interval of those that name none, or 0
     */
    MountingHandler(Mounts mounts, List<AppHandler> handlers, boolean loopRoutes,
            long settingTickMs) {
        this.mounts = mounts;
        this.handlers = List.copyOf(handlers);
        this.loopRoutes = loopRoutes;
        tickMs = new long[handlers.size()];
        tickDueMs = new long[handlers.size()];
        for (int index = 0; index < tickMs.length; index++) {
            long own = handlers.get(index).tickMs();
            tickMs[index] = own > 0 ? own : settingTickMs;
        }
        leastMs = least(tickMs);
    }

    @Override
    public Response beforeRequest(Request request) {
        if (!loopRoutes) {
            return null;
        }
        int mount = mounts.indexOf(request, path);
        return mount == Mounts.NONE ? null : handlers.get(mount).beforeRequest(request);
    }

    /** Whatever no loop's instance has answered goes to a lane. */
    @Override
    public Response handle(Request request) {
        throw new IllegalStateException("a request of " + request.rawPath() + " has no lane");
    }

    @Override
    public Response afterResponse(Request request, Response response) {
        int mount = mounts.indexOf(request, path);
        return mount == Mounts.NONE ? response
                : handlers.get(mount).afterResponse(request, response);
    }

    /** The shortest of them; one that wants fewer ticks is passed over in between. */
    @Override
    public long tickMs() {
        return leastMs;
    }

    private static long least(long[] intervals) {
        long least = 0;
        for (long interval : intervals) {
            least = least == 0 || interval == 0 ? Math.max(least, interval)
                    : Math.min(least, interval);
        }
        return least;
    }

    /**
     * A mount has the tick that is nearest to when it is due: the host's come a little late, now
     * more and now less. One that throws keeps nobody behind it from its own.
     */
    @Override
    public void tick(long nowMs) {
        boolean first = !ticked;
        ticked = true;
        RuntimeException failure = null;
        for (int index = 0; index < tickMs.length; index++) {
            if (isDue(index, nowMs, first)) {
                try {
                    handlers.get(index).tick(nowMs);
                } catch (RuntimeException thrown) {
                    failure = failure == null ? thrown : failure;
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private boolean isDue(int index, long nowMs, boolean first) {
        if (tickMs[index] == 0) {
            return false;
        }
        if (first) {
            tickDueMs[index] = nowMs;
        } else if (2 * (nowMs - tickDueMs[index]) + leastMs <= 0) {
            return false;
        }
        tickDueMs[index] += tickMs[index];
        if (nowMs - tickDueMs[index] >= 0) {
            // Ticks were missed, and are not made up for.
            tickDueMs[index] = nowMs + tickMs[index];
        }
        return true;
    }

    @Override
    public void streamOpened(StreamId stream, Request request) {
        int mount = mounts.indexOf(request, path);
        if (mount != Mounts.NONE) {
            streams.put(stream, handlers.get(mount));
            handlers.get(mount).streamOpened(stream, request);
        }
    }

    @Override
    public void streamClosed(StreamId stream) {
        AppHandler owner = streams.remove(stream);
        if (owner != null) {
            owner.streamClosed(stream);
        }
    }

    @Override
    public boolean webSocketMessage(StreamId stream, int opcode, ByteBuffer payload) {
        AppHandler owner = streams.get(stream);
        return owner == null || owner.webSocketMessage(stream, opcode, payload);
    }

    @Override
    public void webSocketClosed(StreamId stream, int code) {
        AppHandler owner = streams.get(stream);
        if (owner != null) {
            owner.webSocketClosed(stream, code);
        }
    }

    /** Each sees the frame from its beginning, whatever one before it throws. */
    @Override
    public void peerFrame(String channel, long id, ByteBuffer frame) {
        RuntimeException failure = null;
        for (AppHandler handler : handlers) {
            try {
                handler.peerFrame(channel, id, frame.duplicate());
            } catch (RuntimeException thrown) {
                failure = failure == null ? thrown : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() {
        RuntimeException first = null;
        for (AppHandler handler : new ArrayList<>(handlers)) {
            try {
                handler.close();
            } catch (RuntimeException thrown) {
                first = first == null ? thrown : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
