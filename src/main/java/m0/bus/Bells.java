package m0.bus;

import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * The bells of all workers, as one process rings them.
 *
 * <p>One that cannot be rung has its flag raised again: whoever publishes next tries it, and the
 * loop of this process does before.
 *
 * <p>Threads: any.
 */
final class Bells {
    private final SharedRings rings;
    private final int own;
    private final Bell[] bells;
    /** Whether some bell could not be rung; written by any. */
    private volatile boolean owed;

    /** @param own the worker that needs none, or −1 */
    Bells(SharedRings rings, Path directory, int own) {
        this.rings = rings;
        this.own = own;
        bells = new Bell[rings.count()];
        for (int worker = 0; worker < bells.length; worker++) {
            bells[worker] = new Bell(Bell.socket(directory, worker));
        }
    }

    /** Wakes every sibling that waits; what was left for it must be there before. */
    void ringRaised() {
        VarHandle.fullFence();
        for (int worker = 0; worker < bells.length; worker++) {
            if (worker != own && rings.ring(worker).takeBell()) {
                ring(worker);
            }
        }
    }

    /** Wakes every sibling: who should have may have been killed before it did. */
    void ringAll() {
        for (int worker = 0; worker < bells.length; worker++) {
            if (worker != own && rings.ring(worker).isRead()) {
                ring(worker);
            }
        }
    }

    private void ring(int worker) {
        SharedRing ring = rings.ring(worker);
        if (!bells[worker].ring() && ring.isRead()) {
            ring.raiseBell();
            owed = true;
        }
    }

    /** Tries again what failed; whether it still does. */
    boolean retry() {
        if (owed) {
            owed = false;
            ringRaised();
        }
        return owed;
    }

    void close() {
        for (Bell bell : bells) {
            bell.close();
        }
    }
}
