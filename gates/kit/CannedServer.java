package kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** Says what it was told to, so that the gates' readers can be tried. */
final class CannedServer {

    private CannedServer() {
    }

    /** Answers one connection with {@code answer} and a FIN, whatever it sends. */
    static void serve(String answer, Consumer<RawClient> exchange) {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                RawClient client = RawClient.connect("127.0.0.1", listener.getLocalPort(), 0);
                Socket accepted = listener.accept()) {
            accepted.getOutputStream().write(RawClient.bytes(answer));
            accepted.shutdownOutput();
            exchange.accept(client);
        } catch (IOException failure) {
            throw new AssertionError("the canned server: " + failure, failure);
        }
    }
}
