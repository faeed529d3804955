package m0.host;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.Producer;
import m0.bus.FrameBus;
import m0.connection.Connections;
import m0.connection.LoopStreams;
import m0.connection.ExchangeObserver;
import m0.host.Muster.LoopFailure;
import m0.loop.Clock;
import m0.loop.Door;
import m0.loop.Loop;
import m0.loop.LoopGroup;
import m0.loop.LoopObserver;
import m0.loop.StopWord;
import m0.page.Page;
import m0.pool.Completions;
import m0.pool.ExecutorLane;
import m0.pool.JobHandlers;
import m0.pool.Lane;
import m0.pool.LaneConfig;
import m0.pool.LaneObserver;
import m0.pool.Lanes;
import m0.pool.ThreadLane;
import m0.telemetry.AccessLog;
import m0.telemetry.AccessLogThread;
import m0.telemetry.HostLog;
import m0.telemetry.LineWriter;
import m0.telemetry.LoopPulse;
import m0.telemetry.Meter;
import m0.telemetry.MetricsText;
import m0.telemetry.OperatorHandler;
import m0.telemetry.StallWatch;
import m0.telemetry.StallWatchThread;

/**
 * One server in this process: a listener, its loops and their threads. It takes no signals, reads
 * no environment and exits nothing, and a process can have several.
 *
 * <pre>
 * Server server = Server.start(ServerConfig.builder().host("127.0.0.1").port(0).build(), app);
 * ...
 * server.stop(Duration.ofSeconds(7));
 * </pre>
 *
 * <p>Threads: any. Owns: the listener, the loops and their threads, which are no daemons. Errors:
 * an application that refuses ends {@link #start} with an {@code IllegalStateException} before
 * anything was accepted; a loop that ends by an {@code Error} ends its siblings too, and is told by
 * {@link #awaitStopped}.
 */
public final class Server {
    /** How long all handlers together may take to be made. */
    private static final long BUILDING_NS = 600_000_000_000L;
    /** How much longer a loop has to say which of its threads was late. */
    private static final long NAMING_NS = 500_000_000L;
    /** How long a refused start waits for threads that are still building. */
    private static final long DISMISSAL_NS = 1_000_000_000L;
    private static final long NS_PER_MS = 1_000_000L;
    /** What a stop may take beyond its bound until the loops' threads are through. */
    private static final long LEAVING_NS = 1_500_000_000L;

    private final ServerConfig config;
    private final Place place;
    private final Listener listener;
    private final long buildingNs;
    private final HostLog log;
    private final Clock clock = Clock.SYSTEM;
    private final StopWord stop = new StopWord();
    private final int loops;
    private final Muster muster;
    /** Filled once, by the thread that starts, before any loop's thread runs. */
    private final List<LoopThread> threads;
    private final List<LoopPulse> pulses;
    private Service service;
    private App app;
    private Page page;
    private LoopGroup group;
    private FrameBus bus;
    private LoopFailures failures;
    private final List<LoopStreams> streams = new ArrayList<>();
    private final List<Lanes> lanes = new ArrayList<>();
    /** Null before {@link #launch}; closed by whoever ends the process. */
    private volatile ChildPublishing children;
    /** Null where there is none; made by the thread that starts, stopped by any. */
    private volatile ProducerThread producer;
    /** Whether a thread is still inside the application that nobody waits for any more. */
    private volatile boolean abandoned;
    private long buildingEndNs;
    /** What requests are told to: the access log where there is one, or the host's own lines. */
    private ExchangeObserver exchanges;
    /** What loops are told to. */
    private LoopObserver passes;
    /** Null without metrics. */
    private Meter meter;
    private AccessLogThread accessLog;
    private StallWatchThread stallWatch;
    private boolean started;

    private Server(ServerConfig config, Place place, Listener listener, long buildingNs) {
        this.config = config;
        this.place = place;
        this.listener = listener;
        this.buildingNs = buildingNs;
        loops = place.loops();
        muster = new Muster(place.firstLoop(), loops);
        threads = new ArrayList<>(loops);
        pulses = new ArrayList<>(loops);
        this.log = new HostLog(new LineWriter(System.err), clock);
    }

