package m0.telemetry;

import java.util.List;

/**
 * Names a loop that has been inside one pass for too long, with the stack of what holds it.
 *
 * <p>A loop that is held serves nobody, and cannot say so itself. Each check reads one word of each
 * loop; a stack is taken only of a loop that is over the limit.
 *
 * <p>Threads: one at a time, {@link StallWatchThread}'s. Limits: {@code M0_LOOP_STALL_MS}; one
 * entry a minute for each loop, however many of its passes are held.
 */
public final class StallWatch {
    private static final long QUIET_NS = 60_000_000_000L;
    private static final long NS_PER_MS = 1_000_000L;

    private final List<LoopPulse> loops;
    private final long limitNs;
    private final HostLog log;
    private final long[] saidNs;
    /** When the pass began that was counted last, 0 before the first. */
    private final long[] countedNs;
    private final boolean[] said;

    /**
     * @param loops those of this process
     * @param limitMs what a pass may take, more than 0
     */
    public StallWatch(List<LoopPulse> loops, long limitMs, HostLog log) {
        if (limitMs <= 0) {
            throw new IllegalArgumentException("limitMs=" + limitMs);
        }
        this.loops = List.copyOf(loops);
        this.limitNs = limitMs * NS_PER_MS;
        this.log = log;
        saidNs = new long[loops.size()];
        countedNs = new long[loops.size()];
        said = new boolean[loops.size()];
    }

    /** Looks at each loop once; {@code nowNs} is read from the loops' clock. */
    public void step(long nowNs) {
        for (int index = 0; index < saidNs.length; index++) {
            LoopPulse loop = loops.get(index);
            long sinceNs = loop.passSinceNs();
            if (sinceNs != 0 && nowNs - sinceNs > limitNs) {
                count(index, loop, sinceNs);
                if (!isQuiet(index, nowNs)) {
                    say(index, loop, sinceNs, nowNs);
                }
            }
        }
    }

    /** Counts a pass once, however often it is found. */
    private void count(int index, LoopPulse loop, long sinceNs) {
        if (countedNs[index] != sinceNs) {
            countedNs[index] = sinceNs;
            loop.countStall();
        }
    }

    long limitNs() {
        return limitNs;
    }

    private boolean isQuiet(int index, long nowNs) {
        return said[index] && nowNs - saidNs[index] < QUIET_NS;
    }

    private void say(int index, LoopPulse loop, long sinceNs, long nowNs) {
        StackTraceElement[] stack = loop.thread().getStackTrace();
        if (loop.passSinceNs() != sinceNs) {
            // That pass has ended meanwhile: the stack shows another one, which did nothing wrong.
            return;
        }
        said[index] = true;
        saidNs[index] = nowNs;
        log.lineWithStack("loop=" + loop.loop() + " has been inside one pass for "
                + (nowNs - sinceNs) / NS_PER_MS + " ms and serves nobody meanwhile; it stands here"
                + " (the limit is --loop-stall-ms, M0_LOOP_STALL_MS)", stack);
    }
}
