package m0.host;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.Producer;
import m0.connection.Connections;
import m0.connection.ExchangeObserver;
import m0.host.Muster.LoopFailure;
import m0.loop.Clock;
import m0.loop.Loop;
import m0.loop.StopWord;
import m0.telemetry.AccessLog;
import m0.telemetry.AccessLogThread;
import m0.telemetry.HealthHandler;
import m0.telemetry.HostLog;
import m0.telemetry.LineWriter;
import m0.telemetry.LoopPulse;
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
    /** How long a refused start waits for threads that are still building. */
    private static final long DISMISSAL_NS = 1_000_000_000L;
    private static final long NS_PER_MS = 1_000_000L;
    static final int LOOPS = 1;

    private final ServerConfig config;
    private final Listener listener;
    private final HostLog log;
    private final Clock clock = Clock.SYSTEM;
    private final StopWord stop = new StopWord();
    private final Muster muster = new Muster(LOOPS);
    /** Filled once, by the thread that starts, before any loop's thread runs. */
    private final List<LoopThread> threads = new ArrayList<>(LOOPS);
    private final List<LoopPulse> pulses = new ArrayList<>(LOOPS);
    private App app;
    /** What requests are told to: the access log where there is one, else the host's own lines. */
    private ExchangeObserver exchanges;
    private AccessLogThread accessLog;
    private StallWatchThread stallWatch;
    private boolean started;

    private Server(ServerConfig config, Listener listener) {
        this.config = config;
        this.listener = listener;
        this.log = new HostLog(new LineWriter(System.err), clock, config.number(Setting.DRAIN_TIMEOUT_MS));
    }

    /**
     * Listens; connections wait in the backlog until {@link #start}.
     *
     * @throws IOException if the address cannot be bound
     */
    public static Server bind(ServerConfig config) throws IOException {
        String missing = AgronaOpening.finding();
        if (!missing.isEmpty()) {
            throw new IllegalStateException(missing);
        }
        ListenAddress address = ListenAddress.read(config.text(Setting.HOST));
        return new Server(config, Listener.bind(address, (int) config.number(Setting.PORT)));
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
        try {
            launch(application);
            return this;
        } catch (StartRefusedException refused) {
            throw new IllegalStateException(refused.getMessage(), refused.getCause());
        }
    }

    /** Starts the loops; false if a stop came before they were ready to serve. */
    boolean launch(App application) throws StartRefusedException, InterruptedException {
        synchronized (this) {
            if (started) {
                throw new IllegalStateException("a server starts once");
            }
            started = true;
        }
        app = application;
        exchanges = config.isOn(Setting.ACCESS_LOG) ? openAccessLog() : log;
        for (int index = 0; index < LOOPS; index++) {
            LoopThread thread = new LoopThread(index, this, application, muster);
            threads.add(thread);
            pulses.add(thread);
        }
        for (LoopThread thread : threads) {
            thread.start();
        }
        if (muster.awaitReady()) {
            checkProducer();
            watchForStalls();
            return muster.open();
        }
        if (muster.failure() != null) {
            throw dismissed(refusal(muster.failure()));
        }
        return false;
    }

    /** Straight to the descriptor: what is written is a batch of lines already. */
    private ExchangeObserver openAccessLog() {
        AccessLog made =
                new AccessLog(log, clock, new FileOutputStream(FileDescriptor.out), LOOPS);
        accessLog = AccessLogThread.start(made, clock);
        return made;
    }

    private static StartRefusedException refusal(LoopFailure failure) {
        return switch (failure.stage()) {
            case MAKE -> new StartRefusedException("the application's make threw on loop "
                    + failure.loop() + ": " + Failure.line(failure.cause()),
                    ExitCode.REFUSED, failure.cause());
            case OPEN, SERVE -> new StartRefusedException("loop " + failure.loop()
                    + " could not be opened: " + Failure.line(failure.cause()),
                    ExitCode.FAILED, failure.cause());
        };
    }

    /** The producer is asked for here, once; what it would do is not served yet. */
    private void checkProducer() throws StartRefusedException, InterruptedException {
        Producer producer;
        try {
            producer = app.producer(context(0));
        } catch (Exception thrown) {
            throw dismissed(new StartRefusedException("the application's producer threw: "
                    + Failure.line(thrown), ExitCode.REFUSED, thrown));
        }
        if (producer != null) {
            producer.close();
            throw dismissed(new StartRefusedException("the application has a producer, and those"
                    + " are not served yet", ExitCode.REFUSED, null));
        }
    }

    /** Sends the loops home that have not served, and stops listening. */
    private StartRefusedException dismissed(StartRefusedException refused)
            throws InterruptedException {
        muster.askStop();
        muster.awaitEnded(DISMISSAL_NS);
        closeListener();
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
        return new LoopContext(loop, LOOPS, config, app.settings());
    }

    /** Called on a loop's thread once its handler exists. */
    Loop openLoop(int loop, AppHandler handler) throws IOException {
        AppHandler outer = config.isOn(Setting.METRICS)
                ? new HealthHandler(handler, stop, pulses, config.number(Setting.LOOP_STALL_MS),
                        clock)
                : handler;
        Connections connections =
                new Connections(loop, config.connectionConfig(), outer, clock, stop, exchanges);
        return new Loop(loop, listener.channel(), config.loopConfig(), connections, clock, stop,
                log);
    }

    /** Called on a loop's thread as it ends by a throw: nobody replaces it, so all end. */
    void onLoopFailure(LoopFailure failure) {
        muster.failed(failure);
        stop.ask();
        wakeLoops();
    }

    private void wakeLoops() {
        for (LoopThread thread : threads) {
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

    /** {@code http://ADDRESS:PORT}. */
    String url() {
        return listener.url();
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
        closeLogs();
        return ended;
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
            listener.channel().close();
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
            throw new IllegalStateException(describe(failure), failure.cause());
        }
    }

    static String describe(LoopFailure failure) {
        return "loop " + failure.loop() + " ended by " + failure.cause().getClass().getName()
                + (failure.cause().getMessage() == null ? ""
                        : ": " + Printable.text(failure.cause().getMessage()));
    }
}