    /**
     * Listens; connections wait in the backlog until {@link #start}.
     *
     * @throws IOException if the address cannot be bound
     */
    public static Server bind(ServerConfig config) throws IOException {
        return bind(config, BUILDING_NS);
    }

    /** The same with another bound on how long handlers may take to be made. */
    static Server bind(ServerConfig config, long buildingNs) throws IOException {
        Check closed = AgronaOpening.refusal();
        if (closed != null) {
            throw new IllegalStateException(closed.line());
        }
        return new Server(config, new AlonePlace((int) config.number(Setting.THREADS)),
                Listener.bind(config), buildingNs);
    }

    /** One that has its listener already, at that place. */
    static Server at(ServerConfig config, Place place, Listener listener) {
        return new Server(config, place, listener, BUILDING_NS);
    }

    /** Listens and serves. */
    public static Server start(ServerConfig config, App app)
            throws IOException, InterruptedException {
        return bind(config).start(app);
    }

    /**
     * Has every handler made, each on its loop's thread, and then serves. Only once.
     *
     * @throws IllegalStateException if the application refuses, with what it threw as the cause
     */
    public Server start(App application) throws InterruptedException {
        return start(Service.alone(application));
    }

    /** The same for an application with lanes of its own. */
    public Server start(Service served) throws InterruptedException {
        try {
            launch(served, config.refusal(served));
            return this;
        } catch (InterruptedException interrupted) {
            muster.askStop();
            giveUpLanes();
            closeListener();
            removeFiles();
            closeLogs();
            throw interrupted;
        } catch (StartRefusedException refused) {
            throw new IllegalStateException(refused.getMessage(), refused.getCause());
        }
    }

    /**
     * Starts the loops; false if a stop came before they were ready to serve.
     *
     * @param unfit why it must not be served so, or null
     */
    boolean launch(Service served, Check unfit)
            throws StartRefusedException, InterruptedException {
        synchronized (this) {
            if (started) {
                throw new IllegalStateException("a server starts once");
            }
            started = true;
        }
        service = served;
        app = served.app();
        if (unfit != null) {
            throw refusedUnstarted(unfit.line(), null);
        }
        failures = new LoopFailures(service.lanes().size(), buildingNs);
        shareWithSiblings();
        children = new ChildPublishing(bus, place, clock, log);
        exchanges = config.isOn(Setting.ACCESS_LOG) ? openAccessLog() : log;
        passes = log;
        if (config.isOn(Setting.METRICS)) {
            meter = new Meter(page, exchanges, log);
            exchanges = meter;
            passes = meter;
        }
        for (int local = 0; local < loops; local++) {
            int index = place.firstLoop() + local;
            Lanes made = newLanes(index);
            lanes.add(made);
            LoopThread thread = new LoopThread(index, this, app, muster, page.line(index),
                    new LoopLanes(index, made.lanes(), stop, clock, log));
            streams.add(new LoopStreams());
            synchronized (threads) {
                threads.add(thread);
            }
            pulses.add(thread);
        }
        buildingEndNs = clock.nanoTime() + buildingNs;
        startThreads();
        if (muster.awaitReady(buildingNs + NAMING_NS)) {
            producer = makeProducer();
            requireListening();
            watchForStalls();
            place.awaitOpening();
            boolean serving = muster.open();
            beginProducer(serving);
            return serving;
        }
        if (muster.failure() != null) {
            throw dismissed(failures.refusal(muster.failure()));
        }
        int late = muster.firstUnready();
        if (late >= 0) {
            throw dismissed(failures.late(late));
        }
        giveUpLanes();
        return false;
    }

