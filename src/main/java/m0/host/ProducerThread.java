package m0.host;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import m0.app.Producer;
import m0.loop.Clock;
import m0.loop.StopWord;
import m0.telemetry.HostLog;

/**
 * The thread that steps the application's producer until a drain is asked for or a step throws.
 *
 * <pre>
 * new --> running --> closing --> ended
 *  |         |            ^
 *  |         +--> abandoned: the join gave up while a step was running, so nobody closes it
 *  +----------------------+ dismissed before it was started
 * </pre>
 *
 * <p>Threads: {@link #run} is its own, the rest is for any. Errors: a step that throws ends the
 * producer alone; that is logged once, and the server serves on.
 */
final class ProducerThread implements Runnable {
    /** What a producer that waits needs to see the stop, where the bound has passed already. */
    static final long JOIN_NS_LEAST = 2 * ProducerSchedule.SLICE_NS;

    private static final long NS_PER_MS = 1_000_000L;

    private enum State { NEW, RUNNING, CLOSING, ENDED, ABANDONED }

    private final Producer producer;
    private final StopWord stop;
    private final Clock clock;
    private final LongConsumer pause;
    private final HostLog log;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private final CountDownLatch ended = new CountDownLatch(1);

    ProducerThread(Producer producer, StopWord stop, Clock clock, HostLog log) {
        this(producer, stop, clock, ProducerThread::park, log);
    }

    /** @param pause waits so many nanoseconds, or less */
    ProducerThread(Producer producer, StopWord stop, Clock clock, LongConsumer pause,
            HostLog log) {
        this.producer = producer;
        this.stop = stop;
        this.clock = clock;
        this.pause = pause;
        this.log = log;
    }

    /** A step may have left its thread interrupted, and a wait would then end at once, each time. */
    private static void park(long ns) {
        if (!Thread.interrupted()) {
            LockSupport.parkNanos(ns);
        }
    }

    /** Begins stepping. A daemon: the process is its loops', which no producer keeps alive. */
    void start() {
        Thread thread = new Thread(this, "m0-producer");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        if (!state.compareAndSet(State.NEW, State.RUNNING)) {
            return;
        }
        try {
            stepUntilStopped();
        } catch (Throwable failure) {
            // Here the thread ends, so whatever it is has to be told now.
            log.lineWithStack("producer ended: " + Failure.line(failure),
                    failure.getStackTrace());
        } finally {
            closeOnce(State.RUNNING);
        }
    }

    private void stepUntilStopped() throws Exception {
        ProducerSchedule schedule = new ProducerSchedule(clock.nanoTime());
        while (!stop.isDrainAsked()) {
            long waitNs = schedule.waitNs(clock.nanoTime());
            if (waitNs > 0) {
                pause.accept(waitNs);
            } else {
                schedule.stepped(producer.step(), clock.nanoTime());
            }
        }
    }

    /** Closes it, unless it is no longer in that state: then it was abandoned, or never begun. */
    private void closeOnce(State from) {
        if (!state.compareAndSet(from, State.CLOSING)) {
            return;
        }
        try {
            producer.close();
        } catch (Throwable failure) {
            // Its last word; what it throws ends nothing that has not ended.
            log.line("the producer's close threw: " + Failure.line(failure));
        } finally {
            state.compareAndSet(State.CLOSING, State.ENDED);
            ended.countDown();
        }
    }

    /** Closes one that was never started, on the caller's thread. */
    void dismiss() {
        closeOnce(State.NEW);
    }

    /**
     * Waits for its end in what is left of the bound since the drain was asked for; beyond that it
     * is abandoned by name.
     *
     * @return whether it has ended
     */
    boolean join(long boundNs) throws InterruptedException {
        dismiss();
        if (state.get() == State.ABANDONED) {
            return false;
        }
        long leftNs = Math.max(JOIN_NS_LEAST, stop.leftOf(boundNs, clock.nanoTime()));
        if (ended.await(leftNs, TimeUnit.NANOSECONDS)) {
            return true;
        }
        boolean inStep = state.compareAndSet(State.RUNNING, State.ABANDONED);
        log.line("abandoned producer " + (inStep ? "step" : "close") + " after "
                + stop.drainedForNs(clock.nanoTime()) / NS_PER_MS + " ms (raise"
                + " --drain-timeout-ms, M0_DRAIN_TIMEOUT_MS, or let a step do less)");
        return false;
    }
}
