package host_check;

import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;
import m0.app.Producer;

/**
 * What gates check the host with. Its knobs are variables {@code M0_HOSTCHECK_…}:
 *
 * <ul>
 *   <li>{@code MAX_WORKERS=N}: the answer to {@link App#maxWorkers()};
 *   <li>{@code MAKE_MS=N}: every loop's {@code make} takes N ms (0);
 *   <li>{@code MAKE_RAISES=1}: every loop's {@code make} refuses; 2: it fails, by an exception that
 *       is no refusal;
 *   <li>{@code LOOP_MAKE_RAISES=K}: loop K's {@code make} throws, two seconds late;
 *   <li>{@code POOL_MAKE_RAISES=K}: the {@code make} of every loop's pool thread K throws;
 *   <li>{@code LOOP_ERROR=1}: {@code /error} throws an {@code Error};
 *   <li>{@code PERIOD_MS=N}: beats are N ms apart (100), 0 as fast as they can be published;
 *   <li>{@code STEP_MS=N}: each step of the producer takes N ms (0);
 *   <li>{@code STEP_RAISES_AT=N}: its step N throws;
 *   <li>{@code PRODUCER_RAISES=1}: {@code producer} throws;
 *   <li>{@code TICK_MS=N}: {@code tick} is called every N ms, whatever the host's setting;
 *   <li>{@code HOOK_RAISES=NAME}: that method of the handler, {@code tick} say, throws whenever it
 *       is called;
 *   <li>{@code TELL_CLOSE=1}: handlers and the producer say on stderr when they are closed;
 *   <li>{@code TELL_DOOR=1}: loop 0's {@code make} asks for what a child needs to publish and says
 *       it on stderr, a variable a line;
 *   <li>{@code EXIT_HANGS=1}: every loop's {@code make} leaves a hook of the JVM's end that never ends.
 * </ul>
 *
 * <p>Errors: {@code make} refuses a knob whose value it cannot read.
 */
public final class HostCheck implements App {
    /** How many beats there were. */
    static final int BEATS_WORD = 0;
    /** How often held WebSockets were asked to go on. */
    static final int RESUMES_WORD = 1;
    /** How many answers were deferred. */
    static final int DEFERRED_WORD = 2;
    /** How many of their completions were taken. */
    static final int TAKEN_WORD = 3;
    /** How many of their completions came too late. */
    static final int LATE_WORD = 4;
    /** How many deferred answers nobody waited for any more. */
    static final int GONE_WORD = 5;
    /** How many answers that take their time were begun. */
    static final int BEGUN_WORD = 6;
    private static final int WORDS = 7;
    private static final long LATE_MS = 2000;
    /** How {@code make} is to throw what is no refusal. */
    private static final int FAILS = 2;

    private final int workersMax;

    public HostCheck() {
        this(System::getenv);
    }

    /** The limit has to be known before there is a context; {@code variable} finds its text. */
    HostCheck(UnaryOperator<String> variable) {
        workersMax = Knobs.number(variable, Knobs.MAX_WORKERS, 0);
    }

    @Override
    public Producer producer(HostContext context) {
        if (Knobs.isOn(context::setting, Knobs.PRODUCER_RAISES)) {
            throw new IllegalStateException(Knobs.PRODUCER_RAISES + " asked producer to throw");
        }
        return new Beats(context, Knobs.read(context::setting));
    }

    @Override
    public int maxWorkers() {
        return workersMax;
    }

    @Override
    public int pageSlots(int loops) {
        return WORDS;
    }

    @Override
    public Set<String> settings() {
        return Knobs.NAMES;
    }

    @Override
    public AppHandler make(HostContext context) throws Exception {
        int raises = Knobs.number(context::setting, Knobs.POOL_MAKE_RAISES, -1);
        if (!context.onLoop() && raises == context.thread()) {
            throw new IllegalStateException(
                    Knobs.POOL_MAKE_RAISES + " asked make to throw on thread " + raises);
        }
        int takesMs = Knobs.number(context::setting, Knobs.MAKE_MS, 0);
        if (context.onLoop() && takesMs > 0) {
            Thread.sleep(takesMs);
        }
        int how = Knobs.number(context::setting, Knobs.MAKE_RAISES, 0);
        if (context.onLoop() && how == FAILS) {
            throw new IOException(Knobs.MAKE_RAISES + " asked make to fail",
                    new NoSuchElementException("for this cause"));
        }
        if (context.onLoop() && how > 0) {
            throw new IllegalStateException(Knobs.MAKE_RAISES + " asked make to throw");
        }
        int late = Knobs.number(context::setting, Knobs.LOOP_MAKE_RAISES, -1);
        if (context.onLoop() && late == context.worker()) {
            Thread.sleep(LATE_MS);
            throw new IllegalStateException(
                    Knobs.LOOP_MAKE_RAISES + " asked make to throw on loop " + late);
        }
        if (context.tickOwner() && Knobs.isOn(context::setting, Knobs.TELL_DOOR)) {
            context.childEnvironment().forEach(
                    (name, value) -> System.err.println("host_check: child " + name + "=" + value));
        }
        if (context.onLoop() && Knobs.isOn(context::setting, Knobs.EXIT_HANGS)) {
            Runtime.getRuntime().addShutdownHook(new Thread(HostCheck::hang, "host_check-hook"));
        }
        return new HostCheckHandler(context, Knobs.read(context::setting),
                Knobs.isOn(context::setting, Knobs.LOOP_ERROR));
    }

    private static void hang() {
        while (true) {
            LockSupport.park();
        }
    }
}
