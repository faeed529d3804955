package m0.loop;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;
import m0.page.LoopLine;

/**
 * One loop over one {@link Selector}. Whoever drives it calls {@link #runPass} until
 * {@link #isDone}.
 *
 * <p>One pass, one method call a step:
 * <ol>
 * <li>select, no longer than the nearest timer: raise the parked flag, look for work of other
 *     threads once more, wait; each ready event goes to its connection as it is found, the
 *     listener's and the shutdown pipe's are only noted;
 * <li>if the pass saw the shutdown: begin the drain, which takes in the backlog once; otherwise
 *     what siblings have handed over, and one batch of accepts, after the events of connections
 *     already held; further ones only behind a full one, see {@link #takeBatches};
 * <li>what other threads have left for the connections, one bounded turn;
 * <li>what has been gathered for streams;
 * <li>timers that are due, the drain's end among them;
 * <li>publish the number of connections, mark parked.
 * </ol>
 *
 * <p>The clock is read once a pass, at its first event or when select returns without one, and once
 * more for each connection that may go to a sibling; at its end where passes are measured; and with
 * each batch of accepts behind one that was full.
 *
 * <p>Threads: the thread that runs the passes, but for {@link #requestStop}, which any may call.
 * Owns: selector, shutdown pipe, doors, and its part of the listener. Limits: a batch of accepts a
 * pass, or batches for {@link #CROWD_NS_MAX}; a drain as long as its bound. Errors: a failing accept drops the interest for
 * {@value #ACCEPT_PAUSE_MS} ms; a failing selector ends the loop by its exception.
 */
public final class Loop implements AutoCloseable {
    /** How long accepting rests after the operating system refused a descriptor. */
    static final int ACCEPT_PAUSE_MS = 100;

    private static final long NS_PER_MS = 1_000_000L;
    /** How long one pass goes on accepting behind a full batch, at most. */
    private static final long CROWD_NS_MAX = 100 * NS_PER_MS;
    /** How soon a drain tries again what the backlog had no room for. */
    private static final long BACKLOG_RETRY_NS = 10 * NS_PER_MS;

    private final int index;
    private final LoopGroup group;
    private final LoopLine line;
    private final Sharing share;
    private final Waker waker;
    private final LoopConfig config;
    private final PassWork work;
    private final Clock clock;
    private final StopWord stop;
    private final LoopObserver observer;
    private final boolean passesWanted;
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

    private List<Door> doors = List.of();
    private long nowNs;
    private boolean inPass;
    private boolean acceptReady;
    /** The last batch was full, in the pass that began then: others wait behind it. */
    private boolean crowded;
    private long crowdedNs;
    private boolean acceptFailed;
    /** The last batch ended where the rest was left to siblings. */
    private boolean left;
    private long acceptPausedUntilNs;
    private boolean stopSeen;
    private boolean draining;
    /** Whether the listener is still this loop's to accept from. */
    private boolean listening = true;
    private boolean mailWaits;
    private long drainEndNs;
    private boolean done;
    /** How long the next select may wait: 0 not at all, {@link PassWork#NEVER} for ever. */
    private long waitNs;

    /**
     * Opens the selector and registers the group's listener.
     *
     * @param index this loop's number in its group, from 0
     */
    public Loop(int index, LoopGroup group, LoopConfig config, PassWork work, Clock clock,
            StopWord stop, LoopObserver observer) throws IOException {
        this.index = index;
        this.group = group;
        this.line = group.line(index);
        this.share = group.share(index);
        this.waker = group.waker(index);
        this.listener = group.listener();
        this.config = config;
        this.work = work;
        this.clock = clock;
        this.stop = stop;
        this.observer = observer;
        passesWanted = observer.wantsPasses();
        acceptPausedUntilNs = clock.nanoTime();
        selector = Selector.open();
        try {
            waker.attach(selector);
            shutdownPipe = openShutdownPipe();
            shutdownKey = shutdownPipe.source().register(selector, SelectionKey.OP_READ);
            listenerKey = listener.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException noDescriptor) {
            selector.close();
            throw noDescriptor;
        }
    }

