package m0.host;

import m0.pool.LaneObserver;
import m0.telemetry.HostLog;

/** What the lanes of one loop tell an operator. Threads: theirs. */
final class LaneLog implements LaneObserver {
    private final int loop;
    private final int lanes;
    private final HostLog log;

    /** @param lanes how many there are: of several each is named by its index */
    LaneLog(int loop, int lanes, HostLog log) {
        this.loop = loop;
        this.lanes = lanes;
        this.log = log;
    }

    @Override
    public void onThrowBehindAnswer(int lane, int thread, Throwable thrown) {
        // Each request may have it throw, so its lines are bounded.
        log.onHookFailure(loop, place(lane) + "thread=" + thread + " behind its answer", thrown);
    }

    @Override
    public void onExecutorFailed(int lane, Throwable thrown) {
        // A request is enough to have it throw, so its lines are bounded.
        log.onHookFailure(loop, "the executor of lane " + lane, thrown);
    }

    @Override
    public void onCloseFailed(int lane, int thread, Throwable thrown) {
        log.line("loop=" + loop + " " + place(lane) + "thread=" + thread
                + " the application's close threw: " + Failure.line(thrown));
    }

    /** The lane, where there are several. */
    private String place(int lane) {
        return lanes > 1 ? "lane=" + lane + " " : "";
    }
}
