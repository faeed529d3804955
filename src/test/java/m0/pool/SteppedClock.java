package m0.pool;

import m0.loop.Clock;

/** A clock that stands until the test moves it. */
final class SteppedClock implements Clock {
    long nowNs = 5_000_000_000L;
    /** Done once, by whoever reads the clock next. */
    private Runnable atNextRead;

    void atNextRead(Runnable action) {
        atNextRead = action;
    }

    @Override
    public long nanoTime() {
        Runnable action = atNextRead;
        atNextRead = null;
        if (action != null) {
            action.run();
        }
        return nowNs;
    }

    @Override
    public long epochMillis() {
        return nowNs / 1_000_000L;
    }
}
