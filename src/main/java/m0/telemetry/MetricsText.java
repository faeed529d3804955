package m0.telemetry;

import java.util.Arrays;
import java.util.Locale;
import m0.bytes.GrowableBytes;
import m0.http.parse.ProtocolViolation;
import m0.page.LoopCounters;
import m0.page.LoopLine;
import m0.page.Page;
import m0.page.Page.ProducerState;
import m0.ws.FrameViolation;

/**
 * What all loops have counted, summed when it is asked for, in Prometheus' text format 0.0.4.
 *
 * <p>Every label's value is from a fixed set, so nothing needs an escape and no peer can add a
 * series. A series that has counted nothing is there, at 0. The loops go on counting while they are
 * read, so one text can be a request apart in two places.
 *
 * <p>Threads: one at a time; each loop has its own. Owns: the buffer it writes into, which stays.
 */
public final class MetricsText {
    /** The content type that says so. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final String COUNTER = "counter";
    private static final String GAUGE = "gauge";
    private static final String HISTOGRAM = "histogram";
    private static final String[] CLASSES = {"1xx", "2xx", "3xx", "4xx", "5xx"};
    private static final ProtocolViolation[] VIOLATIONS = ProtocolViolation.values();
    private static final String[] VIOLATION_KINDS = kinds();
    private static final FrameViolation[] FRAME_VIOLATIONS = FrameViolation.values();
    private static final int NS_DIGITS = 9;

    private final Page page;
    private final String[] laneNames;
    private final boolean workers;
    private final GrowableBytes text = new GrowableBytes();
    /** The digits of one number, from the last on. */
    private final byte[] digits = new byte[20];
    /** The series that is being written. */
    private String name = "";

    /** @param page with {@link Meter#WORDS} counters, for one lane behind each loop */
    public MetricsText(Page page) {
        this(page, 1, false);
    }

    /**
     * @param page with {@link Meter#words} counters for as many lanes
     * @param workers whether each loop of it is a process
     */
    public MetricsText(Page page, int lanes, boolean workers) {
        this.page = page;
        this.workers = workers;
        laneNames = new String[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            laneNames[lane] = Integer.toString(lane);
        }
    }

    private static String[] kinds() {
        String[] kinds = new String[VIOLATIONS.length];
        for (int index = 0; index < kinds.length; index++) {
            kinds[index] = VIOLATIONS[index].name().toLowerCase(Locale.ROOT);
        }
        return kinds;
    }

    /** The text as it is now, in an array that nobody changes. */
    public byte[] write() {
        text.clear();
        writeRequests();
        writeConnections();
        writeStreams();
        writeLoops();
        writeLanes();
        writeProducer();
        writeWorkers();
        writeViolations();
        return Arrays.copyOf(text.array(), text.length());
    }

    private void writeRequests() {
        begin("m0_requests_total", COUNTER,
                "Answers by the class of their status, refusals and heads of streams among them.");
        for (int index = 0; index < CLASSES.length; index++) {
            sample("class", CLASSES[index], sum(MetricWords.REQUESTS + index));
        }
        begin("m0_request_duration_seconds", HISTOGRAM,
                "Time from a request's first byte to its answer's first write.");
        histogram(MetricWords.DURATIONS);
    }

    /** Words of one loop may be a moment apart, so what is left over is never less than nothing. */
    private void writeConnections() {
        begin("m0_connections", GAUGE, "Open connections by what they do.");
        long idle = 0;
        long stream = 0;
        long active = 0;
        for (int loop = 0; loop < page.loops(); loop++) {
            LoopCounters counters = page.counters(loop);
            long idleHere = counters.get(MetricWords.IDLE);
            long streamHere =
                    counters.get(MetricWords.SSE) + counters.get(MetricWords.WEBSOCKETS);
            idle += idleHere;
            stream += streamHere;
            active += Math.max(0, page.line(loop).active() - idleHere - streamHere);
        }
        sample("state", "active", active);
        sample("state", "idle", idle);
        sample("state", "stream", stream);
    }

    private void writeStreams() {
        begin("m0_streams", GAUGE, "Open streams.");
        sample("kind", "sse", sum(MetricWords.SSE));
        sample("kind", "websocket", sum(MetricWords.WEBSOCKETS));
        begin("m0_outbox_frames_dropped_total", COUNTER,
                "Published frames that a stream's outbox had no room for.");
        sample(sum(MetricWords.DROPPED));
    }

