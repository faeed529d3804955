package m0.pool;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import m0.http.Response;

/** A lane whose threads are a test's calls: it takes jobs and gives answers when told to. */
public final class ScriptedLane implements Lane {
    private final ArrayDeque<Job> queued = new ArrayDeque<>();
    private final Completions completions;
    private final LongSupplier nowNs;
    private final WaitingCount counted = new WaitingCount(0, LaneObserver.NONE);
    /** How many may wait. */
    public int waitingMax = Integer.MAX_VALUE;
    /** What {@link #lookAgainNs} returns. */
    public long lookAgain = NEVER;

    public ScriptedLane(Completions completions, LongSupplier nowNs) {
        this.completions = completions;
        this.nowNs = nowNs;
        completions.open();
    }

    @Override
    public boolean trySubmit(Job job) {
        if (queued.size() == waitingMax) {
            return false;
        }
        job.queue(nowNs.getAsLong(), counted);
        queued.addLast(job);
        return true;
    }

    /** Pool thread {@code thread} takes the oldest job; null where it goes back unanswered. */
    public Job take(int thread) {
        Job job = queued.removeFirst();
        if (job.take(thread, nowNs.getAsLong(), 0)) {
            return job;
        }
        completions.push(job);
        return null;
    }

    public void answer(Job job, Response response) {
        job.answered(response);
        completions.push(job);
    }

    /** A thread answers with a handler, which may give its answer early. */
    public void answer(Job job, JobHandler handler) {
        new JobAnswer(0, handler, completions, 0, LaneObserver.NONE).answer(job);
    }

    public void fail(Job job, Throwable failure) {
        job.failed(failure);
        completions.push(job);
    }

    /** A thread finds that the oldest job has waited too long. */
    public void expireOldest() {
        Job job = queued.removeFirst();
        if (!job.tryRecall()) {
            throw new AssertionError("it was recalled before");
        }
        completions.push(job);
    }

    @Override
    public int waiting() {
        return queued.size();
    }

    @Override
    public long lookAgainNs() {
        return lookAgain;
    }

    @Override
    public void start() { }

    @Override
    public Shortfall awaitReady(long boundNs) {
        return null;
    }

    @Override
    public void giveUp() { }

    @Override
    public void end() { }

    @Override
    public List<Integer> join(long boundNs) {
        return List.of();
    }
}
