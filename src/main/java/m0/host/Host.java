package m0.host;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import m0.app.App;

/**
 * A process that serves what a program chose, one application or several: command line, environment,
 * checks, doctor, listener, and then whichever part it has: all of a host ({@link AloneHost}), the
 * supervisor of workers ({@link Supervisor}), or one worker ({@link WorkerHost}).
 *
 * <p>Threads: the caller's, which waits in here until the end. Errors: whatever hinders a start is
 * one {@code host:} line on stderr and an exit code: 1 failed, 2 unreadable command line, 78
 * refused. It returns from an orderly stop, and the caller exits. Otherwise it ends the process
 * itself, without shutdown hooks: at a second signal; where a loop, a pool thread or the producer is
 * still inside the application behind the drain's bound; and in a worker whose process does not end
 * soon behind its serving.
 */
public final class Host {
    private final Settings settings;
    private final Environment environment;
    private final Selection selection;

    private Host(Settings settings, Environment environment, Selection selection) {
        this.settings = settings;
        this.environment = environment;
        this.selection = selection;
    }

    /** Serves the application that {@code M0_APP} names; returns the exit code. */
    public static int serve(String[] args) {
        return run(args, OneApplication.named(Host.class.getClassLoader()));
    }

    /**
     * Serves {@code app}; returns the exit code. {@code M0_APP} must not name another: a program
     * that brings its own application refuses it (78).
     *
     * <p>It does not always return: where a stop has to leave a thread inside the application, the
     * process ends in here, and neither what stands behind this call nor a shutdown hook is run.
     */
    public static int serve(String[] args, App app) {
        if (app == null) {
            throw new NullPointerException("app");
        }
        return run(args, OneApplication.given(app));
    }

    /** Serves what that program chooses; returns the exit code. */
    public static int run(String[] args, HostProgram program) {
        CommandLine line = CommandLine.read(args, program);
        if (line.help()) {
            System.out.print(Help.text(program));
            return ExitCode.SERVED;
        }
        Environment environment = new Environment(System.getenv());
        Settings settings = new Settings(line, environment, program);
        Selection selection = program.select(settings, line.command());
        List<Check> checks = line.error().isEmpty()
                ? Checks.evaluate(settings, environment, selection,
                        Surroundings.ofThisProcess())
                : List.of(new Check("command-line", line.error(), "--help lists the flags",
                        ExitCode.UNREADABLE));
        Check refusal = Checks.firstFailure(checks);
        if (line.doctor()) {
            System.out.println(Doctor.report(settings, selection, checks));
            return refusal == null ? ExitCode.SERVED : refusal.exit();
        }
        if (refusal != null) {
            say(refusal.line());
            return refusal.exit();
        }
        return new Host(settings, environment, selection).run();
    }

    private int run() {
        WorkerSeat seat = WorkerSeat.of(environment);
        if (seat != null) {
            return new WorkerHost(seat, config(), selection.service()).run();
        }
        if (!environment.passedOver().isEmpty()) {
            say("passed over " + String.join(", ", environment.passedOver())
                    + ", which a container platform sets");
        }
        return settings.number(Setting.WORKERS) > 1 ? supervise() : serve();
    }

    private int supervise() {
        Listener listener = listen();
        return listener == null ? ExitCode.FAILED
                : new Supervisor(config(), selection.service(), listener, banner(listener)).run();
    }

    private int serve() {
        Listener listener = listen();
        return listener == null ? ExitCode.FAILED
                : new AloneHost(config(), selection.service(), listener, banner(listener)).run();
    }

    /** The listener that this process was started with, or one that it binds; null if it cannot. */
    private Listener listen() {
        ServerConfig config = config();
        try {
            Listener inherited = Listener.inherited();
            return inherited == null ? Listener.bind(config) : inherited;
        } catch (IOException failure) {
            say("cannot listen on " + Listener.url(ListenAddress.read(config.text(Setting.HOST)),
                    config.number(Setting.PORT)) + ": " + Failure.line(failure)
                    + " (free it where it is taken, or set M0_PORT or --port, M0_HOST or --host to another)");
            return null;
        }
    }

    private ServerConfig config() {
        Map<String, String> own = new HashMap<>();
        for (String name : selection.app().settings()) {
            String value = environment.value(name);
            if (value != null) {
                own.put(name, value);
            }
        }
        return new ServerConfig(settings, own);
    }

    /** The line that says it serves. */
    private String banner(Listener listener) {
        Topology topology = Topology.of(settings, selection.lanes());
        return "listening on " + listener.url() + " app=" + selection.name()
                + " mode=" + topology.mode() + " loops=" + topology.loops()
                + " pool=" + topology.pool() + " pid=" + ProcessId.own();
    }

    private static void say(String text) {
        System.err.println("host: " + text);
    }
}
