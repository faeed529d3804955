package m0.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import m0.http.Response;
import m0.loop.Clock;
import m0.loop.Waker;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the way from a loop to a pool thread and back cost, by the structure that carries the
 * jobs? The threads never park, but in {@code LANE}, which is the whole lane with its wake rule; the
 * way back is the same for all. The median is what counts: the mean is the scheduler's.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class LaneRoundTripBenchmark {
    /** What carries the jobs to the threads. */
    public enum Carrier {
        MANY_TO_MANY_ARRAY,
        ONE_TO_ONE_ARRAYS,
        LINKED_TRANSFER,
        CONCURRENT_LINKED,
        ARRAY_BLOCKING,
        LANE
    }

    private static final int BURST = 16;
    private static final int CAPACITY = 1024;
    private static final Response OK = Response.text(200, "ok");

    @Param
    public Carrier carrier;

    @Param({"1", "4"})
    public int threads;

    private final Job[] jobs = new Job[BURST];
    private final Completions completions = new Completions(BURST, new Waker());
    private Way way;
    private volatile boolean stopped;

    /** Jobs on their way out. */
    private interface Way {
        void send(Job job);

        /** Asked while nothing has come back. */
        void look();

        void end() throws InterruptedException;
    }

    @Setup
    public void begin() throws InterruptedException {
        completions.open();
        for (int slot = 0; slot < BURST; slot++) {
            jobs[slot] = new Job(slot);
        }
        way = switch (carrier) {
            case MANY_TO_MANY_ARRAY ->
                new OneQueue(new ManyToManyConcurrentArrayQueue<>(CAPACITY));
            case ONE_TO_ONE_ARRAYS -> new QueueEach();
            case LINKED_TRANSFER -> new OneQueue(new LinkedTransferQueue<>());
            case CONCURRENT_LINKED -> new OneQueue(new ConcurrentLinkedQueue<>());
            case ARRAY_BLOCKING -> new OneQueue(new ArrayBlockingQueue<>(CAPACITY));
            case LANE -> new WholeLane();
        };
    }

    @TearDown
    public void end() throws InterruptedException {
        stopped = true;
        way.end();
    }

    @Benchmark
    public void oneAlone() {
        send(jobs[0]);
        takeBack();
    }

    @Benchmark
    @OperationsPerInvocation(BURST)
    public void oneOfSixteen() {
        for (Job job : jobs) {
            send(job);
        }
        for (int back = 0; back < BURST; back++) {
            takeBack();
        }
    }

    private void send(Job job) {
        job.begin(null);
        way.send(job);
    }

    private void takeBack() {
        Job job = completions.poll();
        while (job == null) {
            way.look();
            Thread.onSpinWait();
            job = completions.poll();
        }
        job.home();
    }

    private Thread startPolling(Queue<Job> queue) {
        Thread thread = new Thread(() -> {
            while (!stopped) {
                Job job = queue.poll();
                if (job == null) {
                    // More threads than cores: each must let the others run.
                    Thread.yield();
                } else {
                    job.answered(OK);
                    completions.push(job);
                }
            }
        });
        thread.start();
        return thread;
    }

    private final class OneQueue implements Way {
        private final Queue<Job> queue;
        private final Thread[] polling = new Thread[threads];

        OneQueue(Queue<Job> queue) {
            this.queue = queue;
            for (int thread = 0; thread < threads; thread++) {
                polling[thread] = startPolling(queue);
            }
        }

        @Override
        public void send(Job job) {
            queue.offer(job);
        }

        @Override
        public void look() { }

        @Override
        public void end() throws InterruptedException {
            for (Thread thread : polling) {
                thread.join();
            }
        }
    }

    /** Each thread has its own, in turn: whatever stands behind a slow job waits for it. */
    private final class QueueEach implements Way {
        private final List<Queue<Job>> queues = new ArrayList<>();
        private final List<Thread> polling = new ArrayList<>();
        private int next;

        QueueEach() {
            for (int thread = 0; thread < threads; thread++) {
                queues.add(new OneToOneConcurrentArrayQueue<>(CAPACITY));
                polling.add(startPolling(queues.get(thread)));
            }
        }

        @Override
        public void send(Job job) {
            queues.get(next).offer(job);
            next = next + 1 == threads ? 0 : next + 1;
        }

        @Override
        public void look() { }

        @Override
        public void end() throws InterruptedException {
            for (Thread thread : polling) {
                thread.join();
            }
        }
    }

    private final class WholeLane implements Way {
        private final ThreadLane lane = new ThreadLane(new LaneConfig(0, 0, threads, BURST, 0, 0),
                thread -> (request, early) -> OK, completions, Clock.SYSTEM, LaneObserver.NONE);

        WholeLane() throws InterruptedException {
            lane.start();
            Shortfall shortfall = lane.awaitReady(TimeUnit.SECONDS.toNanos(10));
            if (shortfall != null) {
                throw new IllegalStateException("shortfall=" + shortfall);
            }
        }

        @Override
        public void send(Job job) {
            lane.trySubmit(job);
        }

        @Override
        public void look() {
            lane.lookAgainNs();
        }

        @Override
        public void end() throws InterruptedException {
            lane.end();
            lane.join(TimeUnit.SECONDS.toNanos(10));
        }
    }
}