    private void writeLoops() {
        long refused = 0;
        long passed = 0;
        long received = 0;
        long stalls = 0;
        long taken = 0;
        for (int loop = 0; loop < page.loops(); loop++) {
            LoopLine line = page.line(loop);
            refused += line.framesRefused();
            passed += line.passed();
            received += line.received();
            stalls += line.stalls();
            taken += line.taken();
        }
        begin("m0_connections_taken_total", COUNTER,
                "Connections that were taken in, by whichever loop they stay with.");
        sample(taken);
        begin("m0_bus_frames_refused_total", COUNTER,
                "Published frames that a loop's ring had no room for, counted for each loop.");
        sample(refused);
        begin("m0_accept_handoffs_total", COUNTER,
                "Accepted connections that one loop handed to another.");
        sample("direction", "passed", passed);
        sample("direction", "received", received);
        begin("m0_loop_pass_seconds", HISTOGRAM,
                "Time a loop worked between two waits.");
        histogram(MetricWords.PASSES);
        begin("m0_loop_stalls_total", COUNTER,
                "Passes that were found to take longer than M0_LOOP_STALL_MS.");
        sample(stalls);
    }

    /** A job is counted before any thread can take it, so a depth is never less than nothing. */
    private void writeLanes() {
        begin("m0_lane_depth", GAUGE, "Requests that wait for a pool thread.");
        for (int lane = 0; lane < laneNames.length; lane++) {
            sample("lane", laneNames[lane], sum(MetricWords.LANE_DEPTH + lane));
        }
        begin("m0_lane_wait_seconds", HISTOGRAM,
                "Time an answered request waited for a pool thread.");
        histogram(MetricWords.LANE_WAITS);
        begin("m0_lane_refused_total", COUNTER,
                "Requests that a lane refused: too many waited, or they waited too long.");
        sample(sum(MetricWords.LANE_REFUSED));
    }

    private void writeProducer() {
        ProducerState state = page.producer();
        if (state != ProducerState.NONE) {
            begin("m0_producer_up", GAUGE, "Whether the application's producer is being stepped.");
            sample(state == ProducerState.UP ? 1 : 0);
        }
    }

    private void writeWorkers() {
        if (!workers) {
            return;
        }
        long serving = 0;
        long ends = 0;
        for (int loop = 0; loop < page.loops(); loop++) {
            serving += page.line(loop).isServing() ? 1 : 0;
            ends += page.line(loop).ends();
        }
        begin("m0_workers", GAUGE, "Workers that serve.");
        sample(serving);
        begin("m0_worker_ends_total", COUNTER, "Workers that have ended, for whatever reason.");
        sample(ends);
    }

    private void writeViolations() {
        begin("m0_protocol_violations_total", COUNTER,
                "What peers sent, or failed to send in time, against the protocol or a limit.");
        for (int index = 0; index < VIOLATIONS.length; index++) {
            sample("kind", VIOLATION_KINDS[index], sum(MetricWords.violation(VIOLATIONS[index])));
        }
        for (FrameViolation violation : FRAME_VIOLATIONS) {
            sample("kind", violation.kind(), sum(MetricWords.violation(violation)));
        }
    }

    private long sum(int word) {
        long sum = 0;
        for (int loop = 0; loop < page.loops(); loop++) {
            sum += page.counters(loop).get(word);
        }
        return sum;
    }

    private void begin(String metric, String type, String help) {
        name = metric;
        append("# HELP ");
        append(metric);
        append(" ");
        append(help);
        append("\n# TYPE ");
        append(metric);
        append(" ");
        append(type);
        append("\n");
    }

    private void histogram(int first) {
        long count = 0;
        for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
            count += sum(first + bucket);
            append(name);
            append("_bucket");
            label("le", Buckets.bound(bucket));
            value(count);
        }
        append(name);
        append("_sum ");
        seconds(sum(first + Buckets.COUNT));
        append("\n");
        append(name);
        append("_count ");
        value(count);
    }

    private void sample(long number) {
        append(name);
        append(" ");
        value(number);
    }

    private void sample(String label, String labelValue, long number) {
        append(name);
        label(label, labelValue);
        value(number);
    }

    private void label(String label, String labelValue) {
        append("{");
        append(label);
        append("=\"");
        append(labelValue);
        append("\"} ");
    }

    private void value(long number) {
        number(number, 1);
        append("\n");
    }

    private void seconds(long ns) {
        long second = 1_000_000_000L;
        number(ns / second, 1);
        append(".");
        number(ns % second, NS_DIGITS);
    }

    /** In so many digits at least. */
    private void number(long number, int digitsLeast) {
        int at = digits.length;
        for (long rest = number; rest > 0; rest /= 10) {
            digits[--at] = (byte) ('0' + rest % 10);
        }
        while (digits.length - at < digitsLeast) {
            digits[--at] = '0';
        }
        text.append(digits, at, digits.length - at);
    }

    /** ASCII alone. */
    private void append(String ascii) {
        for (int index = 0; index < ascii.length(); index++) {
            text.append((byte) ascii.charAt(index));
        }
    }
}
