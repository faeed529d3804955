package m0.connection;

import java.util.concurrent.atomic.AtomicReference;
import m0.loop.Waker;

/**
 * What the sources of one loop's answers have left for it: those that have something to send.
 *
 * <pre>
 *   put (any thread):  wake -> wake -> wake      a stack, whose links are in the wakes
 *                                |
 *   poll (the loop):   taken whole, turned round, then given out one by one
 * </pre>
 *
 * <p>Threads: {@link #put} any, the rest the loop's. Limits: one entry for each source that has not
 * ended, and one connection has one at most; putting allocates nothing and cannot fail.
 */
final class SourceMail {
    private final Waker waker;
    /** The one that was put last, by any thread; the loop takes it with all behind it. */
    private final AtomicReference<SourceWake> last = new AtomicReference<>();
    /** The loop's own: what it has taken, the oldest first. */
    private SourceWake taken;

    SourceMail(Waker waker) {
        this.waker = waker;
    }

    /** Leaves one that does not stand here already. */
    void put(SourceWake wake) {
        SourceWake before;
        do {
            before = last.get();
            wake.next = before;
        } while (!last.compareAndSet(before, wake));
        waker.wake();
    }

    boolean isEmpty() {
        return taken == null && last.get() == null;
    }

    /** The oldest, which may be put again from now on; or null. */
    SourceWake poll() {
        if (taken == null) {
            take();
        }
        SourceWake oldest = taken;
        if (oldest != null) {
            taken = oldest.next;
            oldest.next = null;
        }
        return oldest;
    }

    private void take() {
        SourceWake latest = last.getAndSet(null);
        while (latest != null) {
            SourceWake older = latest.next;
            latest.next = taken;
            taken = latest;
            latest = older;
        }
    }
}
