package views_check;

import m0.app.HostContext;
import m0.views.Mount;

/**
 * The state of one handler: what it is and how often it was asked.
 *
 * <p>Threads: its handler's.
 */
final class Counted {
    private final Mount at;
    private final int thread;
    private int count;

    Counted(Mount at, HostContext context) {
        this.at = at;
        thread = context.thread();
    }

    Mount at() {
        return at;
    }

    /** Counts, and says whose count it is. */
    String count() {
        return "thread=" + thread + " count=" + ++count + "\n";
    }
}
