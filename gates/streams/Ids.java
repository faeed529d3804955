package streams;

import java.util.List;
import kit.SseClient.Block;

/** The ids of events, held against the order they must come in. */
public final class Ids {
    private Ids() {
    }

    /** Fails unless each event's id is the one behind its forerunner's, the first's {@code from}. */
    public static void expectContiguous(List<Block> events, long from) {
        long expected = from;
        for (Block event : events) {
            if (event.id() != expected) {
                throw new AssertionError("expected id " + expected + " and not " + event
                        + " among " + of(events));
            }
            expected++;
        }
    }

    public static List<Long> of(List<Block> events) {
        return events.stream().map(Block::id).toList();
    }
}
