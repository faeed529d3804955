package m0.host;

import m0.host.Muster.LoopFailure;
import m0.telemetry.HostLog;

/** What is said of loops that could not begin or did not go on. Threads: any. */
final class LoopFailures {
    private static final long NS_PER_MS = 1_000_000L;

    private final int lanes;
    private final long buildingNs;

    /** @param lanes how many stand behind each loop: of several each is named by its index */
    LoopFailures(int lanes, long buildingNs) {
        this.lanes = lanes;
        this.buildingNs = buildingNs;
    }

    /** The start that this failure makes impossible. */
    StartRefusedException refusal(LoopFailure failure) {
        boolean refused = switch (failure.stage()) {
            case MAKE, LANES_MAKE, TICK_MS -> true;
            case LANES, OPEN, SERVE -> false;
        };
        return new StartRefusedException(describe(failure),
                refused ? ExitCode.REFUSED : ExitCode.FAILED, failure.cause());
    }

    /** The start that is impossible since that loop has no handler yet. */
    StartRefusedException late(int loop) {
        return new StartRefusedException("loop " + loop + " is still building its handler after "
                + buildingNs / NS_PER_MS + " ms", ExitCode.REFUSED, null);
    }

    /** A failed loop in words for a line. */
    String describe(LoopFailure failure) {
        Throwable cause = failure.cause();
        String loop = "loop " + failure.loop();
        String thread = "thread " + failure.thread() + " of " + loop
                + (lanes > 1 ? " lane " + failure.lane() : "");
        if (cause == null) {
            return thread + " is still building its handler after " + buildingNs / NS_PER_MS
                    + " ms";
        }
        return switch (failure.stage()) {
            case LANES -> "the pool threads of " + loop + " cannot be started: "
                    + Failure.line(cause) + " (lower --blocking-threads, M0_BLOCKING_THREADS, or"
                    + " raise the limit of threads)";
            case MAKE -> "the application's make threw on " + loop + ": " + Failure.thrown(cause);
            case LANES_MAKE ->
                    "the application's make threw on " + thread + ": " + Failure.thrown(cause);
            case TICK_MS ->
                    "the application's tickMs threw on " + loop + ": " + Failure.thrown(cause);
            case OPEN -> loop + " could not be opened: " + Failure.line(cause);
            case SERVE -> loop + " ended by " + Printable.text(HostLog.describe(cause));
        };
    }

    /** What a loop that ended was at, to stand at the end of its line; empty if no request's. */
    static String whileAsked(LoopFailure failure) {
        if (failure.asked() == null) {
            return "";
        }
        return ", while " + (failure.thread() < 0 ? "it" : "its thread " + failure.thread())
                + " answered " + failure.asked();
    }
}
