package m0.host;

import java.util.List;

/**
 * A host that is one process: its loops are threads of it, and signals stop it.
 *
 * <p>Threads: {@link #run} is the process's main thread, the rest the JVM's signal threads.
 */
final class AloneHost implements Signals.Target {
    /** How long the last line may take where nobody reads it. */
    static final long LAST_LINE_MS = 1000;

    private final ServerConfig config;
    private final Service service;
    private final Server server;
    private final String banner;

    AloneHost(ServerConfig config, Service service, Listener listener, String banner) {
        this.config = config;
        this.service = service;
        this.banner = banner;
        server = Server.at(config, new AlonePlace((int) config.number(Setting.THREADS)), listener);
    }

    /** Serves to the end; the exit code. */
    int run() {
        if (!Signals.take(this)) {
            return refused(Signals.LEFT_ALONE, List.of(), ExitCode.REFUSED);
        }
        try {
            return new Serving(server, config).run(service, () -> System.err.println("host: " + banner));
        } catch (StartRefusedException refused) {
            return refused(refused.getMessage(), refused.below(), refused.exit());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return refused("the host's thread was interrupted", List.of(), ExitCode.FAILED);
        }
    }

    private int refused(String finding, List<String> below, int exit) {
        server.log().line(finding, below);
        server.log().close();
        return exit;
    }

    @Override
    public void askStop() {
        server.muster().askStop();
    }

    /** Whoever signals twice does not want to wait. */
    @Override
    public void onAnother(String name) {
        server.removeFiles();
        server.log().line("a second signal, " + name + ", ends it at once");
        server.log().flush(LAST_LINE_MS);
        Runtime.getRuntime().halt(ExitCode.FAILED);
    }
}
