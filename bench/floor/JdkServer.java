package floor;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Properties;
import java.util.concurrent.Executors;

/**
 * An application of ours for {@code m0.serve}, served by whichever {@code HttpServer} the JVM has: the
 * JDK's own, unless a property names another. Its line names the class.
 *
 * <p>Arguments: the port (0 for any free one), the application's name in {@code m0-apps.properties},
 * and how many threads answer.
 */
public final class JdkServer {
    private static final int BACKLOG = 4096;

    private JdkServer() {
    }

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        HttpServer server = HttpServer.create(new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), BACKLOG);
        server.createContext("/", application(arguments[1]));
        server.setExecutor(Executors.newFixedThreadPool(Integer.parseInt(arguments[2])));
        server.start();
        System.err.println("jdk: class=" + server.getClass().getName());
        System.err.println("jdk: listening on http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static HttpHandler application(String name)
            throws IOException, ReflectiveOperationException {
        Properties names = new Properties();
        try (InputStream in = JdkServer.class.getResourceAsStream("/m0-apps.properties")) {
            names.load(in);
        }
        return (HttpHandler) Class.forName(names.getProperty(name)).getConstructor().newInstance();
    }
}
