package m0.host;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import m0.bus.BusWarden;
import m0.loop.Clock;
import m0.page.Page;
import m0.telemetry.HostLog;
import m0.telemetry.LineWriter;

/**
 * The process that owns the listener and what workers share, and starts, stops and replaces them; it
 * serves nothing itself. What it decides is {@link Supervision}'s to say: here are the processes, the
 * control socket and the signals it decides about.
 *
 * <p>Threads: {@link #run} is the process's main thread and does everything, one event after the
 * other; others only leave events for it. Owns: listener, directory and processes. Errors: an exit
 * code, with a line on stderr.
 */
final class Supervisor implements Signals.Target, Supervision.Starter, Supervision.Observer {
    private static final long NS_PER_MS = 1_000_000L;
    /** What a worker needs to end beyond the bounds that it keeps itself. */
    private static final long ENDING_MS = 2000;
    /** How soon it is seen that workers have left the listener. */
    private static final long LOOK_NS = 10 * NS_PER_MS;

    private final ServerConfig config;
    private final Service service;
    private final Listener listener;
    private final String banner;
    private final Clock clock = Clock.SYSTEM;
    private final HostLog log;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final Supervision supervision;
    private final Set<RunningWorker> running = ConcurrentHashMap.newKeySet();
    /** Those that have ended while not all of their lines were passed on. */
    private final Set<RunningWorker> speaking = ConcurrentHashMap.newKeySet();
    /** The supervising thread's: nobody listens any more. */
    private boolean released;
    private WorkerCommand command;
    private Redirect listenerOfWorkers;
    private Page page;
    private BusWarden warden;
    /** Null before it is made; taken away by whoever ends the process. */
    private volatile PrivateDirectory directory;

    Supervisor(ServerConfig config, Service service, Listener listener, String banner) {
        this.config = config;
        this.service = service;
        this.listener = listener;
        this.banner = banner;
        log = new HostLog(new LineWriter(System.err), clock);
        supervision = new Supervision((int) config.number(Setting.WORKERS), this, this,
                this::stopBoundNs);
    }

    /** Supervises to the end; the exit code. */
    int run() {
        int exit = begin();
        PrivateDirectory made = directory;
        if (made != null) {
            made.close();
        }
        log.close();
        return exit;
    }

    private int begin() {
        if (!Signals.take(this)) {
            log.line(Signals.LEFT_ALONE);
            return ExitCode.REFUSED;
        }
        try {
            command = WorkerCommand.ofThisProcess();
            listenerOfWorkers = DescriptorPassing.redirect(listener.channel());
            directory = PrivateDirectory.make(SharedFiles.parent());
            share();
            try (ControlDoor door = ControlDoor.open(
                    WorkerSeat.control(directory.path()), this::onConnected)) {
                supervise();
            }
            passOnLastLines();
            warden.close();
            return supervision.exit();
        } catch (StartRefusedException refused) {
            log.line(refused.getMessage(), refused.below());
            return refused.exit();
        } catch (IOException | ReflectiveOperationException failure) {
            log.line("workers cannot be supervised, which share a megabyte each in "
                    + SharedFiles.parent() + ": " + Failure.line(failure) + " (make room there, or set "
                    + Setting.WORKERS.variable() + " or " + Setting.WORKERS.flag() + " to fewer)");
            return ExitCode.FAILED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            log.line("the supervisor's thread was interrupted");
            killAll();
            return ExitCode.FAILED;
        }
    }

    /** Makes what all workers have in common. */
    private void share() throws IOException, StartRefusedException {
        int workers = (int) config.number(Setting.WORKERS);
        try {
            page = Page.create(directory.resolve(Page.FILE), workers,
                    config.counterWords(service), service.app().pageSlots(workers));
        } catch (RuntimeException thrown) {
            throw new StartRefusedException("the application's pageSlots cannot be served: "
                    + Failure.thrown(thrown), ExitCode.REFUSED, thrown);
        }
        warden = BusWarden.create(directory.path(), page, config.gauges(service));
    }

    private void supervise() throws InterruptedException {
        supervision.begin(clock.nanoTime());
        while (!supervision.isOver()) {
            long waitNs = Math.min(supervision.runTimers(clock.nanoTime()), releaseListener());
            Runnable event = waitNs == Supervision.NEVER ? events.take()
                    : events.poll(waitNs, TimeUnit.NANOSECONDS);
            if (event != null) {
                event.run();
            }
        }
        releaseListener();
    }

    /**
     * Gives the listener up once a stop has begun and every worker has taken in who waited there.
     *
     * @return nanoseconds to the next look, or {@link Supervision#NEVER}
     */
    private long releaseListener() {
        if (!supervision.isStopping() || released) {
            return Supervision.NEVER;
        }
        for (RunningWorker worker : running) {
            if (!page.line(worker.worker()).hasLeftListener()) {
                return LOOK_NS;
            }
        }
        released = true;
        try {
            listener.closeForAll();
        } catch (IOException | ReflectiveOperationException failure) {
            log.line("the listener could not be closed: " + failure);
        }
        return Supervision.NEVER;
    }

