package kit;

/** How much later than promised something may be seen on a machine that is shared. */
public final class Slack {

    /** The server looks at its deadlines once a second. */
    public static final long SWEEP_MS = 1000;

    /** What a busy machine may add: far from any deadline it could be confused with. */
    public static final long MACHINE_MS = 4000;

    /** The latest moment for a deadline of {@code deadlineMs} to be seen. */
    public static long notAfterMs(long deadlineMs) {
        return deadlineMs + SWEEP_MS + MACHINE_MS;
    }

    private Slack() {
    }
}
