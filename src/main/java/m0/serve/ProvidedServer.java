package m0.serve;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import m0.host.Server;
import m0.host.ServerConfig;
import m0.host.Service;
import m0.host.Service.LanePlan;
import m0.host.Setting;
import m0.http.Request;
import m0.pool.Placement;

/**
 * A {@code HttpServer} of the JDK's kind on a loop and a lane of ours. It takes no signals and no
 * environment, and a JVM can have several.
 *
 * <p>Each exchange runs in the server's executor; without one on a single pool thread, since the
 * JDK's default is one after the other. Settings of the host can be given as system properties,
 * {@code -Dm0.max-body=64m} for {@code --max-body 64m}; they are read as a server is bound.
 *
 * <p>Threads: any. Owns: its {@link Server}, from the bind on. Limits: the backlog is the kernel's,
 * whatever is asked for. Errors: as the JDK's; {@link #stop} cuts what is in flight when its delay
 * has passed.
 */
final class ProvidedServer extends HttpServer {
    /** What a server says itself, or has no use for. */
    private static final List<Setting> NOT_TAKEN = List.of(Setting.HOST, Setting.PORT, Setting.APP,
            Setting.WORKERS, Setting.BLOCKING_THREADS, Setting.MOUNT, Setting.MOUNT_LOOP);

    /** Everything to the one lane. */
    private static final class OneLane implements Placement {
        @Override
        public int lane(Request request) {
            return 0;
        }
    }

    private final Contexts contexts = new Contexts();
    private Executor executor;
    /** Null before the bind. */
    private Server server;
    private boolean started;
    private boolean stopped;

    @Override
    public synchronized void bind(InetSocketAddress address, int backlog) throws IOException {
        Objects.requireNonNull(address, "no address");
        if (server != null) {
            throw new BindException("this server is bound to " + server.address());
        }
        server = bind(address);
    }

    /** The wildcard is every address of both families, as the JDK's server has it. */
    private static Server bind(InetSocketAddress address) throws IOException {
        InetAddress wanted = address.getAddress();
        if (wanted == null) {
            throw new BindException("no address is known for " + address.getHostString());
        }
        if (!wanted.isAnyLocalAddress()) {
            return bind(wanted.getHostAddress(), address.getPort());
        }
        try {
            return bind("::", address.getPort());
        } catch (BindException taken) {
            throw taken;
        } catch (IOException noSuchFamily) {
            return bind("0.0.0.0", address.getPort());
        }
    }

    private static Server bind(String host, int port) throws IOException {
        ServerConfig.Builder config = ServerConfig.builder();
        for (Setting setting : Setting.values()) {
            if (!NOT_TAKEN.contains(setting)) {
                config.property(setting);
            }
        }
        return Server.bind(config.host(host).port(port).set(Setting.BLOCKING_THREADS, "1")
                .build());
    }

    @Override
    public void start() {
        Server bound;
        Service service;
        synchronized (this) {
            if (server == null || started || stopped) {
                throw new IllegalStateException("server in wrong state");
            }
            started = true;
            bound = server;
            service = new Service(new LoopSide(), new OneLane(), List.of(new LanePlan(
                    (ofThread, failures) -> new HandlerLane(contexts, failures, true),
                    executor)));
        }
        try {
            bound.start(service);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the server started", interrupted);
        }
    }

    @Override
    public synchronized void setExecutor(Executor runs) {
        if (started) {
            throw new IllegalStateException("server already started");
        }
        executor = runs;
    }

    @Override
    public synchronized Executor getExecutor() {
        return executor;
    }

    @Override
    public void stop(int delay) {
        if (delay < 0) {
            throw new IllegalArgumentException("negative delay parameter");
        }
        Server ending;
        synchronized (this) {
            stopped = true;
            ending = server;
        }
        if (ending == null) {
            return;
        }
        try {
            ending.stopWithin(Duration.ofSeconds(delay));
        } catch (InterruptedException interrupted) {
            // It ends all the same, by its own threads.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public HttpContext createContext(String path, HttpHandler handler) {
        Objects.requireNonNull(handler, "no handler");
        return add(path, handler);
    }

    @Override
    public HttpContext createContext(String path) {
        return add(path, null);
    }

    private HttpContext add(String path, HttpHandler handler) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a context's path begins with a slash, and not "
                    + path);
        }
        ServedContext added = new ServedContext(this, path, handler);
        contexts.add(added);
        return added;
    }

    @Override
    public void removeContext(String path) {
        Objects.requireNonNull(path, "no path");
        contexts.remove(path);
    }

    @Override
    public void removeContext(HttpContext context) {
        Objects.requireNonNull(context, "no context");
        contexts.remove(context);
    }

    @Override
    public synchronized InetSocketAddress getAddress() {
        return server == null ? null : server.address();
    }
}
