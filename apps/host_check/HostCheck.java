package host_check;

import java.util.List;
import java.util.Set;
import m0.app.App;
import m0.app.AppHandler;
import m0.app.HostContext;

/**
 * What gates check the host with. Its knobs are variables {@code M0_HOSTCHECK_…}:
 *
 * <ul>
 *   <li>{@code MAX_WORKERS=N}: the answer to {@link App#maxWorkers()};
 *   <li>{@code MAKE_RAISES=1}: every loop's {@code make} throws;
 *   <li>{@code LOOP_MAKE_RAISES=K}: loop K's {@code make} throws, 300 ms late;
 *   <li>{@code LOOP_ERROR=1}: {@code /error} throws an {@code Error}.
 * </ul>
 *
 * <p>Errors: {@code make} refuses the knobs that steer what is not served yet, and a knob whose
 * value it cannot read.
 */
public final class HostCheck implements App {
    private static final String PREFIX = "M0_HOSTCHECK_";
    private static final String MAX_WORKERS = PREFIX + "MAX_WORKERS";
    private static final String MAKE_RAISES = PREFIX + "MAKE_RAISES";
    private static final String LOOP_MAKE_RAISES = PREFIX + "LOOP_MAKE_RAISES";
    private static final String LOOP_ERROR = PREFIX + "LOOP_ERROR";
    private static final long LATE_MS = 300;

    /** Knobs of streams, of the producer and of the pool. */
    private static final List<String> NOT_SERVED = List.of(PREFIX + "PERIOD_MS",
            PREFIX + "STEP_MS", PREFIX + "PRODUCER_RAISES", PREFIX + "POOL_MAKE_RAISES");

    private final int workersMax;

    public HostCheck() {
        this(System.getenv(MAX_WORKERS));
    }

    /** {@code workersMax} is the knob's text, or null where it is not set. */
    HostCheck(String workersMax) {
        this.workersMax = workersMax == null ? 0 : number(MAX_WORKERS, workersMax);
    }

    @Override
    public int maxWorkers() {
        return workersMax;
    }

    @Override
    public Set<String> settings() {
        return Set.of(MAX_WORKERS, MAKE_RAISES, LOOP_MAKE_RAISES, LOOP_ERROR, NOT_SERVED.get(0),
                NOT_SERVED.get(1), NOT_SERVED.get(2), NOT_SERVED.get(3));
    }

    @Override
    public AppHandler make(HostContext context) throws Exception {
        for (String name : NOT_SERVED) {
            if (context.setting(name) != null) {
                throw new IllegalStateException(name + " steers what is not served yet");
            }
        }
        if (context.onLoop() && isOn(context, MAKE_RAISES)) {
            throw new IllegalStateException(MAKE_RAISES + " asked make to throw");
        }
        String late = context.setting(LOOP_MAKE_RAISES);
        if (late != null && context.onLoop()
                && number(LOOP_MAKE_RAISES, late) == context.worker()) {
            Thread.sleep(LATE_MS);
            throw new IllegalStateException(
                    LOOP_MAKE_RAISES + " asked make to throw on loop " + late);
        }
        return new HostCheckHandler(context, isOn(context, LOOP_ERROR));
    }

    private static boolean isOn(HostContext context, String name) {
        String value = context.setting(name);
        return value != null && number(name, value) != 0;
    }

    private static int number(String name, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(name + "=" + text + " is not a number", notANumber);
        }
        throw new IllegalArgumentException(name + "=" + text + " is negative");
    }
}
