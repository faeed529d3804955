package m0.telemetry;

import java.util.concurrent.locks.LockSupport;
import m0.loop.Clock;

/** Steps a {@link StallWatch} four times in its limit, until it is closed. */
public final class StallWatchThread extends Thread implements AutoCloseable {
    private static final long PAUSE_MIN_NS = 50_000_000L;

    private final StallWatch watch;
    private final Clock clock;
    /** Written by whoever closes, read by this thread, which {@code unpark} wakes to see it. */
    private volatile boolean closed;

    private StallWatchThread(StallWatch watch, Clock clock) {
        super("m0-stall-watch");
        setDaemon(true);
        this.watch = watch;
        this.clock = clock;
    }

    public static StallWatchThread start(StallWatch watch, Clock clock) {
        var thread = new StallWatchThread(watch, clock);
        thread.start();
        return thread;
    }

    @Override
    public void run() {
        long pauseNs = Math.max(watch.limitNs() / 4, PAUSE_MIN_NS);
        LockSupport.parkNanos(this, pauseNs);
        while (!closed) {
            watch.step(clock.nanoTime());
            LockSupport.parkNanos(this, pauseNs);
        }
    }

    /** Ends it soon; nothing it uses needs to outlive its loops, so nobody waits for it. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(this);
    }
}