    /** Behind that loop: its lanes, or none where everything is answered on the loop. */
    private Lanes newLanes(int loop) {
        Completions completions = new Completions((int) config.number(Setting.MAX_CONNECTIONS),
                group.waker(loop));
        if (config.number(Setting.BLOCKING_THREADS) == 0) {
            return Lanes.none(completions);
        }
        LaneObserver told = new LaneLog(loop, service.lanes().size(), log);
        LaneObserver observer = meter == null ? told : meter.lane(loop, told);
        List<Lane> made = new ArrayList<>();
        for (Service.LanePlan plan : service.lanes()) {
            made.add(newLane(config.laneConfig(loop, made.size()), plan,
                    plan.handlers().of(thread -> context(loop, thread),
                            (where, failure) -> log.onHookFailure(loop, where, failure)),
                    completions, observer));
        }
        return new Lanes(service.placement(), made, completions);
    }

    private Lane newLane(LaneConfig made, Service.LanePlan plan, JobHandlers handlers,
            Completions completions, LaneObserver observer) {
        if (plan.executor() != null) {
            return new ExecutorLane(made, handlers, completions, clock, observer,
                    plan.executor());
        }
        return made.threads() == SettingValue.VIRTUAL
                ? ExecutorLane.ofVirtual(made, handlers, completions, clock, observer)
                : new ThreadLane(made, handlers, completions, clock, observer);
    }

    /** An operating system that bounds threads shows it here, and nobody must be left waiting. */
    private void startThreads() throws StartRefusedException, InterruptedException {
        int begun = 0;
        try {
            for (LoopThread thread : threads) {
                thread.start();
                begun++;
            }
        } catch (OutOfMemoryError noThread) {
            throw dismissed(new StartRefusedException("the thread of loop " + begun
                    + " cannot be started: " + Failure.line(noThread) + " (lower --threads,"
                    + " M0_THREADS, or raise the limit of threads)", ExitCode.FAILED, noThread));
        }
    }

    /** What the loops of this process have in common with all others. */
    private void shareWithSiblings() throws StartRefusedException {
        try {
            page = place.page(config.counterWords(service), app.pageSlots(place.allLoops()));
            group = new LoopGroup(listener.channel(), listener.isInherited(), page,
                    place.firstLoop(), loops, config.isOn(Setting.ACCEPT_SHARE));
            bus = place.bus(page, group);
        } catch (RuntimeException thrown) {
            throw refusedUnstarted("the application's pageSlots cannot be served: "
                    + Failure.thrown(thrown), thrown);
        } catch (IOException failure) {
            closeListener();
            closeLogs();
            throw new StartRefusedException("what all workers share cannot be opened: "
                    + Failure.line(failure), ExitCode.FAILED, failure);
        }
    }

    /** No thread runs yet, and none is to. */
    private StartRefusedException refusedUnstarted(String finding, Throwable cause) {
        closeListener();
        closeLogs();
        return new StartRefusedException(finding, ExitCode.REFUSED, cause);
    }

    /** Straight to the descriptor: what is written is a batch of lines already. */
    private ExchangeObserver openAccessLog() {
        AccessLog made =
                new AccessLog(log, clock, new FileOutputStream(FileDescriptor.out),
                        place.allLoops());
        accessLog = AccessLogThread.start(made, clock);
        return made;
    }

    /**
     * As late as can be: whoever is accepted on the way is lost with a start that fails. A worker has
     * that one until all are armed.
     */
    private void requireListening() throws StartRefusedException, InterruptedException {
        if (!listener.isListening()) {
            beginProducer(false);
            throw dismissed(new StartRefusedException("the socket that is descriptor 0 neither"
                    + " listens nor is connected (give it one that listens, or /dev/null to bind"
                    + " M0_PORT, --port)", ExitCode.REFUSED, null));
        }
    }

