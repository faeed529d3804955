package m0.loop;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One loop over one {@link Selector}. Whoever drives it calls {@link #runPass} until
 * {@link #isDone}.
 *
 * <p>One pass, one method call a step:
 * <ol>
 * <li>select, no longer than the nearest timer; each ready event goes to its connection as it is
 *     found, the listener's and the shutdown pipe's are only noted;
 * <li>if the pass saw the shutdown: begin the drain, which takes in the backlog once;
 *     otherwise at most one batch of accepts, after the events of connections already held;
 * <li>timers that are due, the drain's end among them;
 * <li>mark parked.
 * </ol>
 *
 * <p>The clock is read once a pass, at its first event or when select returns without one.
 *
 * <p>Threads: the thread that runs the passes, but for {@link #requestStop} and
 * {@link #passSinceNs}, which any may call. Owns: selector, shutdown pipe, and the listener from the
 * drain on. Limits: a batch of accepts a pass; a drain as long as its bound. Errors: a failing
 * accept drops the interest for {@value #ACCEPT_PAUSE_MS} ms; a failing selector ends the loop by
 * its exception.
 */
public final class Loop implements AutoCloseable {
    /** How long accepting rests after the operating system refused a descriptor. */
    static final int ACCEPT_PAUSE_MS = 100;

    private static final long NS_PER_MS = 1_000_000L;
    /** How soon a drain tries again what the backlog had no room for. */
    private static final long BACKLOG_RETRY_NS = 10 * NS_PER_MS;

    private final int index;
    private final LoopConfig config;
    private final PassWork work;
    private final Clock clock;
    private final StopWord stop;
    private final LoopObserver observer;
    private final Selector selector;
    private final Pipe shutdownPipe;
    private final SelectionKey shutdownKey;
    private final ServerSocketChannel listener;
    private final SelectionKey listenerKey;
    /** A class and no method reference, whose machinery would be loaded before the first answer. */
    private final Consumer<SelectionKey> onKey = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            onKey(key);
        }
    };

    /** When the current pass began, 0 while parked. Written here, read by the stall watch. */
    private final AtomicLong passSince = new AtomicLong();

    private long nowNs;
    private boolean inPass;
    private boolean acceptReady;
    private boolean acceptFailed;
    private long acceptPausedUntilNs;
    private boolean stopSeen;
    private boolean draining;
    private long drainEndNs;
    private boolean done;
    /** How long the next select may wait: 0 not at all, {@link PassWork#NEVER} for ever. */
    private long waitNs;

    /**
     * Opens the selector and registers the listener, which is bound and non-blocking.
     *
     * @param index this loop's number, from 0
     */
    public Loop(int index, ServerSocketChannel listener, LoopConfig config, PassWork work,
            Clock clock, StopWord stop, LoopObserver observer) throws IOException {
        this.index = index;
        this.listener = listener;
        this.config = config;
        this.work = work;
        this.clock = clock;
        this.stop = stop;
        this.observer = observer;
        acceptPausedUntilNs = clock.nanoTime();
        selector = Selector.open();
        shutdownPipe = Pipe.open();
        shutdownPipe.source().configureBlocking(false);
        shutdownKey = shutdownPipe.source().register(selector, SelectionKey.OP_READ);
        listenerKey = listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Does one bounded piece of work, and before it waits for some. */
    public void runPass() throws IOException {
        select();
        if (stopSeen && !draining) {
            beginDrain();
        } else if (!draining) {
            acceptBatch();
        } else if (listener.isOpen()) {
            takeBacklog();
        }
        runTimers();
        park();
    }

    /** Whether the drain has ended; no pass may follow. */
    public boolean isDone() {
        return done;
    }

    /**
     * Asks the loop to drain and end. Any thread, any number of times. The drain's bound runs from
     * now, so that a pass that is held does not lengthen the stop.
     */
    public void requestStop() throws IOException {
        stop.stampDrain(clock.nanoTime());
        shutdownPipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
    }

    /** When the pass this loop is in began on its clock, or 0 while it is parked. Any thread. */
    public long passSinceNs() {
        return passSince.get();
    }

    @Override
    public void close() throws IOException {
        work.closeAll();
        listener.close();
        selector.close();
        shutdownPipe.source().close();
        shutdownPipe.sink().close();
    }

    private void select() throws IOException {
        if (waitNs == PassWork.NEVER) {
            selector.select(onKey, 0);
        } else if (waitNs <= 0) {
            selector.selectNow(onKey);
        } else {
            // Rounded up: a wait that ends early would only be followed by another.
            selector.select(onKey, (waitNs + NS_PER_MS - 1) / NS_PER_MS);
        }
        enterPass();
    }

    private void enterPass() {
        if (!inPass) {
            inPass = true;
            nowNs = clock.nanoTime();
            passSince.lazySet(nowNs);
            work.beginPass(nowNs);
        }
    }

    private void onKey(SelectionKey key) {
        enterPass();
        if (key.attachment() instanceof ReadyWork ready) {
            int ops = key.readyOps();
            ready.onReady((ops & SelectionKey.OP_READ) != 0, (ops & SelectionKey.OP_WRITE) != 0);
        } else if (key == listenerKey) {
            acceptReady = true;
        } else if (key == shutdownKey) {
            // The pipe is never drained, so its key must go or every select would return for it.
            shutdownKey.cancel();
            stopSeen = true;
        }
    }

    private void acceptBatch() throws IOException {
        if (acceptReady) {
            acceptReady = false;
            takeConnections(config.acceptBatch() == 0 ? Integer.MAX_VALUE : config.acceptBatch());
        }
        boolean wanted = work.hasRoom() && nowNs - acceptPausedUntilNs >= 0;
        int ops = wanted ? SelectionKey.OP_ACCEPT : 0;
        if (listenerKey.interestOps() != ops) {
            listenerKey.interestOps(ops);
        }
    }

    /** Accepts so many at most; whether nobody waits any more. */
    private boolean takeConnections(int most) throws IOException {
        for (int taken = 0; taken < most && work.hasRoom(); taken++) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException refused) {
                onAcceptRefused(refused);
                return false;
            }
            if (channel == null) {
                return true;
            }
            acceptFailed = false;
            admit(channel);
        }
        return false;
    }

    /** The connection stays in the backlog, and its readiness would spin the loop. */
    private void onAcceptRefused(IOException refused) {
        acceptPausedUntilNs = nowNs + ACCEPT_PAUSE_MS * NS_PER_MS;
        if (!acceptFailed) {
            acceptFailed = true;
            observer.onAcceptFailed(index, String.valueOf(refused.getMessage()));
        }
    }

    private void admit(SocketChannel channel) throws IOException {
        SocketTransport transport;
        SelectionKey key;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            key = channel.register(selector, SelectionKey.OP_READ);
            transport = new SocketTransport(channel, key);
        } catch (IOException alreadyReset) {
            channel.close();
            return;
        }
        key.attach(work.admit(transport));
    }

    /** Idle connections go first, so that the backlog finds room. */
    private void beginDrain() throws IOException {
        draining = true;
        stop.ask();
        drainEndNs = stop.drainSinceNs() + config.drainTimeoutNs();
        listenerKey.interestOps(0);
        work.beginDrain();
        takeBacklog();
    }

    /** Takes in who waits and closes the listener; for lack of room again in a later pass. */
    private void takeBacklog() throws IOException {
        if (takeConnections(Integer.MAX_VALUE)) {
            listenerKey.cancel();
            listener.close();
        }
    }

    private void runTimers() {
        waitNs = work.runTimers();
        if (draining) {
            runDrain();
        } else if (listenerKey.interestOps() == 0 && work.hasRoom()) {
            waitNs = Math.min(waitNs, Math.max(0, acceptPausedUntilNs - nowNs));
        }
    }

    private void runDrain() {
        if (nowNs - drainEndNs >= 0) {
            int cut = work.closeAll();
            if (cut > 0) {
                observer.onDrainCut(index, cut);
            }
            done = true;
        } else if (listener.isOpen()) {
            waitNs = Math.min(waitNs, BACKLOG_RETRY_NS);
        } else if (work.isDrained()) {
            done = true;
        } else {
            waitNs = Math.min(waitNs, drainEndNs - nowNs);
        }
    }

    private void park() {
        inPass = false;
        passSince.lazySet(0);
    }
}
