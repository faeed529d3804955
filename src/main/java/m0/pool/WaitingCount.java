package m0.pool;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which of a lane's jobs wait for a thread: those that are queued and were not recalled.
 *
 * <p>Threads: {@link #onTaken} and {@link #recalled} any, the rest the loop's.
 */
final class WaitingCount {
    private final int lane;
    private final LaneObserver observer;
    /** Recalled jobs that have not come back; written by the loop alone. */
    private final AtomicInteger recalled = new AtomicInteger();

    WaitingCount(int lane, LaneObserver observer) {
        this.lane = lane;
        this.observer = observer;
    }

    void onQueued() {
        observer.onWaiting(lane, 1);
    }

    void onTaken() {
        observer.onWaiting(lane, -1);
    }

    void onRecalled() {
        recalled.lazySet(recalled.get() + 1);
        observer.onWaiting(lane, -1);
    }

    void onRecalledHome() {
        recalled.lazySet(recalled.get() - 1);
    }

    int recalled() {
        return recalled.get();
    }
}
