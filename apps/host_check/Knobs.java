package host_check;

import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The application's variables {@code M0_HOSTCHECK_…} as they were read for one handler or producer.
 *
 * @param periodMs from one step's scheduled start to the next; 0: at once
 * @param stepMs how long each step takes
 * @param stepRaisesAt the step that throws, counted from 1; 0: none
 * @param tickMs between two ticks; 0 leaves it to the host's setting
 * @param hookRaises the hook that throws whenever it is called, or null
 * @param tellsClose whether handlers and the producer say on stderr that they were closed
 */
record Knobs(int periodMs, int stepMs, int stepRaisesAt, int tickMs, Hook hookRaises,
        boolean tellsClose) {
    private static final String PREFIX = "M0_HOSTCHECK_";
    static final String MAX_WORKERS = PREFIX + "MAX_WORKERS";
    static final String MAKE_MS = PREFIX + "MAKE_MS";
    static final String MAKE_RAISES = PREFIX + "MAKE_RAISES";
    static final String LOOP_MAKE_RAISES = PREFIX + "LOOP_MAKE_RAISES";
    static final String POOL_MAKE_RAISES = PREFIX + "POOL_MAKE_RAISES";
    static final String PRODUCER_RAISES = PREFIX + "PRODUCER_RAISES";
    static final String LOOP_ERROR = PREFIX + "LOOP_ERROR";
    static final String PERIOD_MS = PREFIX + "PERIOD_MS";
    static final String STEP_MS = PREFIX + "STEP_MS";
    static final String STEP_RAISES_AT = PREFIX + "STEP_RAISES_AT";
    static final String TICK_MS = PREFIX + "TICK_MS";
    static final String HOOK_RAISES = PREFIX + "HOOK_RAISES";
    static final String TELL_CLOSE = PREFIX + "TELL_CLOSE";
    static final String TELL_DOOR = PREFIX + "TELL_DOOR";
    static final String EXIT_HANGS = PREFIX + "EXIT_HANGS";
    static final Set<String> NAMES = Set.of(MAX_WORKERS, MAKE_MS, MAKE_RAISES,
            LOOP_MAKE_RAISES, POOL_MAKE_RAISES, PRODUCER_RAISES, LOOP_ERROR, PERIOD_MS, STEP_MS,
            STEP_RAISES_AT, TICK_MS, HOOK_RAISES, TELL_CLOSE, TELL_DOOR, EXIT_HANGS);
    private static final int PERIOD_MS_DEFAULT = 100;

    /**
     * Reads them.
     *
     * @param setting a variable's value by its name, or null where it is not set
     * @throws IllegalArgumentException naming the knob that cannot be read
     */
    static Knobs read(UnaryOperator<String> setting) {
        return new Knobs(number(setting, PERIOD_MS, PERIOD_MS_DEFAULT),
                number(setting, STEP_MS, 0), number(setting, STEP_RAISES_AT, 0),
                number(setting, TICK_MS, 0), hook(setting.apply(HOOK_RAISES)),
                isOn(setting, TELL_CLOSE));
    }

    static boolean isOn(UnaryOperator<String> setting, String name) {
        return number(setting, name, 0) != 0;
    }

    /** The knob's number, from 0 up, or {@code absent} where it is not set. */
    static int number(UnaryOperator<String> setting, String name, int absent) {
        String text = setting.apply(name);
        if (text == null) {
            return absent;
        }
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

    private static Hook hook(String name) {
        if (name == null) {
            return null;
        }
        return Stream.of(Hook.values()).filter(hook -> hook.label().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(HOOK_RAISES + "=" + name
                        + " is none of " + Stream.of(Hook.values()).map(Hook::label)
                        .collect(Collectors.joining(", "))));
    }
}
