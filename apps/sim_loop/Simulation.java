package sim_loop;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import m0.app.Producer;
import m0.app.Publisher;

/** Steps the spring and publishes its state. Threads: the producer's, or loop 0's. */
final class Simulation implements Producer {
    static final String CHANNEL = "state";
    static final String EVENT = "state";
    static final long PERIOD_MS = 250;

    private static final long NS_PER_MS = 1_000_000L;

    private final Spring spring;
    private final Publisher publisher;

    /** @param workMs how long a step takes */
    Simulation(long workMs, Publisher publisher) {
        this.spring = new Spring(workMs * NS_PER_MS);
        this.publisher = publisher;
    }

    @Override
    public long step() {
        spring.step();
        publisher.publish(CHANNEL, EVENT,
                ByteBuffer.wrap(spring.state().getBytes(StandardCharsets.US_ASCII)));
        return PERIOD_MS * NS_PER_MS;
    }
}
