package m0.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import m0.bus.ChildObserver;
import m0.connection.ExchangeObserver;
import m0.connection.ExchangeRecord;
import m0.http.Request;
import m0.http.parse.ProtocolViolation;
import m0.loop.Clock;
import m0.loop.LoopObserver;

/**
 * The host's own lines: {@code host: …} on stderr, each written whole, with nothing in it that
 * could end it early or steer a terminal.
 *
 * <p>Threads: any; no call waits for stderr to be read. What a peer could provoke, by asking again and
 * again for a page that throws, is bounded.
 *
 * <p>Limits: {@value #FAILURES_PER_SECOND} application failures a second, {@value #FRAMES_MAX}
 * stack frames (none below the host's call of the application) and {@value #CAUSES_MAX} causes each;
 * {@value #CHILDREN_PER_SECOND} children cut off a second; what is passed over is counted and said.
 */
public final class HostLog implements LoopObserver, ExchangeObserver, ChildObserver,
        AutoCloseable {
    static final int FAILURES_PER_SECOND = 20;
    static final int CHILDREN_PER_SECOND = 5;
    static final int FRAMES_MAX = 12;
    static final int CAUSES_MAX = 3;
    private static final int CAUSE_FRAMES_MAX = 4;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int PATH_CHARS_MAX = 512;
    private static final int MESSAGE_CHARS_MAX = 1024;
    private static final String VARIABLE_PREFIX = "M0_";

    private static final long CLOSE_MS = 1000;

    private final LineWriter writer;
    private final Clock clock;
    private final LineBudget failures = new LineBudget(FAILURES_PER_SECOND, SECOND_NS);

    private final LineBudget childrenCutOff = new LineBudget(CHILDREN_PER_SECOND, SECOND_NS);

    /** @param writer where the lines go */
    public HostLog(LineWriter writer, Clock clock) {
        this.writer = writer;
        this.clock = clock;
    }

    /** Writes {@code host: } and the text as one line. */
    public void line(String text) {
        write(begin(text));
    }

    /** Writes a line and others below it, which {@link #below} has made. */
    public void line(String text, List<String> below) {
        StringBuilder entry = begin(text);
        for (String each : below) {
            appendEscaped(entry, each);
            entry.append('\n');
        }
        write(entry);
    }

    /** Writes a line and, indented below it, where a thread stands. */
    public void lineWithStack(String text, StackTraceElement[] stack) {
        StringBuilder entry = begin(text);
        appendFrames(entry, stack, FRAMES_MAX);
        write(entry);
    }

    /** Writes a line and, indented below it, where that was thrown and by what it was caused. */
    public void lineWithFailure(String text, Throwable failure) {
        List<String> below;
        try {
            below = below(failure);
        } catch (RuntimeException | StackOverflowError broken) {
            // The application's exception class is broken too, and the line has its name.
            below = List.of();
        }
        line(text, below);
    }

    /**
     * The indented lines for below one that tells of a failure: its stack and its causes, bounded and
     * escaped.
     */
    public static List<String> below(Throwable failure) {
        StringBuilder entry = new StringBuilder();
        appendFrames(entry, failure.getStackTrace(), FRAMES_MAX);
        appendCauses(entry, failure, CAUSE_FRAMES_MAX);
        return entry.toString().lines().toList();
    }

    /**
     * The same of its causes alone.
     *
     * @param stacks whether each has its first frames; else it is one line
     */
    public static List<String> causes(Throwable failure, boolean stacks) {
        StringBuilder entry = new StringBuilder();
        appendCauses(entry, failure, stacks ? CAUSE_FRAMES_MAX : 0);
        return entry.toString().lines().toList();
    }

    @Override
    public void onAcceptFailed(int loop, String message) {
        line("loop=" + loop + " cannot accept: " + message + " (raise the limit of open files,"
                + " ulimit -n, or lower --max-connections, M0_MAX_CONNECTIONS)");
    }

    @Override
    public void onDrainCut(int loop, int connections, long boundNs) {
        line("loop=" + loop + " abandoned " + connections + " connections after "
                + TimeUnit.NANOSECONDS.toMillis(boundNs)
                + " ms (raise --drain-timeout-ms, M0_DRAIN_TIMEOUT_MS)");
    }

    @Override
    public void onShared(int loop, long passed, long received) {
        line("loop=" + loop + " passed=" + passed + " received=" + received);
    }

    @Override
    public void onStoodBack(int loop, long times) {
        line("worker=" + loop + " stood_back=" + times);
    }

    /** Exchanges are the access log's. */
    @Override
    public boolean wantsExchanges() {
        return false;
    }

    @Override
    public void onExchange(ExchangeRecord record) {
        throw new AssertionError("exchanges were not asked for");
    }

    @Override
    public void onApplicationFailure(int loop, Request request, Throwable failure) {
        onHookFailure(loop, target(request), failure);
    }

    /** A request's method and path, cut, but not escaped yet. */
    public static String target(Request request) {
        return cut(request.methodName(), PATH_CHARS_MAX) + " "
                + cut(request.rawPath(), PATH_CHARS_MAX);
    }

    @Override
    public void onStreamRefused(int loop, int thread, Request request) {
        if (failures.tryTake(clock.nanoTime())) {
            sayPassedOver();
            line("loop=" + loop + " thread=" + thread + " 409 a stream can only be opened on the loop: "
                    + target(request)
                    + " (answer it in beforeRequest, or have its route answered on the loop)");
        }
    }

    @Override
    public void onHookFailure(int loop, String where, Throwable failure) {
        if (!failures.tryTake(clock.nanoTime())) {
            return;
        }
        sayPassedOver();
        StringBuilder entry = begin("loop=" + loop + " " + cut(where, PATH_CHARS_MAX + PATH_CHARS_MAX)
                + " failed: " + describe(failure));
        StackTraceElement[] stack = failure.getStackTrace();
        appendFrames(entry, stack, Math.min(applicationFrames(stack), FRAMES_MAX));
        appendCauses(entry, failure, CAUSE_FRAMES_MAX);
        write(entry);
    }

    private static void appendCauses(StringBuilder entry, Throwable failure, int framesMax) {
        Throwable cause = failure.getCause();
        for (int count = 0; cause != null && count < CAUSES_MAX; count++) {
            appendEscaped(entry.append("    caused by "), describe(cause));
            entry.append('\n');
            if (framesMax > 0) {
                appendFrames(entry, cause.getStackTrace(), framesMax);
            }
            cause = cause.getCause();
        }
    }

    @Override
    public void onLimit(int loop, ProtocolViolation violation) {
        line("loop=" + loop + " refused a request with " + violation.status() + ": "
                + violation.text() + fix(violation.setting()));
    }

    @Override
    public void onChildCutOff(String reason) {
        if (childrenCutOff.tryTake(clock.nanoTime())) {
            long passedOver = childrenCutOff.takePassedOver();
            line("a child that publishes was cut off: " + reason + (passedOver == 0 ? ""
                    : " (and " + passedOver + " others before it)"));
        }
    }

    private static String fix(String setting) {
        if (setting.startsWith(VARIABLE_PREFIX)) {
            return " (raise " + flag(setting) + ", " + setting + ")";
        }
        return setting.isEmpty() ? "" : " (raise " + setting + ")";
    }

    /** Says what was passed over, and waits a second at most until all is written. */
    @Override
    public void close() {
        sayPassedOver();
        flush(CLOSE_MS);
    }

    /** Waits until all is written, at most so long; later lines are written still. */
    public void flush(long boundMs) {
        writer.flush(boundMs);
    }

    private void sayPassedOver() {
        long count = failures.takePassedOver();
        if (count > 0) {
            line("passed over " + count + " failures of the application (at most "
                    + FAILURES_PER_SECOND + " a second are told)");
        }
    }

    private static String flag(String variable) {
        return "--" + variable.substring(VARIABLE_PREFIX.length()).toLowerCase(Locale.ROOT)
                .replace('_', '-');
    }

    /** Its class and its message, cut, but not escaped yet. */
    public static String describe(Throwable failure) {
        String name = failure.getClass().getName();
        String message;
        try {
            message = failure.getMessage();
        } catch (RuntimeException | StackOverflowError unreadable) {
            // The application's exception class may be broken too, and its request is lost already.
            return name + " (its message cannot be read: " + unreadable.getClass().getName() + ")";
        }
        return message == null ? name : name + ": " + cut(message, MESSAGE_CHARS_MAX);
    }

    private static String cut(String text, int charsMax) {
        return text.length() <= charsMax ? text : text.substring(0, charsMax) + "…";
    }

    private static StringBuilder begin(String text) {
        StringBuilder entry = new StringBuilder(text.length() + 64).append("host: ");
        appendEscaped(entry, text);
        return entry.append('\n');
    }

    /** How many frames lie above the host's call of the application, that call included. */
    private static int applicationFrames(StackTraceElement[] stack) {
        for (int index = 0; index < stack.length; index++) {
            if (stack[index].getClassName().startsWith("m0.connection.")) {
                return index + 1;
            }
        }
        return stack.length;
    }

    private static void appendFrames(StringBuilder entry, StackTraceElement[] stack, int max) {
        int shown = Math.min(stack.length, max);
        for (int index = 0; index < shown; index++) {
            appendEscaped(entry.append("    at "), stack[index].toString());
            entry.append('\n');
        }
        if (shown < stack.length) {
            entry.append("    and ").append(stack.length - shown).append(" more\n");
        }
    }

    /** Copies the text, and writes what {@link Escape} names as {@code \}{@code u00XX}. */
    private static void appendEscaped(StringBuilder entry, String text) {
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            if (Escape.isNeeded(c)) {
                entry.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    entry.append((char) Escape.hexDigit(c >> shift));
                }
            } else {
                entry.append(c);
            }
        }
    }

    private void write(StringBuilder entry) {
        writer.write(entry.toString().getBytes(StandardCharsets.UTF_8));
    }
}
