package m0.pool;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import m0.loop.Clock;

/**
 * A lane that hands each job to an {@link Executor}: virtual threads, one for each job, or whatever
 * the application brings. All jobs are answered by one handler, whose index is 0.
 *
 * <p>One platform thread, the keeper, makes the handler, waits until the lane was ended and the last
 * handler call has returned, and closes it. Meanwhile it hands the jobs over where the executor is
 * the application's, which may wait for room or run them in its caller. Neither may hold the loop:
 * what such an executor waits for may itself wait for the loop, which sends what it writes.
 *
 * <p>Threads: as {@link Lane}. Owns: the handler, but not the executor. Limits: {@link LaneConfig},
 * but for its threads; a job waits until the executor has begun it. Errors: as {@link ThreadLane}; a
 * job that the executor refuses comes back without an answer, and so it does where it throws
 * something else or finds no thread, which the observer is told. Any other {@code Error} of it ends
 * the loop. One that drops jobs without a word leaves their clients without an answer.
 */
public final class ExecutorLane implements Lane {
    private static final int HANDLER = 0;

    private final LaneConfig config;
    private final Completions completions;
    private final Clock clock;
    private final LaneObserver observer;
    private final Executor executor;
    private final WaitingCount waiting;
    private final LaneMuster muster;
    private final HandlerLife life;
    private final Thread keeper;
    /** Jobs that have not begun: the loop raises it, the thread that begins one lowers it. */
    private final AtomicInteger notBegun = new AtomicInteger();
    /** Jobs whose handler call has not returned, and one more until the lane is ended. */
    private final AtomicInteger open = new AtomicInteger(1);
    /** Opened by whoever brings that to zero. */
    private final CountDownLatch through = new CountDownLatch(1);
    /** Written by the keeper before it says that it is ready, and no job comes before that. */
    private JobHandler handler;
    /** What the keeper is to do: hand over a job, or stop that; null where the loop hands over. */
    private final BlockingQueue<Runnable> toHandOver;
    /** Whether more may come to be handed over; the keeper's. */
    private boolean handsOver = true;
    private boolean started;
    private boolean ended;

    /** @param executor runs each job once; by an exception it refuses to; it may wait */
    public ExecutorLane(LaneConfig config, JobHandlers handlers, Completions completions,
            Clock clock, LaneObserver observer, Executor executor) {
        this(config, handlers, completions, clock, observer, executor,
                new LinkedBlockingQueue<>());
    }

    private ExecutorLane(LaneConfig config, JobHandlers handlers, Completions completions,
            Clock clock, LaneObserver observer, Executor executor,
            BlockingQueue<Runnable> toHandOver) {
        this.config = config;
        this.completions = completions;
        this.clock = clock;
        this.observer = observer;
        this.executor = executor;
        this.toHandOver = toHandOver;
        waiting = new WaitingCount(config.lane(), observer);
        completions.open();
        muster = new LaneMuster(1, clock);
        life = new HandlerLife(config.lane(), handlers, muster, observer);
        keeper = new Thread(this::keep, config.threadName(HANDLER) + "-keeper");
        keeper.setDaemon(true);
    }

    /** One with a virtual thread for each job; only where the JDK {@link #hasVirtual() has} them. */
    public static ExecutorLane ofVirtual(LaneConfig config, JobHandlers handlers,
            Completions completions, Clock clock, LaneObserver observer) {
        return new ExecutorLane(config, handlers, completions, clock, observer,
                VirtualThreads.executor(config.threadName(HANDLER)), null);
    }

    /** Whether this JDK has virtual threads: 21 and later. */
    public static boolean hasVirtual() {
        return VirtualThreads.areSupported();
    }

    @Override
    public boolean trySubmit(Job job) {
        if (config.waitingMax() > 0 && waiting() >= config.waitingMax()) {
            return false;
        }
        Run run = new Run(job);
        job.queue(clock.nanoTime(), waiting);
        notBegun.incrementAndGet();
        open.incrementAndGet();
        if (toHandOver == null) {
            handOver(run);
        } else {
            toHandOver.add(() -> handOver(run));
        }
        return true;
    }

    private void handOver(Run run) {
        try {
            executor.execute(run);
        } catch (RejectedExecutionException refused) {
            run.comeBack();
        } catch (RuntimeException | OutOfMemoryError broken) {
            // A thread that cannot be started is an OutOfMemoryError, and another may be later.
            observer.onExecutorFailed(config.lane(), broken);
            run.comeBack();
        }
    }

    /** One job in the executor's hands, which may keep it for longer than it should. */
    private final class Run extends JobAnswer implements Runnable {
        private final Job submitted;
        /** Whether it was begun or came back: whoever sets this has the job. */
        private final AtomicBoolean claimed = new AtomicBoolean();

        private Run(Job submitted) {
            super(HANDLER, handler, completions, config.lane(), observer);
            this.submitted = submitted;
        }

        @Override
        public void run() {
            if (claimed.getAndSet(true)) {
                return;
            }
            notBegun.decrementAndGet();
            if (submitted.take(HANDLER, clock.nanoTime(), config.deadlineNs())) {
                answer(submitted);
            } else {
                completions.push(submitted);
            }
            leave();
        }

        /** The executor has refused it: nobody answers it, unless it was begun all the same. */
        private void comeBack() {
            if (claimed.getAndSet(true)) {
                return;
            }
            notBegun.decrementAndGet();
            submitted.refuse();
            completions.push(submitted);
            leave();
        }
    }

    private void leave() {
        if (open.decrementAndGet() == 0) {
            through.countDown();
        }
    }

    @Override
    public int waiting() {
        return Math.max(0, notBegun.get() - waiting.recalled());
    }

    /** The executor sees to it that each job runs. */
    @Override
    public long lookAgainNs() {
        return NEVER;
    }

    @Override
    public void start() {
        started = true;
        keeper.start();
    }

    private void keep() {
        handler = life.tryMake(HANDLER);
        if (handler != null) {
            muster.ready(HANDLER);
            if (toHandOver != null) {
                handAllOver();
            }
            awaitThrough();
            life.close(HANDLER, handler);
        }
    }

    private void handAllOver() {
        try {
            while (handsOver) {
                nextToHandOver().run();
            }
        } catch (Error thrown) {
            // Here the handing over ends, and so does the loop, as by an error of its own.
            completions.fail(thrown);
        }
    }

    private Runnable nextToHandOver() {
        Runnable next = null;
        while (next == null) {
            try {
                next = toHandOver.take();
            } catch (InterruptedException again) {
                // By an executor that runs things here; the flag is lowered now, and the next look waits.
                next = null;
            }
        }
        return next;
    }

    /** However often an application may have the thread interrupted. */
    private void awaitThrough() {
        boolean isThrough = false;
        while (!isThrough) {
            try {
                through.await();
                isThrough = true;
            } catch (InterruptedException again) {
                // The flag is lowered now, and the next wait waits.
                isThrough = false;
            }
        }
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
        if (!ended) {
            ended = true;
            if (toHandOver != null) {
                toHandOver.add(() -> handsOver = false);
            }
            leave();
        }
    }

    @Override
    public List<Integer> join(long boundNs) throws InterruptedException {
        if (started && boundNs > 0) {
            TimeUnit.NANOSECONDS.timedJoin(keeper, boundNs);
        }
        return keeper.isAlive() ? List.of(HANDLER) : List.of();
    }
}
