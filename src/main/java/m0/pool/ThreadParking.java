package m0.pool;

import java.util.concurrent.locks.LockSupport;

/** The machine's own way to wait, for the threads of one lane. Threads: as {@link Parking}. */
final class ThreadParking implements Parking {
    /** Each is there before it announces itself, and is not read before that. */
    private final Thread[] threads;

    ThreadParking(int threads) {
        this.threads = new Thread[threads];
    }

    @Override
    public void begin(int thread) {
        threads[thread] = Thread.currentThread();
    }

    @Override
    public void park(int thread) {
        // One that is interrupted does not park, and would be back here at once, for ever.
        Thread.interrupted();
        LockSupport.park(this);
    }

    @Override
    public void unpark(int thread) {
        LockSupport.unpark(threads[thread]);
    }
}
