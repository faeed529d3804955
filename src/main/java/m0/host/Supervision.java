package m0.host;

import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * What becomes of the workers, as a machine that is stepped: who is armed, who may serve, who died of
 * what and is replaced, and when all is over.
 *
 * <pre>
 *                all armed                       a stop, a refusal, or hopeless
 *   starting ---------------> serving (all) --------------------------------> stopping --> over
 *       |  a worker died: replaced in its place, while the budget lasts           ^
 *       +--------------------------------------------------------------------------+
 * </pre>
 *
 * <p>No worker serves before all have armed once; a successor serves as soon as it is armed itself.
 * Once stopping, nothing is replaced, and who has not ended by the bound is killed.
 *
 * <p>Threads: the supervising one. Limits: {@value #ARMING_MS_MAX} ms for a worker to be armed, which
 * is more than it gives its own handlers; {@link Succession}.
 */
final class Supervision {
    /** Handlers have ten minutes, and a worker says itself which of them is late. */
    static final long ARMING_MS_MAX = 630_000;
    static final long NEVER = Long.MAX_VALUE;

    private static final long NS_PER_MS = 1_000_000L;
    /** How soon what the operating system has refused is tried again. */
    private static final long RETRY_NS = 1000 * NS_PER_MS;
    /** A process that a signal ended has the code 128 + its number. */
    private static final int SIGNALLED = 128;

    /** Makes processes. */
    interface Starter {
        WorkerProcess start(int worker) throws IOException;

        /** What is gone for good that a successor would share with the others, or empty. */
        String lost();
    }

    /** What is to be done beside the processes, and said. */
    interface Observer {
        /** All are armed, for the first time. */
        void onServing();

        /** That process has ended: what it left in what is shared is to be put in order. */
        void onEnded(int worker);

        void line(String text);
    }

    /** One place among the workers, whoever fills it. */
    private static final class Post {
        private WorkerProcess process;
        private long startedNs;
        private boolean armed;
        private boolean serving;
        private long servingSinceNs;
        private boolean refused;
        /** Dead, and to be replaced once the budget allows it. */
        private boolean vacant;
        private long vacantUntilNs;
        /** Its successor was granted already, and the operating system had no process for it. */
        private boolean granted;
    }

    private final Post[] posts;
    private final Starter starter;
    private final Observer observer;
    private final Succession succession;
    private final LongSupplier stopBoundNs;
    private boolean served;
    private boolean stopping;
    private long stopNs;
    private long stopEndNs;
    private boolean killed;
    private int exit = ExitCode.SERVED;

    /** @param stopBoundNs how long workers have from a stop on until they are killed */
    Supervision(int workers, Starter starter, Observer observer, LongSupplier stopBoundNs) {
        posts = new Post[workers];
        for (int worker = 0; worker < workers; worker++) {
            posts[worker] = new Post();
        }
        this.starter = starter;
        this.observer = observer;
        this.stopBoundNs = stopBoundNs;
        succession = new Succession(workers);
    }

    /** Starts all, without waiting for any. */
    void begin(long nowNs) {
        for (int worker = 0; worker < posts.length && !stopping; worker++) {
            start(worker, nowNs);
        }
    }

    private void start(int worker, long nowNs) {
        Post post = posts[worker];
        post.armed = false;
        post.serving = false;
        post.refused = false;
        post.vacant = false;
        post.startedNs = nowNs;
        try {
            post.process = starter.start(worker);
            post.granted = false;
        } catch (IOException failure) {
            if (!post.granted) {
                observer.line("worker " + worker + " cannot be started: " + Failure.line(failure));
            }
            if (served) {
                post.granted = true;
                post.vacant = true;
                post.vacantUntilNs = nowNs + RETRY_NS;
            } else {
                fail(ExitCode.FAILED, nowNs);
            }
        }
    }

    /** That process has its handlers. What a former one in its place says is not heard. */
    void onArmed(int worker, WorkerProcess process, long nowNs) {
        Post post = posts[worker];
        if (post.process != process) {
            return;
        }
        post.armed = true;
        if (stopping) {
            return;
        }
        if (served) {
            serve(post, nowNs);
            observer.line("worker=" + worker + " serves, pid=" + process.pid() + ", after "
                    + (nowNs - post.startedNs) / NS_PER_MS + " ms");
        } else if (areAllArmed()) {
            served = true;
            for (Post armed : posts) {
                serve(armed, nowNs);
            }
            observer.onServing();
        }
    }

    private boolean areAllArmed() {
        for (Post post : posts) {
            if (!post.armed) {
                return false;
            }
        }
        return true;
    }

    private static void serve(Post post, long nowNs) {
        post.serving = true;
        post.servingSinceNs = nowNs;
        post.process.serve();
    }

    /** That process is about to end since it is refused; of several reasons the first is said. */
    void onRefused(int worker, WorkerProcess process, String reason, long nowNs) {
        Post post = posts[worker];
        if (post.process != process || post.refused) {
            return;
        }
        post.refused = true;
        if (exit != ExitCode.REFUSED && !stopping) {
            observer.line(reason);
            fail(ExitCode.REFUSED, nowNs);
        }
    }

    /** That process has ended with that code. */
    void onExit(int worker, WorkerProcess process, int code, long nowNs) {
        Post post = posts[worker];
        if (post.process != process) {
            return;
        }
        boolean everArmed = post.armed;
        boolean everServed = post.serving;
        long servedNs = post.serving ? Math.max(1, nowNs - post.servingSinceNs) : 0;
        post.process = null;
        post.armed = false;
        observer.onEnded(worker);
        String ended = "ended with "
                + (code > SIGNALLED ? "signal " + (code - SIGNALLED) : "code " + code);
        String line = "worker " + worker + ", process " + process.pid() + ", " + ended;
        if (stopping) {
            // Before it was armed it may not have known what a signal is to do.
            boolean inOrder = code == ExitCode.SERVED || !everArmed && code > SIGNALLED;
            if (!inOrder && !post.refused && !killed) {
                failStop(everServed ? "worker " + worker + " failed its drain: it " + ended : line);
            }
        } else if (code == ExitCode.REFUSED) {
            observer.line("worker " + worker + " refused to serve and did not say why");
            fail(ExitCode.REFUSED, nowNs);
        } else {
            observer.line(line);
            succeed(worker, servedNs, nowNs);
        }
    }

    private void failStop(String line) {
        observer.line(line);
        if (exit == ExitCode.SERVED) {
            exit = ExitCode.FAILED;
        }
    }

    private void succeed(int worker, long servedNs, long nowNs) {
        succession.died(servedNs);
        if (succession.isHopeless()) {
            observer.line(succession.row() + ", so none is replaced any more");
            fail(ExitCode.FAILED, nowNs);
        } else if (succession.tryTake(nowNs)) {
            replace(worker, nowNs);
        } else {
            posts[worker].vacant = true;
            posts[worker].vacantUntilNs = nowNs + succession.waitNs(nowNs);
            observer.line("worker " + worker + " is not replaced for "
                    + succession.waitNs(nowNs) / NS_PER_MS / 1000 + " s: " + succession.most()
                    + " were within the hour");
            endIfNobodyIsLeft(nowNs);
        }
    }

    /** Without what all share a successor could not begin; those that have it serve on. */
    private void replace(int worker, long nowNs) {
        String lost = starter.lost();
        if (lost.isEmpty()) {
            start(worker, nowNs);
            return;
        }
        posts[worker].vacant = false;
        posts[worker].granted = false;
        observer.line("worker " + worker + " is not replaced: " + lost);
        if (served) {
            endIfNobodyIsLeft(nowNs);
        } else {
            fail(ExitCode.FAILED, nowNs);
        }
    }

    private void endIfNobodyIsLeft(long nowNs) {
        for (Post post : posts) {
            if (post.process != null || post.granted) {
                return;
            }
        }
        observer.line("no worker is left");
        fail(ExitCode.FAILED, nowNs);
    }

    private void fail(int code, long nowNs) {
        exit = code;
        askStop(nowNs);
    }

    /** All are to drain and go. Any number of times. */
    void askStop(long nowNs) {
        if (stopping) {
            return;
        }
        stopNs = nowNs;
        stopping = true;
        stopEndNs = nowNs + stopBoundNs.getAsLong();
        for (Post post : posts) {
            if (post.process != null) {
                post.process.stop();
            }
        }
    }

    /**
     * Does what is due.
     *
     * @return nanoseconds to the next thing due, 0 where that was the end of all, or {@link #NEVER}
     */
    long runTimers(long nowNs) {
        long waitNs = stopping ? killStragglers(nowNs)
                : Math.min(replaceVacant(nowNs), killWhoIsNotArmed(nowNs));
        return isOver() ? 0 : waitNs;
    }

    private long killStragglers(long nowNs) {
        if (killed) {
            return NEVER;
        }
        if (stopEndNs - nowNs > 0) {
            return stopEndNs - nowNs;
        }
        killed = true;
        for (int worker = 0; worker < posts.length; worker++) {
            if (posts[worker].process != null) {
                failStop("worker " + worker + " did not end within "
                        + (nowNs - stopNs) / NS_PER_MS + " ms and is killed");
                posts[worker].process.kill();
            }
        }
        return NEVER;
    }

    private long replaceVacant(long nowNs) {
        long waitNs = NEVER;
        for (int worker = 0; worker < posts.length && !stopping; worker++) {
            Post post = posts[worker];
            if (post.vacant && post.vacantUntilNs - nowNs <= 0) {
                if (post.granted || succession.tryTake(nowNs)) {
                    replace(worker, nowNs);
                } else {
                    post.vacantUntilNs = nowNs + succession.waitNs(nowNs);
                }
            }
            if (post.vacant) {
                waitNs = Math.min(waitNs, post.vacantUntilNs - nowNs);
            }
        }
        return waitNs;
    }

    private long killWhoIsNotArmed(long nowNs) {
        long waitNs = NEVER;
        for (int worker = 0; worker < posts.length; worker++) {
            Post post = posts[worker];
            if (post.process == null || post.armed) {
                continue;
            }
            long leftNs = post.startedNs + ARMING_MS_MAX * NS_PER_MS - nowNs;
            if (leftNs <= 0) {
                observer.line("worker " + worker + " was not armed after " + ARMING_MS_MAX + " ms");
                post.process.kill();
                post.startedNs = nowNs;
            } else {
                waitNs = Math.min(waitNs, leftNs);
            }
        }
        return waitNs;
    }

    /** Whether a stop was asked for or has come of itself. */
    boolean isStopping() {
        return stopping;
    }

    /** Whether every process has ended and none is to follow. */
    boolean isOver() {
        if (!stopping) {
            return false;
        }
        for (Post post : posts) {
            if (post.process != null) {
                return false;
            }
        }
        return true;
    }

    /** What the supervisor is to end with. */
    int exit() {
        return exit;
    }
}
