package m0.bus;

import java.util.concurrent.locks.LockSupport;
import m0.loop.Clock;
import m0.page.Page;
import m0.page.Seat;

/**
 * The publishers' critical section between processes: a word in the page that carries the mark of
 * who is inside.
 *
 * <p>Who finds it taken spins a little, then looks every {@value #PAUSE_NS} ns. A holder whose seat
 * has been vacated is gone; one whose seat nobody has touched yet is looked up every {@value
 * #LOOK_MS} ms. What a holder that is gone leaves is taken over and settled, and it has left no
 * more than an id that not every ring knows.
 *
 * <p>Threads: one at a time, the bus's lock sees to it. Limits: {@value #WAIT_MS_MAX} ms behind a
 * holder that lives, as when it is stopped by a debugger; then the caller goes without.
 */
final class PublishTurn {
    static final int WAIT_MS_MAX = 2000;
    static final int LOOK_MS = 5;
    static final int PAUSE_NS = 50_000;

    private static final long NS_PER_MS = 1_000_000L;
    /** Longer than most hold it. */
    private static final int SPINS = 200;

    /** How a publisher waits. */
    interface Pause {
        Pause PARK = new Pause() {
            @Override
            public void pause(long ns) {
                LockSupport.parkNanos(ns);
            }
        };

        void pause(long ns);
    }

    private final Page page;
    private final long mark;
    private final Lives lives;
    private final Clock clock;
    private final Pause pause;
    private final Runnable settle;

    /** @param settle run inside, when the section was taken over from who is gone */
    PublishTurn(Page page, Seat own, Lives lives, Clock clock, Pause pause, Runnable settle) {
        this.page = page;
        this.mark = own.mark();
        this.lives = lives;
        this.clock = clock;
        this.pause = pause;
        this.settle = settle;
    }

    /** Whether the caller is inside, and must {@link #leave}. */
    boolean tryEnter() {
        for (int spin = 0; spin < SPINS; spin++) {
            if (page.publishing() == 0 && page.tryPublishing(0, mark)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return waited();
    }

    private boolean waited() {
        long sinceNs = clock.nanoTime();
        long lookedNs = sinceNs;
        long nowNs = sinceNs;
        while (true) {
            long holder = page.publishing();
            if (holder == 0) {
                if (page.tryPublishing(0, mark)) {
                    return true;
                }
                continue;
            }
            boolean look = nowNs - lookedNs >= LOOK_MS * NS_PER_MS;
            lookedNs = look ? nowNs : lookedNs;
            if (isGone(holder, look) && page.tryPublishing(holder, mark)) {
                settle.run();
                return true;
            }
            // Behind a look: this thread may have been held for all of the time itself.
            if (nowNs - sinceNs >= WAIT_MS_MAX * NS_PER_MS) {
                return false;
            }
            pause.pause(PAUSE_NS);
            nowNs = clock.nanoTime();
        }
    }

    /** Its own mark is that of a thread which did not come to leave: the lock says it is gone. */
    private boolean isGone(long holder, boolean look) {
        Seat seat = page.seatOf(holder);
        return holder == mark || seat.mark() != holder || look && lives.isGone(seat);
    }

    void leave() {
        page.tryPublishing(mark, 0);
    }

    /** Who is inside, as far as it can be said. */
    String holder() {
        long holder = page.publishing();
        int index = holder == 0 ? -1 : page.seatOf(holder).index();
        return index < 0 ? "nobody any more" : index < page.loops() ? "worker " + index
                : "the supervisor";
    }
}
