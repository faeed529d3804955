package m0.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import m0.loop.Clock;

/**
 * A lane of platform threads, each with a handler of its own.
 *
 * <p>Each thread is a thin shell around a {@link PoolWorker}; whom a job wakes is
 * {@link WakeRule}'s.
 *
 * <p>Threads: as {@link Lane}. They are daemons: one that is abandoned inside the application keeps
 * no process. Owns: the handlers, each closed once on its own thread, behind its last job. Limits:
 * {@link LaneConfig}. Errors: a handler that cannot be made is a {@link Shortfall}; what a handler
 * throws goes back with its job; what it throws behind an early answer, or in its closing, is told to
 * the observer.
 */
public final class ThreadLane implements Lane {
    private final LaneConfig config;
    private final Completions completions;
    private final Clock clock;
    private final LaneObserver observer;
    private final JobQueue jobs;
    private final Parking parking;
    private final WakeRule rule;
    private final WaitingCount waiting;
    private final LaneMuster muster;
    private final HandlerLife life;
    private List<Thread> threads = List.of();
    private boolean ended;

    public ThreadLane(LaneConfig config, JobHandlers handlers, Completions completions, Clock clock,
            LaneObserver observer) {
        this(config, handlers, completions, clock, observer, new ThreadParking(config.threads()));
    }

    ThreadLane(LaneConfig config, JobHandlers handlers, Completions completions, Clock clock,
            LaneObserver observer, Parking parking) {
        this.config = config;
        this.completions = completions;
        this.clock = clock;
        this.observer = observer;
        this.parking = parking;
        jobs = new JobQueue(config.connectionsMax(), config.threads());
        rule = new WakeRule(config.threads(), parking);
        waiting = new WaitingCount(config.lane(), observer);
        muster = new LaneMuster(config.threads(), clock);
        life = new HandlerLife(config.lane(), handlers, muster, observer);
        completions.open();
    }

    @Override
    public boolean trySubmit(Job job) {
        if (config.waitingMax() > 0 && waiting() - rule.free() >= config.waitingMax()) {
            return false;
        }
        job.queue(clock.nanoTime(), waiting);
        jobs.put(job);
        if (rule.areAllParked()) {
            rule.tryWake(jobs.count());
        }
        return true;
    }

    @Override
    public int waiting() {
        return Math.max(0, jobs.count() - waiting.recalled());
    }

    @Override
    public long lookAgainNs() {
        int queued = jobs.count();
        if (queued == 0 || !rule.isOwed(queued)) {
            return NEVER;
        }
        Job oldest = jobs.peek();
        if (oldest == null) {
            return NEVER;
        }
        long restNs = WakeRule.SPIN_NS - (clock.nanoTime() - oldest.pushedNs());
        if (restNs > 0) {
            return restNs;
        }
        rule.tryWake(queued);
        // The job behind the oldest may be younger, but not by more than this.
        return rule.isOwed(queued) ? WakeRule.SPIN_NS : NEVER;
    }

    @Override
    public void start() {
        List<Thread> shells = new ArrayList<>();
        for (int index = 0; index < config.threads(); index++) {
            int thread = index;
            Thread shell = new Thread(() -> run(thread), config.threadName(thread));
            shell.setDaemon(true);
            shells.add(shell);
        }
        threads = shells;
        shells.forEach(Thread::start);
    }

    /** The whole life of one thread. */
    private void run(int thread) {
        parking.begin(thread);
        JobHandler handler = life.tryMake(thread);
        if (handler == null) {
            return;
        }
        muster.ready(thread);
        try {
            answerJobs(thread, worker(thread, handler));
        } finally {
            life.close(thread, handler);
        }
    }

    private void answerJobs(int thread, PoolWorker worker) {
        PoolWorker.Turn turn = worker.runOnce();
        while (turn != PoolWorker.Turn.ENDED) {
            if (turn == PoolWorker.Turn.PARK) {
                parking.park(thread);
            } else if (turn == PoolWorker.Turn.LOOKED) {
                // Where every core is taken, what it looks for needs this one.
                Thread.yield();
            }
            turn = worker.runOnce();
        }
    }

    /** What answers on that thread, for whoever drives it. */
    PoolWorker worker(int thread, JobHandler handler) {
        JobAnswer answer = new JobAnswer(thread, handler, completions, config.lane(), observer);
        return new PoolWorker(thread, jobs, rule, answer, config.deadlineNs(), completions, clock);
    }

    @Override
    public Shortfall awaitReady(long boundNs) throws InterruptedException {
        return muster.await(boundNs);
    }

    @Override
    public void giveUp() {
        muster.giveUp();
    }

    @Override
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        for (int thread = 0; thread < config.threads(); thread++) {
            jobs.put(PoolWorker.PILL);
        }
        while (rule.isOwed(jobs.count())) {
            rule.tryWake(jobs.count());
        }
    }

    @Override
    public List<Integer> join(long boundNs) throws InterruptedException {
        long startNs = clock.nanoTime();
        List<Integer> stragglers = new ArrayList<>();
        for (int thread = 0; thread < threads.size(); thread++) {
            Thread shell = threads.get(thread);
            long leftNs = boundNs - (clock.nanoTime() - startNs);
            if (leftNs > 0) {
                TimeUnit.NANOSECONDS.timedJoin(shell, leftNs);
            }
            if (shell.isAlive()) {
                stragglers.add(thread);
            }
        }
        return stragglers;
    }
}
