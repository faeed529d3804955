package m0.bus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import m0.app.Published;
import m0.loop.Clock;
import m0.loop.Loop;
import m0.loop.LoopConfig;
import m0.loop.LoopGroup;
import m0.loop.LoopObserver;
import m0.loop.PassWork;
import m0.loop.ReadyWork;
import m0.loop.StopWord;
import m0.loop.Transport;
import m0.page.Page;

/**
 * A worker of a shared bus that does nothing but read: a loop on a thread of its own, which waits
 * for ever unless it is woken.
 */
final class ReaderLoop implements PassWork, LoopObserver, AutoCloseable {
    final Page page;
    final SharedBus bus;
    final FrameOrder order = new FrameOrder();
    /** How often a publish was refused and tried again; the publishing thread's. */
    int refused;
    private final FrameSource source;
    private final Loop loop;
    private final int worker;
    private final Thread thread;
    private volatile Throwable failure;
    /** Whether it has looked for the last time before it waits, and no pass has begun since. */
    private volatile boolean waits;

    /** @param counters what the page was made with */
    ReaderLoop(Path directory, int workers, int worker, int counters) throws IOException {
        page = Page.open(directory.resolve(Page.FILE), workers, counters, 0);
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.configureBlocking(false);
        LoopGroup group = new LoopGroup(listener, page, false);
        bus = SharedBus.open(directory, page, worker, group.waker(worker), Clock.SYSTEM);
        source = bus.source(worker);
        loop = new Loop(worker, group, new LoopConfig(16, 1_000_000_000L), this, Clock.SYSTEM,
                new StopWord(), this);
        this.worker = worker;
        thread = new Thread(this::run, "reader-" + worker);
        thread.setDaemon(true);
    }

    /** Begins to read before it returns. */
    ReaderLoop start() throws InterruptedException {
        thread.start();
        while (!page.line(worker).isServing() && failure == null) {
            Thread.sleep(1);
        }
        check();
        return this;
    }

    /**
     * Publishes it, and again where a sibling that stood still had the turn for too long. That is
     * two seconds: whoever publishes so looks how often it was {@link #refused}.
     */
    Published publish(ByteBuffer data) {
        Published published = bus.publish("news", "beat", data);
        for (int more = 0; more < 10 && published.id() == 0; more++) {
            refused++;
            published = bus.publish("news", "beat", data);
        }
        return published;
    }

    private void run() {
        try {
            loop.begin(bus.doors(worker));
            while (!loop.isDone()) {
                loop.runPass();
            }
            loop.close();
        } catch (IOException | RuntimeException | Error thrown) {
            failure = thrown;
        }
    }

    /** Fails if its loop has. */
    void check() {
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    /** Returns once nothing but a wake-up brings about another look. */
    void awaitWaiting() throws InterruptedException {
        while (!waits) {
            check();
            Thread.sleep(1);
        }
    }

    /** Whether it has seen that id, or was told that it is lost, in time. */
    boolean awaitId(long id, long timeoutMs) throws InterruptedException {
        long endNs = System.nanoTime() + timeoutMs * 1_000_000L;
        while (Math.max(order.last, order.lost) < id) {
            check();
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            Thread.sleep(0, 100_000);
        }
        return true;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        loop.requestStop();
        thread.join(30_000);
        check();
        if (thread.isAlive()) {
            throw new AssertionError("its loop does not end");
        }
    }

    /** The loop asks just before it waits, and never else. */
    @Override
    public boolean hasMail() {
        boolean mail = !source.isEmpty();
        waits = !mail;
        return mail;
    }

    @Override
    public boolean runMail() {
        source.poll(order, 64);
        return !source.isEmpty();
    }

    @Override
    public long runTimers() {
        return NEVER;
    }

    @Override
    public void beginPass(long nowNs) {
        waits = false;
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public ReadyWork admit(Transport transport) {
        throw new AssertionError("nobody connects here");
    }

    @Override
    public int live() {
        return 0;
    }

    @Override
    public void flush() { }

    @Override
    public void beginDrain() { }

    @Override
    public boolean isDrained() {
        return true;
    }

    @Override
    public int closeAll() {
        return 0;
    }

    @Override
    public void onAcceptFailed(int at, String message) {
        throw new AssertionError(message);
    }

    @Override
    public void onDrainCut(int at, int connections, long boundNs) {
        throw new AssertionError("nothing was held");
    }

    @Override
    public void onStoodBack(int loop, long times) { }

    @Override
    public void onShared(int at, long passed, long received) { }
}
