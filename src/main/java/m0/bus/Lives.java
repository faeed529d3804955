package m0.bus;

import m0.page.Seat;

/** Who of those that share a page is still there. Threads: any. */
interface Lives {
    /** Whether the process in that seat is surely gone; false where nobody can tell. */
    boolean isGone(Seat seat);
}
