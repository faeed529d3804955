package m0.host;

import m0.loop.Clock;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Takes SIGTERM and SIGINT: the first asks for a stop, a second one is told apart, which ends a process
 * that nobody else would end.
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
    static final long ECHO_NS = 100_000_000L;

    /** Who is signalled. */
    interface Target {
        void askStop();

        /** Another signal has come, of that name. */
        void onAnother(String name);
    }

    static final String LEFT_ALONE = "signals are not left to this JVM, so nothing could stop it in"
            + " order (start java without -Xrs)";

    private final Target target;
    private final Clock clock;
    private boolean asked;
    private long askedNs;

    Signals(Target target, Clock clock) {
        this.target = target;
        this.clock = clock;
    }

    /** From now on signals go to that target; false if this JVM may not take them (-Xrs). */
    static boolean take(Target target) {
        Signals signals = new Signals(target, Clock.SYSTEM);
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
        long nowNs = clock.nanoTime();
        if (!asked) {
            asked = true;
            askedNs = nowNs;
            target.askStop();
        } else if (nowNs - askedNs >= ECHO_NS) {
            target.onAnother("SIG" + signal.getName());
        }
    }
}
