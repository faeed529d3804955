package m0.pool;

import java.util.Objects;
import m0.http.Body;
import m0.http.Response;

/**
 * Has one job after another answered by a handler, and sends each home: with the answer that the
 * handler gives early, or with what it returned or threw. Whichever comes first, the job is the
 * loop's from there on, which may have lent it out again before the handler returns; so nothing
 * here touches it any more.
 *
 * <p>Threads: one at a time, that of the handler; {@link #give} also another, between whose call and
 * the handler's return the handler orders things.
 */
class JobAnswer implements EarlyAnswer {
    private final int index;
    private final JobHandler handler;
    private final Completions completions;
    private final int lane;
    private final LaneObserver observer;
    /** The job that is being answered; null once it has been sent home. */
    private Job job;

    /** @param index of the pool thread within its lane */
    JobAnswer(int index, JobHandler handler, Completions completions, int lane,
            LaneObserver observer) {
        this.index = index;
        this.handler = handler;
        this.completions = completions;
        this.lane = lane;
        this.observer = observer;
    }

    /**
     * Has a job, which the caller's thread has taken, answered and sent home.
     *
     * @return false where that thread must answer no more, for the {@code Error} that was thrown
     */
    final boolean answer(Job taken) {
        job = taken;
        Response answer = null;
        Throwable failure = null;
        try {
            answer = handler.answer(taken.request(), this);
            if (answer == null && job != null) {
                throw new IllegalStateException("the handler returned no response");
            }
        } catch (Exception thrown) {
            failure = thrown;
        } catch (Throwable thrown) {
            // Here the thread ends, and the loop with it, which takes nothing but an Error for that.
            failure = thrown instanceof Error ? thrown : new Error(thrown);
        } finally {
            // An interrupt that is left over is none of the next job's business.
            Thread.interrupted();
        }
        if (job != null) {
            sendHome(answer, failure);
        } else if (failure != null) {
            tell(failure);
        }
        return !(failure instanceof Error);
    }

    @Override
    public final void give(Response response) {
        Objects.requireNonNull(response, "an early answer is a response");
        if (job == null) {
            throw new IllegalStateException("the answer was given before");
        }
        if (response.body() instanceof Body.Later) {
            throw new IllegalStateException("an answer that is deferred cannot be given early");
        }
        sendHome(response, null);
    }

    private void sendHome(Response answer, Throwable failure) {
        Job done = job;
        job = null;
        done.answered(answer);
        done.failed(failure);
        completions.push(done);
    }

    /** The job has gone, and its answer with it. */
    private void tell(Throwable failure) {
        if (failure instanceof Error fatal) {
            completions.fail(fatal);
        } else {
            observer.onThrowBehindAnswer(lane, index, failure);
        }
    }
}
