package serve;

import kit.ServerProcess;

/** The one module on its two hosts, with two threads for each lane. */
final class Ramps {
    static final String THREADS = "2";

    private Ramps() {
    }

    /** As all that the first host serves. */
    static ServerProcess.Plan host() {
        return ServerProcess.app("ramp").set("M0_BLOCKING_THREADS", THREADS);
    }

    /** Mounted on the second, beside its default handler. */
    static ServerProcess.Plan mounted() {
        return Serving.bareapp().args("--mount", "/x=ramp").set("M0_BLOCKING_THREADS", THREADS);
    }
}
