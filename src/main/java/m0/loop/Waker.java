package m0.loop;

import java.lang.invoke.VarHandle;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wakes one loop where it waits, and costs nothing where it does not.
 *
 * <pre>
 *   the loop                      another thread
 *   raises the parked flag        leaves work for the loop
 *   looks whether work waits      wake(): looks at the flag
 *   selects, unless it does       wakes the selector, if it is up
 *   lowers the flag
 * </pre>
 *
 * <p>Between storing and looking stands a full fence on either side: at least one of the two sees
 * the other, so no work waits beside a loop that sleeps. Whoever finds the flag up lowers it, and a
 * crowd that brings work at once wakes the loop once.
 *
 * <p>It is made before its loop, so that others can hold it. Threads: {@link #wake} any, the rest
 * the loop's.
 */
public final class Waker {
    /** Raised by the loop before it waits; lowered by it, or by who wakes it. */
    private final AtomicBoolean parked = new AtomicBoolean();
    /** Written once by the loop, before it first raises the flag that others read first. */
    private Selector selector;

    /** Lets the loop see what was left for it before this call, soon. Any thread. */
    public void wake() {
        // A queue's last store may be a plain release, which a later load could overtake.
        VarHandle.fullFence();
        if (parked.get() && parked.compareAndSet(true, false)) {
            selector.wakeup();
        }
    }

    void attach(Selector waited) {
        selector = waited;
    }

    /** From now on who brings work wakes the selector; look for work after this. */
    void raise() {
        parked.set(true);
    }

    void lower() {
        parked.lazySet(false);
    }

    boolean isRaised() {
        return parked.get();
    }
}
