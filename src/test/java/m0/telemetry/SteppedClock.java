package m0.telemetry;

import m0.loop.Clock;

/** A clock that stands until a test moves it. */
final class SteppedClock implements Clock {
    volatile long nowNs = 5_000_000_000L;
    volatile long epochMillis = 1_769_900_399_999L;

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long epochMillis() {
        return epochMillis;
    }

    void forwardMs(long ms) {
        nowNs += ms * 1_000_000L;
        epochMillis += ms;
    }
}
