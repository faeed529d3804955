package m0.serve;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Puts our servers in the place of the JDK's, in a program that was written against those:
 *
 * <pre>
 * java -Dcom.sun.net.httpserver.HttpServerProvider=m0.serve.Provider \
 *         --add-opens java.base/jdk.internal.misc=ALL-UNNAMED -cp host.jar:program.jar Program
 * </pre>
 *
 * <p>It is chosen by that property alone and by no service file, which would capture every program
 * that has the jar on its class path.
 *
 * <p>Threads: any. Errors: without the opening that Agrona needs, binding throws an
 * {@code IllegalStateException} that names the flag; an {@code HttpsServer} is refused.
 */
public final class Provider extends HttpServerProvider {
    /** For the JDK. */
    public Provider() {
        super();
    }

    @Override
    public HttpServer createHttpServer(InetSocketAddress address, int backlog)
            throws IOException {
        ProvidedServer server = new ProvidedServer();
        if (address != null) {
            server.bind(address, backlog);
        }
        return server;
    }

    @Override
    public HttpsServer createHttpsServer(InetSocketAddress address, int backlog) {
        throw new UnsupportedOperationException("m0.serve.Provider speaks no TLS: let a proxy in"
                + " front of it do so, or have the JDK's own server with"
                + " -Dcom.sun.net.httpserver.HttpServerProvider="
                + "sun.net.httpserver.DefaultHttpServerProvider");
    }
}
