package m0.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import m0.app.App;
import m0.host.Muster.LoopFailure;

/**
 * A process that serves what a program chose, one application or several: command line, environment, checks, doctor, listener,
 * signals, drain, exit code.
 *
 * <p>Threads: the caller's, which waits in here until the end. Errors: whatever hinders a start is
 * one {@code host:} line on stderr and an exit code: 1 failed, 2 unreadable command line, 78
 * refused. It never exits by itself, but for a second signal and for a loop that does not end.
 */
public final class Host {
    /** What a drain may take beyond its bound until the loops' threads are through. */
    private static final long JOIN_EXTRA_MS = 1500;
    /** Connections that a loop surely closes in a millisecond, however busy its machine is. */
    private static final long CLOSED_PER_MS = 4;
    private static final long NS_PER_MS = 1_000_000L;

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
     */
    public static int serve(String[] args, App app) {
        if (app == null) {
            throw new NullPointerException("app");
        }
        return run(args, OneApplication.given(app));
    }

    /** Serves what that program chooses; returns the exit code. */
    public static int run(String[] args, HostProgram program) {
        CommandLine line = CommandLine.read(args);
        if (line.help()) {
            System.out.print(Help.text(program));
            return ExitCode.SERVED;
        }
        Environment environment = new Environment(System.getenv());
        Settings settings = new Settings(line, environment, program.defaults());
        Selection selection = program.select(settings, line.command());
        List<Check> checks = line.error().isEmpty()
                ? Checks.evaluate(settings, environment, selection)
                : List.of(new Check("command-line", line.error(), "--help lists the flags",
                        ExitCode.UNREADABLE));
        Check refusal = Checks.firstFailure(checks);
        if (line.doctor()) {
            System.out.println(Doctor.report(settings, selection, checks));
            return refusal == null ? ExitCode.SERVED : refusal.exit();
        }
        if (refusal != null) {
            say(refusal.detail() + " (" + refusal.fix() + ")");
            return refusal.exit();
        }
        return new Host(settings, environment, selection).run();
    }

    private int run() {
        if (!environment.passedOver().isEmpty()) {
            say("passed over " + String.join(", ", environment.passedOver())
                    + ", which a container platform sets");
        }
        String missing = AgronaOpening.finding();
        if (!missing.isEmpty()) {
            say(missing);
            return ExitCode.REFUSED;
        }
        ServerConfig config = config();
        Server server;
        try {
            server = Server.bind(config);
        } catch (IOException failure) {
            say("cannot listen on " + Listener.url(ListenAddress.read(config.text(Setting.HOST)),
                    config.number(Setting.PORT)) + ": " + Failure.line(failure)
                    + " (free it where it is taken, or set M0_PORT or --port, M0_HOST or --host to another)");
            return ExitCode.FAILED;
        }
        try {
            if (!Signals.take(server)) {
                say("signals are not left to this JVM, so nothing could stop it in order (start"
                        + " java without -Xrs)");
                return ExitCode.REFUSED;
            }
            if (server.launch(selection.service(), null)) {
                say("listening on " + server.url() + " app=" + selection.name() + topology()
                        + " pid=" + processId());
                server.muster().awaitEnding();
            }
            return end(server);
        } catch (StartRefusedException refused) {
            server.log().line(refused.getMessage());
            server.log().close();
            return refused.exit();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            server.log().line("the host's thread was interrupted");
            server.log().close();
            return ExitCode.FAILED;
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

    private String topology() {
        Topology topology = Topology.of(settings, selection.lanes());
        return " mode=" + topology.mode() + " loops=" + topology.loops()
                + " pool=" + topology.pool();
    }

    /**
     * Where Linux says it, since the JDK's own answer brings a pool of threads with it and costs a
     * start some ten milliseconds.
     */
    private static String processId() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self")).toString();
        } catch (IOException notLinux) {
            return Long.toString(ProcessHandle.current().pid());
        }
    }

    /** A stop was asked for, or a loop has failed. */
    private int end(Server server) throws InterruptedException {
        LoopFailure failure = server.muster().failure();
        if (failure == null) {
            long boundMs = settings.number(Setting.DRAIN_TIMEOUT_MS) + JOIN_EXTRA_MS
                    + server.connections() / CLOSED_PER_MS;
            boolean ended = server.drain(boundMs * NS_PER_MS);
            failure = server.muster().failure();
            if (failure == null) {
                return ended ? left(server, ExitCode.SERVED) : halt(server);
            }
        }
        server.removeFiles();
        server.log().line(server.describe(failure) + ", and the process with it");
        server.joinProducer();
        server.closeLogs();
        return left(server, ExitCode.FAILED);
    }

    /** What was abandoned may still use what hooks would take away, so then none are run. */
    private static int left(Server server, int exit) {
        if (server.hasAbandoned()) {
            Runtime.getRuntime().halt(exit);
        }
        return exit;
    }

    /** Hooks would wait for what does not end, so none are run. */
    private static int halt(Server server) {
        for (int loop = 0; loop < server.loops(); loop++) {
            if (!server.muster().hasEnded(loop)) {
                server.log().line("loop " + loop + " did not end");
            }
        }
        server.closeLogs();
        Runtime.getRuntime().halt(ExitCode.FAILED);
        return ExitCode.FAILED;
    }

    private static void say(String text) {
        System.err.println("host: " + text);
    }
}