    /**
     * Asked for once, when every handler exists and before any loop serves.
     *
     * @return null where the application has none, or another process has it
     */
    private ProducerThread makeProducer() throws StartRefusedException, InterruptedException {
        if (place.firstLoop() > 0) {
            return null;
        }
        Producer made;
        try {
            made = app.producer(context(0));
        } catch (Throwable thrown) {
            // An error too: the loops that wait would otherwise keep the process for ever.
            throw dismissed(new StartRefusedException("the application's producer threw: "
                    + Failure.thrown(thrown), ExitCode.REFUSED, thrown));
        }
        return made == null ? null
                : new ProducerThread(new ObservedProducer(made, page), stop, clock, log);
    }

    private void beginProducer(boolean serving) {
        ProducerThread made = producer;
        if (made != null && serving) {
            made.start();
        } else if (made != null) {
            made.dismiss();
        }
    }

    /** Sends the loops home that have not served, and stops listening. */
    private StartRefusedException dismissed(StartRefusedException refused)
            throws InterruptedException {
        muster.askStop();
        giveUpLanes();
        muster.awaitEnded(DISMISSAL_NS);
        closeListener();
        removeFiles();
        closeLogs();
        return refused;
    }

    private void watchForStalls() {
        long limitMs = config.number(Setting.LOOP_STALL_MS);
        if (limitMs > 0) {
            stallWatch = StallWatchThread.start(new StallWatch(pulses, limitMs, log), clock);
        }
    }

    /** Called on a loop's thread as it begins. */
    LoopContext context(int loop) {
        return context(loop, LoopContext.ON_LOOP);
    }

    private LoopContext context(int loop, int thread) {
        return new LoopContext(loop, thread, place, config, app.settings(), page.words(),
                bus.publisher(), streams.get(loop - place.firstLoop()), children);
    }

    /** What is left for all handlers to be made in. */
    long buildingLeftNs() {
        return Math.max(0, buildingEndNs - clock.nanoTime());
    }

    /** Called on a loop's thread as it begins to serve: one of them watches the door for children. */
    List<Door> doors(int loop) {
        List<Door> doors = new ArrayList<>(bus.doors(loop));
        doors.addAll(children.doors(loop));
        return doors;
    }

    /** Called on a loop's thread once its handler exists, which is asked for its interval. */
    Connections connections(int loop, AppHandler handler) {
        AppHandler outer = config.isOn(Setting.METRICS)
                ? new OperatorHandler(handler, stop, page, config.number(Setting.LOOP_STALL_MS),
                        clock, new MetricsText(page, service.lanes().size(),
                                place.allLoops() > place.loops()))
                : handler;
        int local = loop - place.firstLoop();
        return new Connections(loop, config.connectionConfig(), outer, lanes.get(local), clock,
                stop, exchanges, streams.get(local), bus.source(loop), page);
    }

    /** Called on a loop's thread, last before it begins. */
    Loop openLoop(int loop, Connections connections) throws IOException {
        return new Loop(loop, group, config.loopConfig(), connections, clock, stop, passes);
    }

    /** Called on a loop's thread as it begins: who was accepted before, or null. */
    SocketChannel firstOf(int loop) {
        return loop == place.firstLoop() ? listener.takeFirst() : null;
    }

    /** Called on a loop's thread as it ends, whether it has served or not. */
    void endLanes(LoopLanes ended) {
        if (!ended.end(drainTimeoutNs())) {
            abandoned = true;
        }
    }

    private long drainTimeoutNs() {
        return stop.drainBoundNs(config.number(Setting.DRAIN_TIMEOUT_MS) * NS_PER_MS);
    }

    /** Called on a loop's thread as it ends by a throw: nobody replaces it, so all end. */
    void onLoopFailure(LoopFailure failure) {
        muster.failed(failure);
        stop.ask();
        // The producer learns of it here: the loop that has ended stamps nothing any more.
        stop.stampDrain(clock.nanoTime());
        wakeLoops();
    }

    private List<LoopThread> threadsMade() {
        synchronized (threads) {
            return List.copyOf(threads);
        }
    }

    /** Where nothing was served and nothing will be, no loop waits for its lanes any more. */
    private void giveUpLanes() {
        if (muster.isGivenUp()) {
            threadsMade().forEach(LoopThread::giveUpLanes);
        }
    }

