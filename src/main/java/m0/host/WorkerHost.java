package m0.host;

import java.io.IOException;

/**
 * A host's process that is one worker: it serves what its supervisor's listener brings, says when it
 * is armed, and takes its stop from the control line or from its first signal, whichever comes first.
 *
 * <p>Every further signal is ignored: a terminal's reaches the whole group, and the supervisor, which
 * has it too, is the one who may lose patience.
 *
 * <p>Threads: {@link #run} is the process's main thread, the rest the JVM's signal threads.
 */
final class WorkerHost implements Signals.Target {
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
            return serve(WorkerLink.connect(seat));
        } catch (IOException failure) {
            say("worker " + seat.worker() + " does not find its supervisor in " + seat.directory()
                    + ": " + Failure.line(failure) + " (unset " + WorkerSeat.WORKER + " and "
                    + WorkerSeat.DIRECTORY + " where a program was given them that is no worker)");
            return ExitCode.FAILED;
        }
    }

    private int serve(WorkerLink link) throws IOException {
        Listener listener = Listener.inherited();
        if (listener == null) {
            say("worker " + seat.worker() + " has no listening socket as descriptor 0");
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
            link.refuse(refused.getMessage());
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
