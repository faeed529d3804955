package m0.pool;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which threads of a lane are parked, which are on their way, and whom to wake next.
 *
 * <pre>
 *               announce                    a wake claims it
 *   looking ----------------> announced ---------------------> on its way
 *      ^                          |                                 |
 *      |        withdraw          |             arrive              |
 *      +--------------------------+                                 |
 *      +------------------------------------------------------------+
 * </pre>
 * One word counts the announced threads whom nobody has a right to yet, and those on their way.
 * Each thread has a ticket beside it: 0, or the number of its announcement, so the highest is the
 * most recent. Who wants to wake a thread first takes a right out of the word, which is where the
 * two counts change together, and then the highest ticket. A ticket is there before its right and
 * goes after it: who holds a right always finds a ticket.
 *
 * <p>Nobody waits beside a job. Who queues a job looks at the word afterwards; who announces itself
 * looks at the queue afterwards; between storing and looking stands a full fence on either side, so
 * at least one of them sees the other. And each thread on its way looks at the queue after it has
 * arrived, so as many jobs as there are such threads need no further wake.
 *
 * <p>Threads: {@link #announce}, {@link #isAnnounced}, {@link #withdraw} and {@link #arrive} the
 * thread of that index, the rest any. What several threads write lies on lines of its own.
 */
final class WakeRule {
    /** How long an idle thread looks before it parks, and a job waits before another is woken. */
    static final long SPIN_NS = 10_000;

    /** Two cache lines, as the machine fetches them in pairs. */
    private static final int SPREAD = 16;
    private static final int WORD = SPREAD;
    private static final int ANNOUNCEMENTS = 2 * SPREAD;
    private static final int TICKETS = 3 * SPREAD;

    private static final long PARKED = 1;
    private static final long ON_WAY = 1L << 32;

    private final int threads;
    private final Parking parking;
    private final AtomicLongArray memory;

    WakeRule(int threads, Parking parking) {
        this.threads = threads;
        this.parking = parking;
        memory = new AtomicLongArray(TICKETS + (threads + 1) * SPREAD);
    }

    /** Whether no thread is busy, looking or on its way. */
    boolean areAllParked() {
        return memory.get(WORD) == threads * PARKED;
    }

    /** Whether a thread could be woken. */
    boolean isAnyParked() {
        return parked(memory.get(WORD)) > 0;
    }

    /** How many threads will look at the queue without having been busy. */
    int free() {
        long word = memory.get(WORD);
        return parked(word) + onWay(word);
    }

    /** Whether more jobs wait than threads are on their way, and another could be woken. */
    boolean isOwed(int waiting) {
        return isOwed(waiting, memory.get(WORD));
    }

    private static boolean isOwed(int waiting, long word) {
        return waiting > onWay(word) && parked(word) > 0;
    }

    /** Wakes the thread that parked last, unless as many are on their way as jobs wait. */
    void tryWake(int waiting) {
        long word = memory.get(WORD);
        while (isOwed(waiting, word)) {
            if (memory.compareAndSet(WORD, word, word - PARKED + ON_WAY)) {
                parking.unpark(claimLatest());
                return;
            }
            word = memory.get(WORD);
        }
    }

    /** With a right to one: where another took the highest ticket meanwhile, the next one's. */
    private int claimLatest() {
        while (true) {
            int latest = 0;
            long highest = 0;
            for (int thread = 0; thread < threads; thread++) {
                long ticket = memory.get(ticketOf(thread));
                if (ticket > highest) {
                    highest = ticket;
                    latest = thread;
                }
            }
            if (highest > 0 && memory.compareAndSet(ticketOf(latest), highest, 0)) {
                return latest;
            }
        }
    }

    /** It is about to park: who queues a job from now on can wake it. It looks once more. */
    void announce(int thread) {
        memory.set(ticketOf(thread), memory.incrementAndGet(ANNOUNCEMENTS));
        memory.addAndGet(WORD, PARKED);
    }

    /** Whether it has announced itself, and nobody has woken it. */
    boolean isAnnounced(int thread) {
        return memory.get(ticketOf(thread)) != 0;
    }

    /**
     * Takes its announcement back.
     *
     * @return false if somebody is waking it: it stays until it is woken, and then arrives. The right
     *     it held for a moment may have hidden another parked thread from who looked, so the caller
     *     wakes that one if it is owed
     */
    boolean withdraw(int thread) {
        if (!tryTakeRight()) {
            return false;
        }
        long ticket = memory.get(ticketOf(thread));
        if (ticket != 0 && memory.compareAndSet(ticketOf(thread), ticket, 0)) {
            return true;
        }
        // Its ticket went to another right, so this one is for another thread's.
        memory.addAndGet(WORD, PARKED);
        return false;
    }

    private boolean tryTakeRight() {
        long word = memory.get(WORD);
        while (parked(word) > 0) {
            if (memory.compareAndSet(WORD, word, word - PARKED)) {
                return true;
            }
            word = memory.get(WORD);
        }
        return false;
    }

    /** It was woken and is about to look at the queue. */
    void arrive(int thread) {
        memory.addAndGet(WORD, -ON_WAY);
    }

    private static int ticketOf(int thread) {
        return TICKETS + thread * SPREAD;
    }

    private static int parked(long word) {
        return (int) word;
    }

    private static int onWay(long word) {
        return (int) (word >>> 32);
    }
}
