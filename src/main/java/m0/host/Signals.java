package m0.host;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Takes SIGTERM and SIGINT: the first asks for a stop, a second one ends the process.
 *
 * <p>A shutdown hook would not do: a JVM that a signal ends exits with 143 whatever its hooks did.
 *
 * <p>Threads: the JVM's, one for each signal that comes.
 */
final class Signals implements SignalHandler {
    /**
     * What comes sooner after the first signal is the same wish: a terminal signals the whole group,
     * and whoever forwards signals does so as well.
     */
    private static final long ECHO_NS = 100_000_000L;
    /** How long the last line may take where nobody reads it. */
    private static final long LAST_LINE_MS = 200;

    private final Server server;
    private boolean asked;
    private long askedNs;

    private Signals(Server server) {
        this.server = server;
    }

    /** From now on signals stop that server; false if this JVM may not take them (-Xrs). */
    static boolean take(Server server) {
        Signals signals = new Signals(server);
        try {
            Signal.handle(new Signal("TERM"), signals);
            Signal.handle(new Signal("INT"), signals);
            return true;
        } catch (IllegalArgumentException notOurs) {
            return false;
        }
    }

    @Override
    public synchronized void handle(Signal signal) {
        long nowNs = System.nanoTime();
        if (asked) {
            if (nowNs - askedNs < ECHO_NS) {
                return;
            }
            server.removeFiles();
            server.log().line("a second signal, SIG" + signal.getName() + ", ends it at once");
            server.log().flush(LAST_LINE_MS);
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
        asked = true;
        askedNs = nowNs;
        server.muster().askStop();
    }
}
