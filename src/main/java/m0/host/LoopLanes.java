package m0.host;

import java.util.List;
import m0.loop.Clock;
import m0.loop.StopWord;
import m0.pool.Lane;
import m0.pool.Shortfall;
import m0.telemetry.HostLog;

/**
 * The lanes behind one loop, from their threads' start to the last join.
 *
 * <p>They begin before the loop has its own handler, so that all handlers of a loop are made at the
 * same time, and end after it has returned, when nobody submits any more. What a drain has taken
 * counts against the join: both have one bound, from the drain's stamp.
 *
 * <p>Threads: the loop's, but for {@link #giveUp}, which any may call. Limits: a join has at least
 * {@value #JOIN_MS_LEAST} ms for all lanes together, so that threads which are about to end are not
 * abandoned where a drain took all of its bound. Errors: threads that do not end are named in the
 * log.
 */
final class LoopLanes {
    static final long JOIN_MS_LEAST = 500;
    private static final long NS_PER_MS = 1_000_000L;

    private final int loop;
    private final List<Lane> lanes;
    private final StopWord stop;
    private final Clock clock;
    private final HostLog log;
    /** The lane whose handler was found missing. */
    private int missingLane;

    /** @param lanes in the order of their indexes; none where the loop answers all by itself */
    LoopLanes(int loop, List<Lane> lanes, StopWord stop, Clock clock, HostLog log) {
        this.loop = loop;
        this.lanes = List.copyOf(lanes);
        this.stop = stop;
        this.clock = clock;
        this.log = log;
    }

    /** Starts all threads; each makes its handler. */
    void start() {
        for (Lane lane : lanes) {
            lane.start();
        }
    }

    /**
     * Waits until every handler exists.
     *
     * @return what is missing first, or null; also null after {@link #giveUp}
     */
    Shortfall awaitReady(long boundNs) throws InterruptedException {
        long endNs = clock.nanoTime() + boundNs;
        for (int lane = 0; lane < lanes.size(); lane++) {
            Shortfall missing =
                    lanes.get(lane).awaitReady(Math.max(0, endNs - clock.nanoTime()));
            if (missing != null) {
                missingLane = lane;
                return missing;
            }
        }
        return null;
    }

    /** Which lane was short where {@link #awaitReady} found one. */
    int missingLane() {
        return missingLane;
    }

    /** The host ends before it has served: nobody needs the handlers. */
    void giveUp() {
        for (Lane lane : lanes) {
            lane.giveUp();
        }
    }

    /**
     * Ends the threads and waits for them in what is left of the bound since the drain was asked
     * for.
     *
     * @return whether all have ended
     */
    boolean end(long boundNs) {
        for (Lane lane : lanes) {
            lane.end();
        }
        long sinceNs = clock.nanoTime();
        long endNs = sinceNs
                + Math.max(JOIN_MS_LEAST * NS_PER_MS, stop.leftOf(boundNs, sinceNs));
        boolean allEnded = true;
        for (int lane = 0; lane < lanes.size(); lane++) {
            for (int thread : join(lanes.get(lane), endNs)) {
                allEnded = false;
                log.line("abandoned handler thread " + thread + " of loop " + loop
                        + (lanes.size() > 1 ? " lane " + lane : "") + " after "
                        + stoppedForMs(sinceNs) + " ms (raise --drain-timeout-ms,"
                        + " M0_DRAIN_TIMEOUT_MS, or let it answer sooner)");
            }
        }
        return allEnded;
    }

    /** An application may have left the loop's thread interrupted: that is no reason to go. */
    private List<Integer> join(Lane lane, long endNs) {
        while (true) {
            try {
                return lane.join(Math.max(0, endNs - clock.nanoTime()));
            } catch (InterruptedException cleared) {
                continue;
            }
        }
    }

    /** Since the drain's stamp, or since the end began where there was no drain. */
    private long stoppedForMs(long sinceNs) {
        long nowNs = clock.nanoTime();
        return (stop.isDrainAsked() ? stop.drainedForNs(nowNs) : nowNs - sinceNs) / NS_PER_MS;
    }
}
