package m0.connection;

import m0.http.Deferred;
import m0.http.Response;
import m0.pool.Completions;
import m0.pool.Job;

/**
 * A request whose answer is given elsewhere: by a lane, or later by any thread. Each slot has one,
 * made when it is first needed.
 *
 * <p>While it is {@link #out} another thread may hold the job, and the slot belongs to it whatever
 * becomes of the connection.
 *
 * <p>Threads: the loop's; but {@link #onAnswer} is the thread's that completes a deferred answer.
 */
final class Pending implements Deferred.Waiter {
    final Job job;
    private final Completions completions;
    /** The request and its bytes; null once it is answered. */
    Inbound request;
    /** Whether the answer may look for a FIN behind its request. */
    boolean looksForEnd;
    /** What gives the answer, or null where a lane does. */
    Deferred deferred;
    /** Whether the job has not come back from where it was sent. */
    boolean out;
    /** Whether it has come back and waits for the answers before it to leave. */
    boolean back;

    Pending(int slot, Completions completions) {
        job = new Job(slot);
        this.completions = completions;
    }

    /** From any thread: the answer goes to the loop as a lane's does. */
    @Override
    public void onAnswer(Response answer) {
        job.answered(answer);
        completions.push(job);
    }

    /** Waits for that answer; false if it is another request's. */
    boolean await(Deferred given) {
        completions.open();
        back = false;
        deferred = given;
        return given.await(this);
    }

    /** A request begins to wait. */
    void begin(Inbound asked, boolean looks) {
        request = asked;
        looksForEnd = looks;
        job.begin(asked.head);
    }

    /** Nobody waits any more; the request, which the caller gives back, or null if it was ended. */
    Inbound end() {
        Inbound ended = request;
        request = null;
        deferred = null;
        back = false;
        return ended;
    }

    /** The connection has gone: whatever can still be called off is. */
    void abandon() {
        if (deferred != null && !back) {
            out = !deferred.abandon();
        } else if (out) {
            job.tryRecall();
        }
    }
}