    private void wakeLoops() {
        giveUpLanes();
        for (LoopThread thread : threadsMade()) {
            try {
                thread.requestStop();
            } catch (IOException failure) {
                log.line(thread.thread().getName() + " cannot be told to stop: "
                        + Failure.line(failure));
            }
        }
    }

    /** The bound port. */
    public int port() {
        return listener.port();
    }

    /** The bound address. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** {@code http://ADDRESS:PORT}. */
    String url() {
        return listener.url();
    }

    Place place() {
        return place;
    }

    /** Connections that its loops hold. */
    long connections() {
        long held = 0;
        for (int local = 0; local < loops; local++) {
            held += page.line(place.firstLoop() + local).active();
        }
        return held;
    }

    HostLog log() {
        return log;
    }

    Muster muster() {
        return muster;
    }

    /**
     * Drains and ends: answers say {@code close} from now on; after the drain delay of the
     * configuration nothing more is accepted, and what is in flight is finished within the drain
     * timeout. Any number of times.
     *
     * @param patience how long to wait for the loops after the drain delay
     * @return whether all have ended; false leaves them to end later
     */
    public boolean stop(Duration patience) throws InterruptedException {
        muster.askStop();
        return drain(patience.toNanos());
    }

    /**
     * Ends within that time, whatever the drain timeout of the configuration is: what is in flight
     * then is cut. Threads that are still inside the application have half a second more and are
     * then left to themselves, named in the log.
     *
     * @return whether all loops have ended
     */
    public boolean stopWithin(Duration bound) throws InterruptedException {
        stop.boundDrain(bound.toNanos());
        muster.askStop();
        return drain(bound.toNanos() + LEAVING_NS);
    }

    boolean drain(long patienceNs) throws InterruptedException {
        stop.ask();
        synchronized (this) {
            if (!started) {
                closeListener();
                return true;
            }
        }
        muster.awaitFailure(config.number(Setting.DRAIN_DELAY_MS) * NS_PER_MS);
        wakeLoops();
        boolean ended = muster.awaitEnded(patienceNs);
        if (ended) {
            closeListener();
        }
        removeFiles();
        joinProducer();
        closeLogs();
        return ended;
    }

    /** It has been stopping since the drain began, and gets what is left of the same bound. */
    void joinProducer() throws InterruptedException {
        ProducerThread made = producer;
        if (made != null && !made.join(drainTimeoutNs())) {
            abandoned = true;
        }
    }

    /** Whether the producer or a pool thread was still at work when its join gave up. */
    boolean hasAbandoned() {
        return abandoned;
    }

    /** Takes away what other processes could find, however the process ends. */
    void removeFiles() {
        ChildPublishing made = children;
        if (made != null) {
            made.close();
        }
    }

    /** Writes what the logs still hold; what a loop says later is lost or stands alone. */
    void closeLogs() {
        if (stallWatch != null) {
            stallWatch.close();
        }
        if (accessLog != null) {
            accessLog.close();
        }
        log.close();
    }

    /** The loops close it as they drain; this is for those that never served. */
    private void closeListener() {
        try {
            listener.close();
        } catch (IOException failure) {
            log.line("the listener could not be closed: " + Failure.line(failure));
        }
    }

    /**
     * Waits until every loop has ended.
     *
     * @throws IllegalStateException if one ended by a throw, with that as the cause
     */
    public void awaitStopped() throws InterruptedException {
        muster.awaitEnded(Long.MAX_VALUE);
        LoopFailure failure = muster.failure();
        if (failure != null) {
            throw new IllegalStateException(failures.describe(failure), failure.cause());
        }
    }

    /** A failed loop in words for a line. */
    String describe(LoopFailure failure) {
        return failures.describe(failure);
    }

    /** The start that it has made impossible. */
    StartRefusedException refusal(LoopFailure failure) {
        return failures.refusal(failure);
    }
}
