package kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that ask for the same again and again, each on a thread and a connection of its own, until
 * they are closed.
 *
 * <p>Threads: the gate's; the loaders' threads count answers and leave the first failure.
 */
public final class Loaders implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger answers = new AtomicInteger();
    private volatile Throwable failure;
    private volatile boolean closed;

    public Loaders(ServerProcess server, int count, String target) {
        for (int index = 0; index < count; index++) {
            Thread thread = new Thread(() -> load(server, target), "loader-" + index);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void load(ServerProcess server, String target) {
        try (RawClient client = RawClient.connect(server)) {
            while (!closed) {
                client.get(target).expect(200);
                answers.incrementAndGet();
            }
        } catch (AssertionError failed) {
            if (!closed) {
                failure = failed;
            }
        }
    }

    /** How many answers all of them have had. */
    public int answers() {
        if (failure != null) {
            throw new AssertionError("a loader failed: " + failure.getMessage(), failure);
        }
        return answers.get();
    }

    /** Each ends with the answer it waits for. */
    @Override
    public void close() {
        closed = true;
        for (Thread thread : threads) {
            try {
                thread.join(RawClient.WAIT.toMillis());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("the gate was interrupted", interrupted);
            }
        }
    }
}
