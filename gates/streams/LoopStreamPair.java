package streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kit.ServerProcess;
import kit.Spread;
import kit.SseClient;

/** Event streams that span both loops of a server, proven by their heads. */
public final class LoopStreamPair implements AutoCloseable {
    private final SseClient[] found = new SseClient[2];
    private final List<SseClient> opened = new ArrayList<>();

    public LoopStreamPair(ServerProcess server, String target) {
        try {
            Spread.over(2, 2, opened, () -> SseClient.open(server, target), SseClient::worker);
        } catch (AssertionError failure) {
            close();
            throw failure;
        }
        opened.forEach(stream -> found[stream.worker()] = stream);
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
