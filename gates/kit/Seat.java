package kit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection and the loop that holds it, as host_check's {@code /instance} tells. */
public final class Seat implements AutoCloseable {
    private static final Pattern ANSWER =
            Pattern.compile("\\{\"pid\":([0-9]+),\"loop\":([0-9]+),\"count\":([0-9]+)\\}\n");

    /**
     * With sharing the first connections go to different loops; on a busy machine a loop may not
     * have been given a processor yet, and is passed over until it has.
     */
    private static final int TRIES_MAX = 500;
    private static final long PAUSE_MS_MAX = 50;

    /** What one handler says of itself. */
    public record Instance(long pid, int loop, int count) {
        public static Instance of(Reply reply) {
            Matcher answer = ANSWER.matcher(reply.expect(200).text());
            if (!answer.matches()) {
                throw new AssertionError("no instance: " + reply);
            }
            return new Instance(Long.parseLong(answer.group(1)),
                    Integer.parseInt(answer.group(2)), Integer.parseInt(answer.group(3)));
        }
    }

    private final RawClient client;
    private final int loop;

    private Seat(RawClient client, int loop) {
        this.client = client;
        this.loop = loop;
    }

    /** Connects and asks where it sits, which counts one request there. */
    public static Seat take(ServerProcess server) {
        RawClient client = RawClient.connect(server);
        return new Seat(client, Instance.of(client.get("/instance")).loop());
    }

    /** One connection on each of so many loops, in their order. */
    public static List<Seat> oneOnEach(ServerProcess server, int loops) {
        Seat[] found = new Seat[loops];
        List<Seat> spare = new ArrayList<>();
        int missing = loops;
        for (int i = 0; i < TRIES_MAX && missing > 0; i++) {
            Seat seat = take(server);
            if (found[seat.loop] == null) {
                found[seat.loop] = seat;
                missing--;
            } else {
                // Closed only at the end: a loop that has fewer would be given the next one too.
                spare.add(seat);
                ServerProcess.pause(Math.min(spare.size(), PAUSE_MS_MAX));
            }
        }
        spare.forEach(Seat::close);
        if (missing > 0) {
            throw new AssertionError("vacuous: " + TRIES_MAX + " connections left " + missing
                    + " of " + loops + " loops without one");
        }
        return List.of(found);
    }

    public RawClient client() {
        return client;
    }

    public int loop() {
        return loop;
    }

    public Instance instance() {
        return Instance.of(client.get("/instance"));
    }

    @Override
    public void close() {
        client.close();
    }
}
