package m0.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import m0.http.Request;
import m0.http.Response;

/**
 * One slot's request on its way through a lane. A slot has one such object and uses it again and
 * again; from the push to the completion the request and its bytes are the pool thread's.
 *
 * <pre>
 *            trySubmit          take, refuse
 *   HOME ---------------> QUEUED ---------> TAKEN ---+
 *    ^                      |                        | push to the completions
 *    |                      | tryRecall              |
 *    |                      v                        |
 *    +--- take --------- RECALLED -------------------+
 * </pre>
 * A recalled job still stands in the queue, so its slot is not free before it has come back.
 *
 * <p>Threads: {@link #begin}, {@link #tryRecall} and the answers the loop's; {@link #take},
 * {@link #refuse} and what is left with it those of the thread that has it, until it pushes it.
 */
public final class Job {
    private static final int HOME = 0;
    private static final int QUEUED = 1;
    private static final int TAKEN = 2;
    private static final int RECALLED = 3;

    /**
     * Written by the loop before the push. Besides the thread that takes the job, one that looks at
     * it in the queue may read it after another took it, and then only ever wakes once too often.
     */
    private static final VarHandle PUSHED_NS;

    static {
        try {
            PUSHED_NS = MethodHandles.lookup().findVarHandle(Job.class, "pushedNs", long.class);
        } catch (ReflectiveOperationException absent) {
            throw new ExceptionInInitializerError(absent);
        }
    }

    private final int slot;
    /** Moves what is plain below from one thread to the other, as the queues do. */
    private final AtomicInteger state = new AtomicInteger(HOME);
    private Request request;
    private long pushedNs;
    private long waitedNs;
    private WaitingCount waiting;
    private int thread;
    private Response response;
    private Throwable failure;

    /** @param slot the connection's slot */
    public Job(int slot) {
        this.slot = slot;
    }

    public int slot() {
        return slot;
    }

    /** Prepares it for a lane; the request is that lane's as soon as it is submitted. */
    public void begin(Request asked) {
        request = asked;
        response = null;
        failure = null;
        thread = -1;
        waitedNs = 0;
    }

    void queue(long nowNs, WaitingCount ofLane) {
        PUSHED_NS.setOpaque(this, nowNs);
        waiting = ofLane;
        waiting.onQueued();
        // The queue publishes it.
        state.lazySet(QUEUED);
    }

    /** When it was pushed. */
    long pushedNs() {
        return (long) PUSHED_NS.getOpaque(this);
    }

    /**
     * Takes it off the queue, for that thread to answer.
     *
     * @param deadlineNs how long it may have waited; 0 for ever
     * @return false where nobody is to answer it: it goes straight back
     */
    boolean take(int poolThread, long nowNs, long deadlineNs) {
        if (!state.compareAndSet(QUEUED, TAKEN)) {
            return false;
        }
        waiting.onTaken();
        waitedNs = nowNs - pushedNs();
        if (deadlineNs > 0 && waitedNs > deadlineNs) {
            return false;
        }
        thread = poolThread;
        return true;
    }

    /** Takes it off the queue for nobody, by the lane that could not have it run: it goes back. */
    void refuse() {
        if (state.compareAndSet(QUEUED, TAKEN)) {
            waiting.onTaken();
        }
    }

    /**
     * Calls it back before any thread has it: the request is the loop's again, and is not answered.
     *
     * @return false if a thread has it, or it is on its way back
     */
    public boolean tryRecall() {
        if (!state.compareAndSet(QUEUED, RECALLED)) {
            return false;
        }
        waiting.onRecalled();
        return true;
    }

    /** Leaves the answer with it, for the loop; by whoever has it. */
    public void answered(Response answer) {
        response = answer;
    }

    /** Leaves what was thrown in place of an answer, or null. */
    void failed(Throwable thrown) {
        failure = thrown;
    }

    /** It has come back: nobody else has it any more. */
    public void home() {
        if (state.get() == RECALLED) {
            waiting.onRecalledHome();
        }
        state.lazySet(HOME);
        request = null;
    }

    public Request request() {
        return request;
    }

    /** What was answered, or null where nobody did. */
    public Response response() {
        return response;
    }

    /** What the application threw, or null. */
    public Throwable failure() {
        return failure;
    }

    /** The pool thread that answered it, −1 for none. */
    public int thread() {
        return thread;
    }

    /** Nanoseconds from the push until a thread took it. */
    public long waitedNs() {
        return waitedNs;
    }

    /** Nanoseconds since the push, for the loop to judge one that is still queued. */
    public long queuedForNs(long nowNs) {
        return nowNs - pushedNs();
    }
}