    /** They end with this process, so whoever reads them slowly is waited for as in a drain. */
    private void passOnLastLines() throws InterruptedException {
        long endNs = clock.nanoTime() + config.number(Setting.DRAIN_TIMEOUT_MS) * NS_PER_MS;
        for (RunningWorker worker : speaking) {
            worker.passOn((endNs - clock.nanoTime()) / NS_PER_MS);
        }
    }

    private long stopBoundNs() {
        long connections = 0;
        for (int worker = 0; worker < page.loops(); worker++) {
            connections += page.line(worker).active();
        }
        return (config.number(Setting.DRAIN_DELAY_MS) + ENDING_MS) * NS_PER_MS
                + config.joinBoundNs(connections);
    }

    @Override
    public WorkerProcess start(int worker) throws IOException {
        RunningWorker started =
                RunningWorker.start(worker, command, directory.path(), listenerOfWorkers);
        running.add(started);
        Thread watch = new Thread(() -> watch(started), "m0-worker-" + worker);
        watch.setDaemon(true);
        watch.start();
        return started;
    }

    /**
     * Whoever cleans a place for shared memory may take away what is in use: what is mapped and
     * connected serves on, and nobody can come to it any more.
     */
    @Override
    public String lost() {
        Path shared = directory.path();
        return Files.exists(directory.resolve(Page.FILE)) && Files.exists(WorkerSeat.control(shared))
                && BusWarden.isThere(shared) ? "" : shared + " was cleaned from outside (restart the host; nothing may clean that"
                        + " directory while it serves, as logind does at a logout unless it is told"
                        + " RemoveIPC=no)";
    }

    /** On a thread for each worker. */
    private void watch(RunningWorker worker) {
        try {
            int code = worker.awaitEnd();
            running.remove(worker);
            speaking.removeIf(RunningWorker::isThrough);
            if (!worker.isThrough()) {
                speaking.add(worker);
            }
            events.add(() -> supervision.onExit(worker.worker(), worker, code, clock.nanoTime()));
        } catch (InterruptedException nobodyInterruptsIt) {
            Thread.currentThread().interrupt();
        }
    }

    /** On the door's thread. */
    private void onConnected(ControlLine line) {
        line.hear("m0-control", new Caller(line));
    }

    /** Who has connected: a worker, once it has said which. */
    private final class Caller implements ControlLine.Hearer {
        private final ControlLine line;
        private RunningWorker worker;

        Caller(ControlLine line) {
            this.line = line;
        }

        @Override
        public void onLine(String text) {
            events.add(() -> hear(text));
        }

        @Override
        public void onEnd() {
            events.add(this::end);
        }

        private void end() {
            line.close();
            if (worker != null) {
                worker.heard();
            }
        }

        private void hear(String text) {
            int blank = text.indexOf(' ');
            String word = blank < 0 ? text : text.substring(0, blank);
            String rest = blank < 0 ? "" : text.substring(blank + 1);
            if (word.equals(ControlLine.HELLO)) {
                worker = workerOf(rest);
                if (worker == null) {
                    // Somebody who has inherited a worker's environment, or a worker killed since.
                    line.close();
                } else {
                    worker.connected(line);
                }
            } else if (worker != null && word.equals(ControlLine.ARMED)) {
                supervision.onArmed(worker.worker(), worker, clock.nanoTime());
            } else if (worker != null && word.equals(ControlLine.REFUSED)) {
                supervision.onRefused(worker.worker(), worker, rest, clock.nanoTime());
            }
        }
    }

    /** The worker that calls itself {@code INDEX PID}, or null. */
    private RunningWorker workerOf(String name) {
        for (RunningWorker candidate : running) {
            if (name.equals(candidate.worker() + " " + candidate.pid())) {
                return candidate;
            }
        }
        return null;
    }

    @Override
    public void onServing() {
        log.line(banner);
    }

    @Override
    public void onEnded(int worker) {
        warden.settle(worker);
    }

    @Override
    public void line(String text) {
        List<String> lines = ControlLine.parted(text);
        log.line(lines.get(0), lines.subList(1, lines.size()));
    }

    @Override
    public void askStop() {
        events.add(() -> supervision.askStop(clock.nanoTime()));
    }

    /** Whoever signals twice does not want to wait. */
    @Override
    public void onAnother(String name) {
        killAll();
        PrivateDirectory made = directory;
        if (made != null) {
            made.close();
        }
        log.line("a second signal, " + name + ", ends it at once");
        log.flush(AloneHost.LAST_LINE_MS);
        Runtime.getRuntime().halt(ExitCode.FAILED);
    }

    private void killAll() {
        running.forEach(RunningWorker::kill);
    }
}
