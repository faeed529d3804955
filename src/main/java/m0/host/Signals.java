package m0.host;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Takes SIGTERM and SIGINT: the first asks for a stop, the second ends the process.
 *
 * <p>A shutdown hook would not do: a JVM that a signal ends exits with 143 whatever its hooks did.
 *
 * <p>Threads: the JVM's, one for each signal that comes.
 */
final class Signals implements SignalHandler {
    private final Server server;
    private boolean asked;

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
        if (asked) {
            server.log().line("a second signal, SIG" + signal.getName() + ", ends it at once");
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
        asked = true;
        server.muster().askStop();
    }
}
