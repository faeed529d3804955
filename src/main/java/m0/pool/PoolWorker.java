package m0.pool;

import m0.loop.Clock;

/**
 * What one pool thread does, one bounded turn at a time: it answers a job, looks for one, or is to
 * park.
 *
 * <p>Threads: its own. Errors: what the handler throws goes back with the job, if that is still here;
 * behind an {@code Error} no turn follows.
 */
final class PoolWorker {
    /** What a turn came to. */
    enum Turn {
        /** A job was taken and has gone back. */
        WORKED,
        /** There was none. */
        LOOKED,
        /** There has been none for a while: wait to be woken. */
        PARK,
        /** A pill was taken, or an {@code Error} thrown. */
        ENDED
    }

    /** Taken in place of a job by a thread that is to end. */
    static final Job PILL = new Job(-1);

    private final int thread;
    private final JobQueue jobs;
    private final WakeRule rule;
    private final JobAnswer answer;
    private final long deadlineNs;
    private final Completions completions;
    private final Clock clock;
    private boolean announced;
    private boolean idle;
    private long idleSinceNs;

    PoolWorker(int thread, JobQueue jobs, WakeRule rule, JobAnswer answer, long deadlineNs,
            Completions completions, Clock clock) {
        this.thread = thread;
        this.jobs = jobs;
        this.rule = rule;
        this.answer = answer;
        this.deadlineNs = deadlineNs;
        this.completions = completions;
        this.clock = clock;
    }

    /** Does one piece of work. */
    Turn runOnce() {
        if (announced && !arrive()) {
            return Turn.PARK;
        }
        Job job = jobs.take();
        return job == null ? look() : work(job);
    }

    /** Whether somebody has woken it. */
    private boolean arrive() {
        if (rule.isAnnounced(thread)) {
            return false;
        }
        rule.arrive(thread);
        announced = false;
        return true;
    }

    /** There was nothing: looks on for a while, then announces itself and looks once more. */
    private Turn look() {
        long nowNs = clock.nanoTime();
        if (!idle) {
            idle = true;
            idleSinceNs = nowNs;
        }
        if (nowNs - idleSinceNs < WakeRule.SPIN_NS) {
            return Turn.LOOKED;
        }
        idle = false;
        rule.announce(thread);
        if (jobs.isEmpty()) {
            announced = true;
        } else if (!rule.withdraw(thread)) {
            announced = true;
            rule.tryWake(jobs.count());
        }
        return announced ? Turn.PARK : Turn.LOOKED;
    }

    private Turn work(Job job) {
        idle = false;
        if (job == PILL) {
            return Turn.ENDED;
        }
        long nowNs = clock.nanoTime();
        wakeForNext(nowNs);
        if (!job.take(thread, nowNs, deadlineNs)) {
            completions.push(job);
            return Turn.WORKED;
        }
        return answer.answer(job) ? Turn.WORKED : Turn.ENDED;
    }

    /** While this thread is busy, the loop may be too: the next job's time may be over already. */
    private void wakeForNext(long nowNs) {
        if (rule.isAnyParked()) {
            Job next = jobs.peek();
            if (next != null && nowNs - next.pushedNs() >= WakeRule.SPIN_NS) {
                rule.tryWake(jobs.count());
            }
        }
    }
}
