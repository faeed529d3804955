package streams;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.RawClient;
import kit.ServerProcess;
import kit.Spread;

/** A connection to each loop of host_check, proven by what {@code /instance} says. */
final class LoopClients implements AutoCloseable {
    private static final Pattern LOOP = Pattern.compile("\"loop\":([0-9]+)");

    private final RawClient[] clients;
    /** All that were tried: a connection that is open steers where the next one goes. */
    private final List<RawClient> tried = new ArrayList<>();

    LoopClients(ServerProcess server, int loops) {
        clients = new RawClient[loops];
        try {
            Spread.over(loops, loops, tried, () -> RawClient.connect(server), this::place);
        } catch (AssertionError failure) {
            close();
            throw failure;
        }
    }

    /** Asks a connection for its loop, and keeps the first of each. */
    private int place(RawClient client) {
        Matcher loop = LOOP.matcher(client.get("/instance").expect(200).text());
        if (!loop.find()) {
            throw new AssertionError("/instance names no loop");
        }
        int index = Integer.parseInt(loop.group(1));
        if (clients[index] == null) {
            clients[index] = client;
        }
        return index;
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
