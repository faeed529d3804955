package streams;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.RawClient;
import kit.ServerProcess;

/** A connection to each loop of host_check, proven by what {@code /instance} says. */
final class LoopClients implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 64;
    private static final Pattern LOOP = Pattern.compile("\"loop\":([0-9]+)");

    private final RawClient[] clients;
    /** All that were tried: a connection that is open steers where the next one goes. */
    private final List<RawClient> tried = new ArrayList<>();

    LoopClients(ServerProcess server, int loops) {
        clients = new RawClient[loops];
        int missing = loops;
        while (missing > 0) {
            if (tried.size() == CONNECTIONS_MAX) {
                throw new AssertionError("vacuous: " + CONNECTIONS_MAX
                        + " connections reached no more than " + (loops - missing) + " loops");
            }
            RawClient client = RawClient.connect(server);
            tried.add(client);
            Matcher loop = LOOP.matcher(client.get("/instance").expect(200).text());
            if (!loop.find()) {
                throw new AssertionError("/instance names no loop");
            }
            int index = Integer.parseInt(loop.group(1));
            if (clients[index] == null) {
                clients[index] = client;
                missing--;
            }
        }
    }

    RawClient on(int loop) {
        return clients[loop];
    }

    /** That count of all loops together. */
    long total(String count) {
        long total = 0;
        for (RawClient client : clients) {
            total += Hooks.of(client).number(count);
        }
        return total;
    }

    @Override
    public void close() {
        tried.forEach(RawClient::close);
    }
}
