package m0.telemetry;

/**
 * Lets through so many lines a window, and counts the others.
 *
 * <p>Threads: any.
 */
final class LineBudget {
    private final int linesPerWindow;
    private final long windowNs;
    private long windowStartNs;
    private int lines;
    private long passedOver;

    LineBudget(int linesPerWindow, long windowNs) {
        this.linesPerWindow = linesPerWindow;
        this.windowNs = windowNs;
    }

    /** Takes one line, or counts it as passed over. The first call begins the first window. */
    synchronized boolean tryTake(long nowNs) {
        if (lines == 0 || nowNs - windowStartNs >= windowNs) {
            windowStartNs = nowNs;
            lines = 0;
        }
        if (lines == linesPerWindow) {
            passedOver++;
            return false;
        }
        lines++;
        return true;
    }

    /** How many were passed over since this was last asked. */
    synchronized long takePassedOver() {
        long count = passedOver;
        passedOver = 0;
        return count;
    }
}
