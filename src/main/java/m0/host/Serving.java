package m0.host;

import m0.host.Muster.LoopFailure;

/**
 * One server in a process of its own, from its launch to the exit code.
 *
 * <p>Threads: {@link #run} is the process's main thread. Errors: it never exits by itself, but for
 * loops that do not end and for what was abandoned inside the application.
 */
final class Serving {
    private final Server server;
    private final ServerConfig config;

    Serving(Server server, ServerConfig config) {
        this.server = server;
        this.config = config;
    }

    /**
     * Serves until a stop was asked for or a loop has failed.
     *
     * @param onServing runs once all loops serve
     */
    int run(Service service, Runnable onServing)
            throws StartRefusedException, InterruptedException {
        boolean served = server.launch(service, null);
        if (served) {
            onServing.run();
            server.muster().awaitEnding();
        }
        return end(served);
    }

    /** A stop was asked for, or a loop has failed. */
    private int end(boolean served) throws StartRefusedException, InterruptedException {
        LoopFailure failure = server.muster().failure();
        if (failure == null) {
            boolean ended = server.drain(config.joinBoundNs(server.connections()));
            failure = server.muster().failure();
            if (failure == null) {
                return ended ? left(ExitCode.SERVED) : halt();
            }
        }
        server.removeFiles();
        if (!served) {
            // A stop came while it was still being made, and then that was refused.
            throw server.refusal(failure);
        }
        server.log().lineWithFailure(server.describe(failure) + ", and the process with it"
                + LoopFailures.whileAsked(failure), failure.cause());
        server.joinProducer();
        server.closeLogs();
        return left(ExitCode.FAILED);
    }

    /** What was abandoned may still use what hooks would take away, so then none are run. */
    private int left(int exit) {
        if (server.hasAbandoned()) {
            Runtime.getRuntime().halt(exit);
        }
        return exit;
    }

    /** Hooks would wait for what does not end, so none are run. */
    private int halt() {
        Place place = server.place();
        for (int loop = place.firstLoop(); loop < place.firstLoop() + place.loops(); loop++) {
            if (!server.muster().hasEnded(loop)) {
                server.log().line("loop " + loop + " did not end");
            }
        }
        server.closeLogs();
        Runtime.getRuntime().halt(ExitCode.FAILED);
        return ExitCode.FAILED;
    }
}