    private static Pipe openShutdownPipe() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        return pipe;
    }

    /** Begins to serve: siblings may hand connections over, and the doors are opened. */
    public void begin(List<Door> opened) throws IOException {
        doors = opened;
        for (int door = 0; door < doors.size(); door++) {
            doors.get(door).open(this);
        }
        line.begin();
    }

    /**
     * Watches a non-blocking channel until its key is cancelled. What arrives and who connects is
     * readable.
     */
    public SelectionKey register(SelectableChannel channel, int ops, ReadyWork ready)
            throws ClosedChannelException {
        return channel.register(selector, ops, ready);
    }

    /** Takes a connection that has been accepted before the first pass, which begins with it. */
    public void take(SocketChannel accepted) throws IOException {
        enterPass();
        admit(accepted);
    }

    /** Does one bounded piece of work, and before it waits for some. */
    public void runPass() throws IOException {
        select();
        if (stopSeen && !draining) {
            beginDrain();
        } else if (!draining) {
            takeHandOffs();
            acceptBatch();
        } else {
            takeHandOffs();
            takeBacklog();
        }
        mailWaits = work.runMail();
        work.flush();
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
        try {
            shutdownPipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
        } catch (ClosedChannelException ended) {
            // The loop has ended meanwhile, and there is nobody left to tell.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        line.leave();
        try {
            work.closeAll();
        } finally {
            leave();
        }
    }

    /** Whatever the application's hooks have thrown: no sibling counts on this loop any more. */
    private void leave() throws IOException {
        dropHandOffs();
        closeDoors();
        if (listening) {
            leaveListener();
        }
        selector.close();
        // First what others write to, so that they find it closed and not broken.
        shutdownPipe.sink().close();
        shutdownPipe.source().close();
        line.active(0);
        line.leavePass();
    }

    private void select() throws IOException {
        // An application that was interrupted may say so again; a selector would never wait more.
        Thread.interrupted();
        if (waitNs <= 0) {
            selector.selectNow(onKey);
        } else {
            waiting();
        }
        enterPass();
    }

    /** Waits, unless another thread has left work before it could see the flag. */
    private void waiting() throws IOException {
        waker.raise();
        if (hasMail()) {
            selector.selectNow(onKey);
        } else if (waitNs == PassWork.NEVER) {
            selector.select(onKey, 0);
        } else {
            // Rounded up: a wait that ends early would only be followed by another.
            selector.select(onKey, (waitNs + NS_PER_MS - 1) / NS_PER_MS);
        }
        waker.lower();
    }

    private boolean hasMail() {
        return work.hasMail() || share.hasReceived() && work.hasRoom();
    }

    private void enterPass() {
        if (!inPass) {
            inPass = true;
            nowNs = clock.nanoTime();
            line.enterPass(nowNs);
            work.beginPass(nowNs);
        }
    }

    private void onKey(SelectionKey key) {
        enterPass();
        if (key.attachment() instanceof ReadyWork ready) {
            int ops = key.readyOps();
            ready.onReady((ops & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0,
                    (ops & SelectionKey.OP_WRITE) != 0);
        } else if (key == listenerKey) {
            acceptReady = true;
        } else if (key == shutdownKey) {
            // The pipe is never drained, so its key must go or every select would return for it.
            shutdownKey.cancel();
            stopSeen = true;
        }
    }

    /** For lack of room they wait, as they would in the backlog. */
    private void takeHandOffs() throws IOException {
        int most = config.acceptBatch() == 0 ? Integer.MAX_VALUE : config.acceptBatch();
        for (int received = 0; received < most && work.hasRoom(); received++) {
            SocketChannel channel = share.receive();
            if (channel == null) {
                return;
            }
            if (!draining || !share.tryPass(channel, clock.nanoTime())) {
                admit(channel);
            }
            share.retire();
        }
    }

    private void dropHandOffs() throws IOException {
        SocketChannel channel = share.receive();
        while (channel != null) {
            channel.close();
            share.retire();
            channel = share.receive();
        }
    }

    private void acceptBatch() throws IOException {
        if (acceptReady) {
            takeBatches();
        } else {
            crowded = false;
            if (listenerKey.interestOps() != 0) {
                share.nobodyWaited();
            }
        }
        boolean wanted = work.hasRoom() && nowNs - acceptPausedUntilNs >= 0;
        int ops = wanted ? SelectionKey.OP_ACCEPT : 0;
        if (listenerKey.interestOps() != ops) {
            listenerKey.interestOps(ops);
        }
    }

    /**
     * Accepts a batch; and where the last one was full, further ones for half as long as the others
     * have waited since. For a pass may have so much else to do that a batch a pass would let them
     * wait for half a minute. Between two batches come the events of connections already held, as
     * they do between two passes, so nobody who is held is answered behind a crowd.
     */
    private void takeBatches() throws IOException {
        long boundNs = crowded ? Math.min((nowNs - crowdedNs) / 2, CROWD_NS_MAX) : 0;
        long startNs = boundNs > 0 ? clock.nanoTime() : 0;
        takeBatch();
        while (crowded && boundNs > 0 && clock.nanoTime() - startNs < boundNs) {
            selector.selectNow(onKey);
            if (!acceptReady || stopSeen) {
                return;
            }
            takeBatch();
        }
    }

    private void takeBatch() throws IOException {
        acceptReady = false;
        left = false;
        boolean allTaken = takeConnections(
                config.acceptBatch() == 0 ? Integer.MAX_VALUE : config.acceptBatch());
        crowded = !allTaken && !acceptFailed && !left && work.hasRoom();
        crowdedNs = nowNs;
    }

    /** Accepts so many at most; whether nobody waits for this loop any more. */
    private boolean takeConnections(int most) throws IOException {
        if (draining && share.leavesBacklog(nowNs)) {
            return true;
        }
        for (int taken = 0; taken < most && work.hasRoom(); taken++) {
            if (!draining && share.leavesNext(taken, nowNs)) {
                left = true;
                acceptPausedUntilNs = clock.nanoTime() + share.awayNs();
                return false;
            }
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
            if (draining || !share.isOn() || !share.tryPass(channel, clock.nanoTime())) {
                admit(channel);
            }
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
        line.countTaken();
        // At once, so that the rest of this batch is spread by what is true now.
        line.active(work.live());
    }

    /** Idle connections go first, so that the backlog finds room. */
    private void beginDrain() throws IOException {
        draining = true;
        stop.stampDrain(nowNs);
        stop.ask();
        line.leave();
        drainEndNs = stop.drainSinceNs() + stop.drainBoundNs(config.drainTimeoutNs());
        listenerKey.interestOps(0);
        closeDoors();
        work.beginDrain();
        takeHandOffs();
        takeBacklog();
    }

    private void closeDoors() {
        for (int door = 0; door < doors.size(); door++) {
            doors.get(door).close();
        }
        doors = List.of();
    }

    /** Takes in who waits and leaves the listener; for lack of room again in a later pass. */
    private void takeBacklog() throws IOException {
        if (listening && takeConnections(Integer.MAX_VALUE)) {
            leaveListener();
        }
    }

    private void leaveListener() throws IOException {
        listening = false;
        listenerKey.cancel();
        group.leaveListener();
        line.leaveListener();
    }

    private void runTimers() {
        waitNs = work.runTimers();
        for (int door = 0; door < doors.size(); door++) {
            waitNs = Math.min(waitNs, doors.get(door).runTimers(nowNs));
        }
        if (mailWaits || stopSeen && !draining) {
            // A stop that was seen while accepting is the next pass's.
            waitNs = 0;
        }
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
                observer.onDrainCut(index, cut, stop.drainBoundNs(config.drainTimeoutNs()));
            }
            end();
        } else if (listening || share.isOwed()) {
            waitNs = Math.min(waitNs, BACKLOG_RETRY_NS);
        } else if (work.isDrained()) {
            end();
        } else {
            waitNs = Math.min(waitNs, drainEndNs - nowNs);
        }
    }

    private void end() {
        done = true;
        share.tell(observer);
    }

    private void park() {
        inPass = false;
        if (passesWanted) {
            observer.onPass(index, clock.nanoTime() - nowNs);
        }
        line.active(work.live());
        line.leavePass();
    }
}
