package m0.host;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * A host's process that is one worker: it serves what its supervisor's listener brings, says when it
 * is armed, and takes its stop from the control line or from its first signal, whichever comes first.
 *
 * <p>Every further signal is ignored: a terminal's reaches the whole group, and the supervisor, which
 * has it too, is the one who may lose patience.
 *
 * <p>Threads: {@link #run} is the process's main thread, the rest the JVM's signal threads. Limits:
 * five seconds from the end of serving to the end of the process.
 */
final class WorkerHost implements Signals.Target {
    private static final long LEAVING_NS = 5_000_000_000L;
    /** What to do where it is not one at all. */
    private static final String NO_WORKER = " (unset " + WorkerSeat.WORKER + " and "
            + WorkerSeat.DIRECTORY + " in the environment of a program that is no worker, a child of"
            + " one say)";

    private final WorkerSeat seat;
    private final ServerConfig config;
    private final Service service;
    private Server server;

    WorkerHost(WorkerSeat seat, ServerConfig config, Service service) {
        this.seat = seat;
        this.config = config;
        this.service = service;
    }

    /** Serves to the end; the exit code. */
    int run() {
        try {
            int exit = serve(WorkerLink.connect(seat));
            endSoon(exit);
            return exit;
        } catch (IOException failure) {
            say("worker " + seat.worker() + " does not find its supervisor in " + seat.directory()
                    + ": " + Failure.line(failure) + NO_WORKER);
            return ExitCode.FAILED;
        }
    }

    /**
     * The caller's main and the hooks of the JVM's end are still to come, and may never be through. A
     * process that serves no more would keep its place then, and the port where its supervisor is gone.
     */
    private static void endSoon(int exit) {
        Thread thread = new Thread(() -> {
            long sinceNs = System.nanoTime();
            while (System.nanoTime() - sinceNs < LEAVING_NS) {
                LockSupport.parkNanos(LEAVING_NS);
            }
            Runtime.getRuntime().halt(exit);
        }, "m0-leaving");
        thread.setDaemon(true);
        thread.start();
    }

    private int serve(WorkerLink link) throws IOException {
        Listener listener = Listener.inherited();
        if (listener == null) {
            say("worker " + seat.worker() + " has no listening socket as descriptor 0"
                    + NO_WORKER);
            return ExitCode.FAILED;
        }
        int workers = (int) config.number(Setting.WORKERS);
        server = Server.at(config, new WorkerPlace(seat, workers, link), listener);
        Signals.take(this);
        link.hear(this::askStop);
        try {
            return new Serving(server, config).run(service, () -> { });
        } catch (StartRefusedException refused) {
            return refused(link, refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            server.log().line("the worker's thread was interrupted");
            server.log().close();
            return ExitCode.FAILED;
        }
    }

    /** The supervisor says it, once for all workers that are refused alike. */
    private int refused(WorkerLink link, StartRefusedException refused) {
        if (refused.exit() == ExitCode.REFUSED) {
            link.refuse(ControlLine.joined(refused.getMessage(), refused.below()));
        } else {
            server.log().line(refused.getMessage());
        }
        server.log().close();
        return refused.exit();
    }

    @Override
    public void askStop() {
        server.muster().askStop();
    }

    @Override
    public void onAnother(String name) { }

    private static void say(String text) {
        System.err.println("host: " + text);
    }
}
