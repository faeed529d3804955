package operate;

import java.time.Duration;
import kit.RawClient;
import kit.ServerProcess;

/** A stop as a gate sees it: the moment of the signal, and how long after it the process ended. */
final class Stop {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration LISTENING_BOUND = Duration.ofSeconds(10);

    private final ServerProcess server;
    private final long sinceNs;

    private Stop(ServerProcess server, long sinceNs) {
        this.server = server;
        this.sinceNs = sinceNs;
    }

    /** SIGTERM, to the process alone. */
    static Stop term(ServerProcess server) {
        long sinceNs = System.nanoTime();
        server.term();
        return new Stop(server, sinceNs);
    }

    /** When the signal was sent, on {@link System#nanoTime}. */
    long sinceNs() {
        return sinceNs;
    }

    /** Milliseconds from the signal until now. */
    long ms() {
        return (System.nanoTime() - sinceNs) / 1_000_000L;
    }

    /** Waits until the drain has begun: nobody new is taken in. */
    Stop awaitNobodyListens() {
        ServerProcess.await("the end of listening", LISTENING_BOUND,
                () -> !RawClient.canConnect("127.0.0.1", server.port()));
        return this;
    }

    /** Waits for the end, which must come with that code; milliseconds from the signal to it. */
    long expectExit(int code) {
        int exit = server.awaitExit(BOUND);
        long ms = ms();
        if (exit != code) {
            throw new AssertionError("exit " + exit + " instead of " + code);
        }
        return ms;
    }

    /** The same, and the end must not come before and not after so many milliseconds. */
    long expectExitWithin(int code, long notBeforeMs, long notAfterMs) {
        long ms = expectExit(code);
        if (ms < notBeforeMs || ms > notAfterMs) {
            throw new AssertionError("it ended " + ms + " ms after the signal, and not within "
                    + notBeforeMs + ".." + notAfterMs);
        }
        return ms;
    }
}
