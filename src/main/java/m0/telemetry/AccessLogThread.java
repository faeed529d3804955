package m0.telemetry;

import java.util.concurrent.locks.LockSupport;
import m0.loop.Clock;

/**
 * Writes an {@link AccessLog}'s records, until it is closed and the ring is empty.
 *
 * <p>With nothing to write it waits without a timer, and is woken by the first record. Then it
 * pauses for a millisecond before it looks, so that a busy loop wakes it a thousand times a second
 * at most and each write takes what has gathered.
 */
public final class AccessLogThread extends Thread implements AutoCloseable {
    private static final long GATHER_NS = 1_000_000L;
    private static final long SAY_DROPS_NS = 1_000_000_000L;
    private static final long CLOSE_MS = 1000;

    private final AccessLog accessLog;
    private final Clock clock;
    /** Written by whoever closes, read by this thread, which {@code unpark} wakes to see it. */
    private volatile boolean closed;

    private AccessLogThread(AccessLog accessLog, Clock clock) {
        super("m0-access-log");
        setDaemon(true);
        this.accessLog = accessLog;
        this.clock = clock;
    }

    public static AccessLogThread start(AccessLog accessLog, Clock clock) {
        var thread = new AccessLogThread(accessLog, clock);
        thread.start();
        return thread;
    }

    @Override
    public void run() {
        boolean last = false;
        while (!last) {
            last = closed;
            boolean wrote = true;
            while (wrote) {
                wrote = accessLog.drain(clock.nanoTime());
            }
            if (!last) {
                await();
            }
        }
        accessLog.sayDropped(clock.nanoTime());
    }

    private void await() {
        accessLog.waiting().set(Thread.currentThread());
        if (accessLog.isEmpty() && !closed) {
            if (accessLog.hasUnsaidDrops()) {
                LockSupport.parkNanos(this, SAY_DROPS_NS);
            } else {
                LockSupport.park(this);
            }
        }
        accessLog.waiting().set(null);
        if (!closed) {
            LockSupport.parkNanos(this, GATHER_NS);
        }
    }

    /** Writes what the loops have left, for at most a second; they have ended before. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(this);
        try {
            join(CLOSE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (isAlive()) {
            accessLog.log().line("access log was not written within " + CLOSE_MS
                    + " ms and its last records are lost (read stdout faster)");
        }
    }
}
