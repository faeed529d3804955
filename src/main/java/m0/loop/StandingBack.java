package m0.loop;

import m0.page.LoopLine;

/**
 * Accept sharing between processes. A loop that is told of a connection while a sibling has less
 * than itself leaves it there and looks away for {@value #AWAY_MS} ms; what nobody has taken by then
 * it takes itself. So a connection is never lost to a sibling that does not come for it, only late.
 *
 * <p>Where a crowd waits a loop takes more than one before it looks at its siblings again: as many as
 * keep it within an eighth of the least one's load, for one in each of those times would be too few.
 *
 * <p>Rejected: to leave the choice to the kernel, which wakes whoever parked last; and a socket for
 * each worker ({@code SO_REUSEPORT}), whose backlog dies with its worker.
 *
 * <p>Threads: its loop's.
 */
final class StandingBack implements Sharing {
    static final int AWAY_MS = 2;

    private static final long AWAY_NS = AWAY_MS * 1_000_000L;
    /** The part of its load by which a loop may be ahead behind the first of a crowd. */
    private static final int CROWD_SHARE = 8;

    private final int own;
    private final LoopLine[] lines;
    private final boolean on;
    /** It has looked away, and takes whatever is there now. */
    private boolean returned;

    /** @param on false for the bare race */
    StandingBack(int own, LoopLine[] lines, boolean on) {
        this.own = own;
        this.lines = lines;
        this.on = on;
    }

    @Override
    public boolean leavesNext(int taken, long nowNs) {
        if (!on) {
            return false;
        }
        if (taken == 0 && returned) {
            returned = false;
            return false;
        }
        int load = lines[own].load();
        int ahead = taken == 0 ? 0 : 1 + load / CROWD_SHARE;
        if (load - ahead <= least(nowNs)) {
            return false;
        }
        returned = true;
        lines[own].countStoodBack();
        return true;
    }

    @Override
    public void nobodyWaited() {
        returned = false;
    }

    /**
     * A sibling that begins to drain later finds this one's line left, and looks then itself: so the
     * last one takes in what waits. One that is held may not come in time.
     */
    @Override
    public boolean leavesBacklog(long nowNs) {
        return least(nowNs) < Integer.MAX_VALUE;
    }

    /** What the least loaded sibling has that would come for a connection. */
    private int least(long nowNs) {
        int least = Integer.MAX_VALUE;
        for (int loop = 0; loop < lines.length; loop++) {
            if (loop != own && AcceptShare.takesMore(lines[loop], nowNs)) {
                least = Math.min(least, lines[loop].load());
            }
        }
        return least;
    }

    @Override
    public long awayNs() {
        return AWAY_NS;
    }

    @Override
    public void tell(LoopObserver observer) {
        observer.onStoodBack(own, lines[own].stoodBack());
    }
}
