package m0.connection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import m0.app.AppHandler;
import m0.bus.FrameSource;
import m0.http.Request;
import m0.loop.Clock;
import m0.loop.PassWork;
import m0.loop.ReadyWork;
import m0.loop.StopWord;
import m0.loop.Transport;
import m0.page.Page;
import m0.pool.Job;
import m0.pool.Lane;
import m0.pool.Lanes;
import m0.stream.StreamId;

/**
 * The connections of one loop: their slots, their deadlines and the loop's part of a drain.
 *
 * <p>Threads: the loop's. Owns: every admitted transport. Limits: {@code connectionsMax} slots;
 * deadlines are looked at once a second, so one can be that much late and never early.
 */
public final class Connections implements PassWork {
    private static final long SWEEP_NS = 1_000_000_000L;
    /** How often a drain looks for connections that it need not wait for. */
    private static final long DRAIN_SWEEP_NS = 50_000_000L;

    /** How often a source that has nothing for now is asked again. */
    private static final long SOURCE_NS = 10_000_000L;
    private static final long NS_PER_MS = 1_000_000L;
    /** Frames of the bus taken in one turn, so that a burst of them shares the loop. */
    private static final int FRAMES_PER_TURN = 64;

    /** Sources asked again in one turn, so that a burst of them shares the loop. */
    private static final int SOURCES_PER_TURN = 256;
    /** Jobs that come back in one turn, so that a burst of them shares the loop. */
    private static final int JOBS_PER_TURN = 256;

    private final Workbench bench;
    private final Lanes lanes;
    private final LoopStreams streams;
    private final FrameSource ring;
    private final FanOut fanOut;
    private final AnswerWriter writer;
    private final Page page;
    private final long tickNs;
    private long tickDueNs;
    /** Sources that have said that they have something. */
    private final SourceMail sourceMail;
    /** Connections whose source is to be asked again. */
    private final List<Connection> sources = new ArrayList<>();
    private long sourcesDueNs;
    /** Slots by index; the table grows as connections come, up to {@code connectionsMax}. */
    private Connection[] slots = new Connection[64];
    /** How many streams each slot has had: what outlives one names its number too. */
    private int[] generations = new int[64];
    private int[] freeSlots = new int[64];
    /** What each slot needs where an answer is given elsewhere; made when first needed. */
    private Pending[] pendings = new Pending[64];
    /** Connections that are closed and whose job has not come back. */
    private int orphans;
    private int freeCount;
    /** Slots that have been used at least once. */
    private int slotCount;
    private int live;
    private boolean draining;
    private long sweepDueNs;

    /**
     * @param lanes those of this loop, which are open
     * @param streams made before the handler, which may have kept it; attached here
     * @param ring the frames that are published for this loop
     */
    public Connections(int loop, ConnectionConfig config, AppHandler handler, Lanes lanes,
            Clock clock, StopWord stop, ExchangeObserver observer, LoopStreams streams,
            FrameSource ring, Page page) {
        bench = new Workbench(loop, config, handler, lanes, clock, stop, observer);
        this.lanes = lanes;
        this.streams = streams;
        this.ring = ring;
        this.page = page;
        sourceMail = new SourceMail(lanes.completions().waker());
        fanOut = new FanOut(streams);
        writer = new AnswerWriter(this, bench);
        streams.attach(this, bench, page.lastEventId());
        long tickMs = handler.tickMs();
        tickNs = tickMs > 0 ? tickMs * NS_PER_MS : config.tickNs();
        tickDueNs = clock.nanoTime() + tickNs;
    }

    /** The request that the application was answering as it threw what ends the loop, or null. */
    public Request asked() {
        return bench.asked;
    }

    /** The pool thread that answered it, −1 where the loop did. */
    public int askedThread() {
        return bench.askedThread;
    }

    @Override
    public void beginPass(long nowNs) {
        bench.beginPass(nowNs);
    }

    @Override
    public boolean hasRoom() {
        return live < bench.config.connectionsMax();
    }

    @Override
    public ReadyWork admit(Transport transport) {
        int slot = freeCount > 0 ? freeSlots[--freeCount] : newSlot();
        if (live++ == 0) {
            sweepDueNs = bench.nowNs + SWEEP_NS;
        }
        Connection connection = new Connection(this, bench, transport, slot);
        slots[slot] = connection;
        return connection;
    }

    private int newSlot() {
        if (slotCount == slots.length) {
            int size = Math.min(2 * slotCount, bench.config.connectionsMax());
            slots = Arrays.copyOf(slots, size);
            generations = Arrays.copyOf(generations, size);
            freeSlots = Arrays.copyOf(freeSlots, size);
            pendings = Arrays.copyOf(pendings, size);
        }
        return slotCount++;
    }

    /** A connection has closed its transport and needs its slot no more. */
    void release(Connection connection) {
        slots[connection.slot()] = null;
        freeSlots[freeCount++] = connection.slot();
        live--;
    }

    /** A connection is closed while its job is out: its slot is nobody else's before that is back. */
    void noteOrphan() {
        orphans++;
    }

    /** The job has come back. */
    void releaseOrphan(Connection connection) {
        orphans--;
        release(connection);
    }

    /** What that slot's connection needs while its answer is given elsewhere. */
    Pending pending(int slot) {
        if (pendings[slot] == null) {
            pendings[slot] = new Pending(slot, lanes.completions());
        }
        return pendings[slot];
    }

