package load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Connections that ask for something slow again and again, each as soon as it has its answer.
 *
 * <p>Each has a thread of its own here, which sleeps while it waits and closes its connection. All
 * ask at once when they are started.
 *
 * <p>Threads: the one that made it. Errors: one of them that fails fails {@link #close}.
 */
public final class Blockers implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    /** Written by the owner, read by the threads: what fails from then on was made to. */
    private volatile boolean stopped;

    /**
     * Connects all and starts them.
     *
     * @param count       how many, or 0
     * @param answerBytes the size of one answer, head and body
     */
    public Blockers(InetSocketAddress server, int count, byte[] request, int answerBytes)
            throws IOException {
        for (int index = 0; index < count; index++) {
            Asker asker = new Asker(server, request, answerBytes);
            Thread thread = new Thread(() -> askOn(asker), "bench-blocker-" + index);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void askOn(Asker asker) {
        try (asker) {
            askUntilStopped(asker);
        } catch (IOException e) {
            fail(e);
        }
    }

    /** Tells of a failure before the connection is closed for it. */
    private void askUntilStopped(Asker asker) {
        try {
            while (!stopped) {
                asker.askNs();
                answered.incrementAndGet();
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException e) {
        if (!stopped) {
            failure.compareAndSet(null, e);
        }
    }

    /** Answers that all of them have had. */
    public long answered() {
        return answered.get();
    }

    /** Leaves the answers that are due. */
    @Override
    public void close() throws IOException {
        stopped = true;
        try {
            for (Thread thread : threads) {
                thread.interrupt();
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while blockers ended", e);
        }
        if (failure.get() != null) {
            throw new IOException("a blocker failed", failure.get());
        }
    }
}
