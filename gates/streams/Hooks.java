package streams;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.RawClient;
import kit.ServerProcess;

/** What the handler of a loop was called for, as host_check tells it. */
final class Hooks {
    /** A connection takes a thousand requests: a look each 50 ms is far from that. */
    private static final long LOOK_MS = 50;

    private final String json;

    private Hooks(String json) {
        this.json = json;
    }

    /**
     * Starts a server whose producer steps once a run, and waits for that step: its beat takes a
     * number of the bus, which no gate's own frames are to share.
     */
    static ServerProcess startBehindItsBeat(ServerProcess.Plan plan) {
        ServerProcess server = plan.set("M0_HOSTCHECK_PERIOD_MS", "600000").start();
        await(server, "peerFrame", 1, RawClient.WAIT);
        return server;
    }

    /** Asks on a connection of its own; one loop alone. */
    static Hooks of(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            return of(client);
        }
    }

    /** Asks on a connection, and is told of that connection's loop. */
    static Hooks of(RawClient connection) {
        return new Hooks(connection.get("/hooks").expect(200).text());
    }

    /** Waits until that number has been reached. */
    static Hooks await(ServerProcess server, String name, long number, Duration bound) {
        Hooks[] seen = new Hooks[1];
        ServerProcess.await(name + " to be " + number, bound, () -> {
            seen[0] = of(server);
            return seen[0].number(name) == number;
        });
        return seen[0];
    }

    /** Waits until what the connection's loop says is as wanted; what it said then. */
    static Hooks await(RawClient connection, String what, Duration bound,
            Predicate<Hooks> wanted) {
        long untilNs = System.nanoTime() + bound.toNanos();
        while (true) {
            Hooks hooks = of(connection);
            if (wanted.test(hooks)) {
                return hooks;
            }
            if (System.nanoTime() - untilNs > 0) {
                throw new AssertionError(what + " did not come within " + bound.toMillis()
                        + " ms: " + hooks);
            }
            ServerProcess.pause(LOOK_MS);
        }
    }

    /** The first number of that name: the hooks' own stand in front. */
    long number(String name) {
        return numberBehind("\"" + name + "\":");
    }

    /** What the handler's sources of chunks were asked for. */
    long sources(String name) {
        return numberBehind("\"sources\":\\{[^}]*\"" + name + "\":");
    }

    private long numberBehind(String pattern) {
        Matcher matcher = Pattern.compile(pattern + "([0-9]+)").matcher(json);
        if (!matcher.find()) {
            throw new AssertionError("nothing like " + pattern + " in " + json);
        }
        return Long.parseLong(matcher.group(1));
    }

    /** The codes with which peers closed, as they stand there. */
    String codes() {
        Matcher matcher = Pattern.compile("\"codes\":\\[([0-9,]*)\\]").matcher(json);
        if (!matcher.find()) {
            throw new AssertionError("no codes in " + json);
        }
        return matcher.group(1);
    }

    @Override
    public String toString() {
        return json.strip();
    }
}
