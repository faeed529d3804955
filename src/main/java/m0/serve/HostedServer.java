package m0.serve;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/**
 * What a handler of the subcommand {@code serve} gets for its context's server: one that the host
 * runs, and nobody else.
 *
 * <p>Threads: any. Errors: every call throws and says whose it is.
 */
final class HostedServer extends HttpServer {
    private static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("this server is the host's: it is configured by"
                + " the settings of serve and stopped by a signal");
    }

    @Override
    public void bind(InetSocketAddress address, int backlog) {
        throw refusal();
    }

    @Override
    public void start() {
        throw refusal();
    }

    @Override
    public void setExecutor(Executor executor) {
        throw refusal();
    }

    @Override
    public Executor getExecutor() {
        throw refusal();
    }

    @Override
    public void stop(int delay) {
        throw refusal();
    }

    @Override
    public HttpContext createContext(String path, HttpHandler handler) {
        throw refusal();
    }

    @Override
    public HttpContext createContext(String path) {
        throw refusal();
    }

    @Override
    public void removeContext(String path) {
        throw refusal();
    }

    @Override
    public void removeContext(HttpContext context) {
        throw refusal();
    }

    @Override
    public InetSocketAddress getAddress() {
        throw refusal();
    }
}
