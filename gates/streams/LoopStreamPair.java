package streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.ServerProcess;
import kit.SseClient;

/** Event streams that span both loops of a server, proven by their heads. */
public final class LoopStreamPair implements AutoCloseable {
    private static final int TRIES = 32;

    private final SseClient[] found = new SseClient[2];
    private final List<SseClient> opened = new ArrayList<>();

    public LoopStreamPair(ServerProcess server, String target) {
        while (found[0] == null || found[1] == null) {
            if (opened.size() == TRIES) {
                throw new AssertionError("vacuous: " + TRIES + " streams span one loop only");
            }
            SseClient stream = SseClient.open(server, target);
            opened.add(stream);
            found[stream.worker()] = stream;
        }
    }

    /** The stream that this loop holds. */
    public SseClient on(int loop) {
        return found[loop];
    }

    /** The data of the next so many events on that loop. */
    public List<String> data(int loop, int count) {
        return found[loop].events(count, Duration.ofSeconds(20)).stream()
                .map(SseClient.Block::data).toList();
    }

    @Override
    public void close() {
        opened.forEach(SseClient::close);
    }
}
