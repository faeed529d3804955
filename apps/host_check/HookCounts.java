package host_check;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import m0.app.HostContext;
import m0.stream.StreamId;

/**
 * What one handler was called for: how often each hook, and each call that should not have been.
 *
 * <p>A hook that the knob names throws whenever it is called, after it was counted.
 *
 * <p>Threads: its handler's; a call from any other is counted as foreign. Limits: the last 64 codes
 * are kept.
 */
final class HookCounts {
    private static final int CODES_MAX = 64;

    private final HostContext context;
    private final Knobs knobs;
    private final Thread owner = Thread.currentThread();
    private final long[] calls = new long[Hook.values().length];
    private final Set<StreamId> open = new HashSet<>();
    private final ArrayDeque<Integer> codes = new ArrayDeque<>();
    private long foreign;
    private long astray;
    private boolean closed;

    HookCounts(HostContext context, Knobs knobs) {
        this.context = context;
        this.knobs = knobs;
    }

    /** Counts a call, and throws where it was asked to. */
    void called(Hook hook) {
        calls[hook.ordinal()]++;
        if (Thread.currentThread() != owner) {
            foreign++;
        }
        if (closed) {
            System.err.println("host_check: " + hook.label() + " after close, loop="
                    + context.worker() + " thread=" + context.thread());
        }
        if (hook == Hook.CLOSE) {
            closed = true;
            if (knobs.tellsClose()) {
                System.err.println("host_check: handler closed " + json());
            }
        }
        if (hook == knobs.hookRaises()) {
            throw new IllegalStateException(
                    Knobs.HOOK_RAISES + " asked " + hook.label() + " to throw");
        }
    }

    /** Counts a call about a stream: astray where it was opened twice or is not open. */
    void called(Hook hook, StreamId stream) {
        boolean expected = switch (hook) {
            case STREAM_OPENED -> open.add(stream);
            case STREAM_CLOSED -> open.remove(stream);
            default -> open.contains(stream);
        };
        if (!expected || stream.loop() != context.worker()) {
            astray++;
        }
        called(hook);
    }

    /** Counts the peer's close of a WebSocket. */
    void closedByPeer(StreamId stream, int code) {
        if (codes.size() == CODES_MAX) {
            codes.removeFirst();
        }
        codes.addLast(code);
        called(Hook.WEB_SOCKET_CLOSED, stream);
    }

    /** The streams that are open on this loop. */
    Set<StreamId> open() {
        return Set.copyOf(open);
    }

    /** All of it, as one JSON object without a line break. */
    String json() {
        var json = new StringBuilder("{\"loop\":").append(context.worker())
                .append(",\"thread\":").append(context.thread());
        for (Hook hook : Hook.values()) {
            json.append(",\"").append(hook.label()).append("\":").append(calls[hook.ordinal()]);
        }
        return json.append(",\"open\":").append(open.size())
                .append(",\"foreign\":").append(foreign)
                .append(",\"astray\":").append(astray)
                .append(",\"codes\":").append(codes.toString().replace(" ", ""))
                .append('}').toString();
    }
}
