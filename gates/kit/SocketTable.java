package kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the kernel says of a connection: whether a server has read what it was sent, whether it
 * still holds its end, and which timer runs there.
 *
 * <p>A gate that needs a request to have begun, or one to stand behind another, asks here instead
 * of sleeping: whoever has not been given a processor yet has not read either.
 *
 * <p>Threads: the gate's. Limits: {@link RawClient#WAIT}. The table is no snapshot, and a line may
 * be missing from one look at it; so it is looked at again.
 */
public final class SocketTable {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    /** ESTABLISHED and CLOSE_WAIT: whoever holds that end may still write. */
    private static final Set<String> OPEN = Set.of("01", "08");
    private static final int LOOKS = 3;
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int QUEUES = 4;
    private static final int TIMER = 5;
    private static final int INODE = 9;
    private static final int HEX = 16;

    private SocketTable() {
    }

    /** A timer's kind, as the kernel numbers them, and its time left in hundredths of a second. */
    public record Timer(String kind, long left) {
        public static final String NONE = "00";
        public static final String KEEPALIVE = "02";
    }

    /**
     * Waits until the server has read all that the client has sent: it is within the pass that sees
     * to it, or behind that pass. One that has closed the connection is not waited for.
     */
    static void awaitTaken(int serverPort, int clientPort) {
        ServerProcess.await("a server to read what it was sent", RawClient.WAIT, () ->
                hasArrived(serverPort, clientPort) && hasTaken(serverPort, clientPort));
    }

    /** Waits until all that the client has sent has come as far as the server's socket. */
    static void awaitArrived(int serverPort, int clientPort) {
        ServerProcess.await("what was sent to arrive", RawClient.WAIT,
                () -> hasArrived(serverPort, clientPort));
    }

    /** Whether a process holds the server's end; what waits in the backlog is held by none. */
    static boolean isHeld(int serverPort, int clientPort) {
        return isHeld(found(serverPort, clientPort));
    }

    /** Nothing is on its way any more: the other end has acknowledged it, or is gone. */
    private static boolean hasArrived(int serverPort, int clientPort) {
        String[] client = found(clientPort, serverPort);
        return client.length == 0 || queue(client, 0) == 0;
    }

    /** In the backlog nothing is read, and behind its close a server reads no more. */
    private static boolean hasTaken(int serverPort, int clientPort) {
        String[] end = found(serverPort, clientPort);
        return end.length == 0
                || (isHeld(end) ? queue(end, 1) == 0 : !OPEN.contains(end[STATE]));
    }

    private static boolean isHeld(String[] end) {
        return end.length > 0 && !end[INODE].equals("0");
    }

    private static long queue(String[] line, int index) {
        return Long.parseLong(line[QUEUES].split(":")[index], HEX);
    }

    /** The timer at the server's end of that connection. */
    public static Timer timer(ServerProcess server, RawClient client) {
        String[][] end = new String[1][];
        ServerProcess.await("the server's end of a connection", RawClient.WAIT, () -> {
            end[0] = line(server.port(), client.localPort());
            return end[0].length > 0;
        });
        String[] timer = end[0][TIMER].split(":");
        return new Timer(timer[0], Long.parseLong(timer[1], HEX));
    }

    /** The fields of that line; none where some looks do not show it. */
    private static String[] found(int localPort, int remotePort) {
        String[] fields = line(localPort, remotePort);
        for (int look = 1; look < LOOKS && fields.length == 0; look++) {
            fields = line(localPort, remotePort);
        }
        return fields;
    }

    /** The fields of the line from one port to the other; none where this look does not show it. */
    private static String[] line(int localPort, int remotePort) {
        String local = String.format(":%04X", localPort);
        String remote = String.format(":%04X", remotePort);
        for (Path table : TABLES) {
            for (String line : text(table).split("\n")) {
                String[] fields = line.trim().split("\\s+");
                if (fields.length > INODE && fields[LOCAL].endsWith(local)
                        && fields[REMOTE].endsWith(remote)) {
                    return fields;
                }
            }
        }
        return new String[0];
    }

    private static String text(Path table) {
        try {
            // Where there is no IPv6, there is no table of it.
            return Files.exists(table) ? Files.readString(table, StandardCharsets.US_ASCII) : "";
        } catch (IOException failure) {
            throw new AssertionError(table + ": " + failure, failure);
        }
    }
}
