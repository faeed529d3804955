package m0.pool;

import java.util.List;

/**
 * One lane of one loop: where jobs go that must not be answered on it.
 *
 * <p>Threads: {@link #waiting} and {@link #giveUp} any, the rest the loop's.
 */
public interface Lane {
    /** Returned by {@link #lookAgainNs} where nothing is to be looked at. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Gives a job to the lane, which answers it and pushes it to the completions.
     *
     * @return false if as many wait as may; then nothing has changed
     */
    boolean trySubmit(Job job);

    /** How many jobs no thread has taken yet. */
    int waiting();

    /**
     * Asked before the loop waits: wakes a parked thread where the oldest job has waited long
     * enough.
     *
     * @return nanoseconds until it must be asked again, or {@link #NEVER}
     */
    long lookAgainNs();

    /** Starts the threads; each makes its handler. */
    void start();

    /**
     * Waits until every handler exists.
     *
     * @return what is missing, or null; also null after {@link #giveUp}
     */
    Shortfall awaitReady(long boundNs) throws InterruptedException;

    /** Ends the wait for handlers: they are not needed any more. */
    void giveUp();

    /** Lets each thread end behind the jobs that are queued, after the last submit. */
    void end();

    /**
     * Waits for the threads' ends.
     *
     * @return the indexes of those that have not ended in time
     */
    List<Integer> join(long boundNs) throws InterruptedException;
}