    @Override
    public int live() {
        return live;
    }

    boolean draining() {
        return draining;
    }

    @Override
    public boolean hasMail() {
        return !ring.isEmpty() || !lanes.completions().isEmpty() || !sourceMail.isEmpty();
    }

    @Override
    public boolean runMail() {
        takeCompletions();
        askWokenSources();
        ring.poll(fanOut, FRAMES_PER_TURN);
        return hasMail();
    }

    /** The loop has ended: who answers a job from here on learns that nobody waits for it. */
    public void endReturns(Consumer<RuntimeException> tells) {
        lanes.completions().end(tells);
    }

    private void takeCompletions() {
        for (int taken = 0; taken < JOBS_PER_TURN; taken++) {
            Job job = lanes.completions().poll();
            if (job == null) {
                return;
            }
            slots[job.slot()].onReturn();
        }
    }

    private void askWokenSources() {
        for (int asked = 0; asked < SOURCES_PER_TURN; asked++) {
            SourceWake wake = sourceMail.poll();
            if (wake == null) {
                return;
            }
            wake.deliver();
        }
    }

    SourceMail sourceMail() {
        return sourceMail;
    }

    @Override
    public void flush() {
        streams.flush();
    }

    @Override
    public long runTimers() {
        long waitNs = Math.min(runSweep(), streams.runTimers(bench.nowNs));
        waitNs = Math.min(waitNs, Math.min(runSources(), runTick()));
        waitNs = Math.min(waitNs, lookAtLanes());
        // A timer may have given streams something to say.
        streams.flush();
        return waitNs;
    }

    private long runSweep() {
        if (live == 0) {
            return NEVER;
        }
        long untilDueNs = sweepDueNs - bench.nowNs;
        if (untilDueNs > 0) {
            return untilDueNs;
        }
        sweep();
        long intervalNs = draining ? DRAIN_SWEEP_NS : SWEEP_NS;
        sweepDueNs = bench.nowNs + intervalNs;
        return live == 0 ? NEVER : intervalNs;
    }

    /** A thread of a lane may be due to be woken sooner than any select would return. */
    private long lookAtLanes() {
        List<Lane> all = lanes.lanes();
        long waitNs = NEVER;
        for (int lane = 0; lane < all.size(); lane++) {
            if (all.get(lane).lookAgainNs() != Lane.NEVER) {
                waitNs = 0;
            }
        }
        return waitNs;
    }

    private long runSources() {
        if (sources.isEmpty()) {
            return NEVER;
        }
        long untilDueNs = sourcesDueNs - bench.nowNs;
        if (untilDueNs > 0) {
            return untilDueNs;
        }
        List<Connection> due = List.copyOf(sources);
        sources.clear();
        for (Connection connection : due) {
            connection.onSourceDue();
        }
        return sources.isEmpty() ? NEVER : SOURCE_NS;
    }

    /** The source of this connection has nothing for now. */
    void askSourceSoon(Connection connection) {
        if (sources.isEmpty()) {
            sourcesDueNs = bench.nowNs + SOURCE_NS;
        }
        sources.add(connection);
    }

    /** Ticks that were missed are not made up for. */
    private long runTick() {
        if (tickNs == 0 || draining) {
            return NEVER;
        }
        if (bench.nowNs - tickDueNs >= 0) {
            tickDueNs += tickNs;
            if (bench.nowNs - tickDueNs >= 0) {
                tickDueNs = bench.nowNs + tickNs;
            }
            streams.tellTick(bench.nowNs / NS_PER_MS);
        }
        return Math.max(0, tickDueNs - bench.nowNs);
    }

    AnswerWriter writer() {
        return writer;
    }

    LoopStreams streams() {
        return streams;
    }

    /** The highest id that was published anywhere. */
    long headId() {
        return page.lastEventId();
    }

    /** A name for the stream that opens on that slot, which none before it had. */
    StreamId nextId(int slot) {
        return new StreamId(bench.loop, slot, ++generations[slot]);
    }

    /** The open stream of that name, or null. */
    Stream stream(StreamId id) {
        int slot = id.slot();
        if (slot < 0 || slot >= slotCount || generations[slot] != id.generation()
                || slots[slot] == null) {
            return null;
        }
        return slots[slot].stream();
    }

    /** Frames have missed the streams of this loop, whatever their channel. */
    void onFramesMissed() {
        for (int slot = 0; slot < slotCount; slot++) {
            Stream stream = slots[slot] == null ? null : slots[slot].stream();
            if (stream != null && stream.hasSubscriptions()) {
                stream.onFrameMissed();
            }
        }
    }

    private void sweep() {
        for (int slot = 0; slot < slotCount; slot++) {
            Connection connection = slots[slot];
            if (connection != null) {
                connection.onTime();
            }
        }
    }

    @Override
    public void beginDrain() {
        draining = true;
        sweepDueNs = bench.nowNs;
        for (int slot = 0; slot < slotCount; slot++) {
            Connection connection = slots[slot];
            if (connection != null) {
                connection.onDrain();
            }
        }
    }

    @Override
    public boolean isDrained() {
        return live == orphans;
    }

    @Override
    public int closeAll() {
        int closed = live - orphans;
        for (int slot = 0; slot < slotCount; slot++) {
            Connection connection = slots[slot];
            if (connection != null) {
                connection.close();
            }
        }
        return closed;
    }
}
