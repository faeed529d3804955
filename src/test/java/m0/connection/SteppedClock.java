package m0.connection;

import m0.loop.Clock;

/** A clock that stands until the test moves it. */
final class SteppedClock implements Clock {
    private static final long EPOCH_MILLIS = 1_000_000_000_000L;

    long nowNs = 5_000_000_000L;

    void advanceMs(long ms) {
        nowNs += ms * 1_000_000L;
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long epochMillis() {
        return EPOCH_MILLIS + nowNs / 1_000_000L;
    }
}
