package m0.host;

import java.util.Locale;

/**
 * The one table of settings: flags, the strict environment, {@code --help}, the doctor and the
 * README's table are made from it.
 *
 * <p>A setting's variable is {@code M0_} and its constant's name; its flag is the same name in
 * small letters with hyphens, so {@code M0_MAX_BODY} is {@code --max-body}; and so is its system
 * property, {@code -Dm0.max-body}, where a program's servers are read from those.
 *
 * <p>Threads: any.
 */
public enum Setting {
    HOST(Kind.TEXT, "0.0.0.0", 0, 0,
            "address to listen on: IPv4 (`0.0.0.0` is IPv4 alone), IPv6 as `[::1]`, `localhost`,"
                    + " or `::` for both families"),
    PORT(Kind.COUNT, "8080", 0, 65_535, "port to listen on; 0 takes any free one"),
    APP(Kind.TEXT, "hello", 0, 0,
            "application: a name the jar knows, or a class with a public constructor without"
                    + " arguments; with `serve` a `HttpHandler`, `bareapp` by default"),
    THREADS(Kind.COUNT, "1", 1, 1024,
            "loops on threads of this process, behind one listener; not with `M0_WORKERS`"),
    WORKERS(Kind.COUNT, "1", 1, 1024,
            "worker processes under a supervisor, which replaces one that dies; not with `M0_THREADS`"),
    BLOCKING_THREADS(Kind.POOL, "0", 0, 1024,
            "pool threads behind each loop, 0 none; `virtual` where the JDK has virtual threads;"
                    + " with `serve` so many for each lane, 4 by default and never 0"),
    MOUNT(Kind.LIST, null, 0, 0, "`serve` alone: `/x=NAME`, comma list; an application under"
            + " each prefix"),
    MOUNT_LOOP(Kind.BIT, "1", 0, 1, "`serve` alone: 0 leaves mounts' loop routes to their lane"),
    ACCEPT_SHARE(Kind.BIT, "1", 0, 1, "share accepted connections among loops; 0 the bare race"),
    ACCEPT_BATCH(Kind.NUMBER, "16", 0, 65_535,
            "connections accepted in one pass; 0 the whole backlog"),
    MAX_CONNECTIONS(Kind.NUMBER, "16384", 1, 1_048_576,
            "open connections per loop; beyond it the backlog waits"),
    MAX_KEEPALIVE_REQUESTS(Kind.NUMBER, "1000", 0, Integer.MAX_VALUE,
            "requests on one connection before an answer says `close`; 0 no cap"),
    MAX_HEAD(Kind.SIZE, "32k", 256, 16 << 20, "request line and fields; 431 beyond"),
    MAX_TARGET(Kind.SIZE, "8k", 16, 16 << 20, "request target; 414 beyond"),
    MAX_BODY(Kind.SIZE, "4m", 0, 1 << 30, "request body; 413 beyond"),
    MAX_MESSAGE(Kind.SIZE, "4m", 125, 1 << 30, "one WebSocket message; close code 1009 beyond"),
    HEADER_TIMEOUT_MS(Kind.NUMBER, "10000", 0, Kind.DAY_MS,
            "from a request's first byte to the end of its head; 408 beyond, 0 off"),
    BODY_TIMEOUT_MS(Kind.NUMBER, "30000", 0, Kind.DAY_MS,
            "from the head to the end of the body; 408 beyond, 0 off"),
    IDLE_TIMEOUT_MS(Kind.NUMBER, "75000", 0, Kind.DAY_MS,
            "a quiet connection is closed after it; 0 off"),
    SEND_TIMEOUT_MS(Kind.NUMBER, "60000", 0, Kind.DAY_MS,
            "an answer without progress is given up after it; 0 off"),
    BODY_RATE(Kind.NUMBER, "500", 1, 1 << 30,
            "bytes that buy the body deadline one more second"),
    DRAIN_TIMEOUT_MS(Kind.NUMBER, "5000", 0, Kind.DAY_MS, "the one bound of a stop"),
    DRAIN_DELAY_MS(Kind.NUMBER, "0", 0, Kind.DAY_MS,
            "serving on after the signal, before the drain; `/__ready` says 503 meanwhile"),
    LANE_QUEUE(Kind.NUMBER, "0", 0, 1_048_576,
            "requests that may wait for a pool thread of a lane; 503 beyond, 0 off"),
    LANE_DEADLINE_MS(Kind.NUMBER, "0", 0, Kind.DAY_MS,
            "how long a request may wait for a pool thread; 503 beyond, 0 off"),
    DEFERRED_DEADLINE_MS(Kind.NUMBER, "30000", 0, Kind.DAY_MS,
            "how long a deferred answer may take; 503 beyond, 0 off"),
    SSE_HEARTBEAT_MS(Kind.NUMBER, "15000", 0, Kind.DAY_MS, "a comment on each event stream, a ping on each WebSocket; 0 off"),
    STREAM_KEEPALIVE_S(Kind.NUMBER, "15", 0, 32_767, "TCP keepalive on streams; 0 off"),
    STREAM_OUTBOX(Kind.SIZE, "64k", 1024, 1 << 30, "bytes that may wait on one stream"),
    REPLAY_FRAMES(Kind.NUMBER, "64", 0, 1_048_576, "events kept per channel for a resume"),
    APP_TICK_MS(Kind.NUMBER, "0", 0, Kind.DAY_MS,
            "between two ticks of an application that names no interval itself; 0 off"),
    ORIGINS(Kind.ORIGINS, null, 0, 0, "WebSocket origins allowed; unset any"),
    ACCESS_LOG(Kind.SWITCH, "0", 0, 1, "a JSON line per answer on stdout"),
    METRICS(Kind.SWITCH, "0", 0, 1, "serve `/__metrics`, `/__live` and `/__ready`"),
    LOOP_STALL_MS(Kind.NUMBER, "1000", 0, Kind.DAY_MS,
            "a pass longer than this is logged with the stack that holds it; 0 off");

    /** How a value is written. */
    public enum Kind {
        /** Any text; its check judges it. */
        TEXT,
        /** Text, and none is a value too: unset. */
        LIST,
        /** Origins that a page can have; none is a value too: unset. */
        ORIGINS,
        /** A whole number in the range. */
        NUMBER,
        /** A whole number; its check judges whether it is served. */
        COUNT,
        /** A whole number in the range, or {@code virtual}. */
        POOL,
        /** A whole number of bytes, {@code k} and {@code m} for 1024 and its square. */
        SIZE,
        /** 0 or 1. */
        BIT,
        /** 0, 1, {@code false} or {@code true}; its flag takes no value and means 1. */
        SWITCH;

        static final int DAY_MS = 86_400_000;
    }

    private static final Setting[] ALL = values();

    private final String variable;
    private final String flag;
    private final Kind kind;
    private final String byDefault;
    private final long min;
    private final long max;
    private final String meaning;

    Setting(Kind kind, String byDefault, long min, long max, String meaning) {
        this.variable = "M0_" + name();
        this.flag = "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.kind = kind;
        this.byDefault = byDefault;
        this.min = min;
        this.max = max;
        this.meaning = meaning;
    }

    /** The setting of that variable, or null. */
    static Setting ofVariable(String variable) {
        for (Setting setting : ALL) {
            if (setting.variable.equals(variable)) {
                return setting;
            }
        }
        return null;
    }

    /** The setting of that flag, {@code --} included, or null. */
    static Setting ofFlag(String flag) {
        for (Setting setting : ALL) {
            if (setting.flag.equals(flag)) {
                return setting;
            }
        }
        return null;
    }

    /** {@code M0_X_Y}. */
    public String variable() {
        return variable;
    }

    /** {@code --x-y}. */
    public String flag() {
        return flag;
    }

    /** {@code m0.x-y}. */
    String property() {
        return "m0." + flag.substring(2);
    }

    public Kind kind() {
        return kind;
    }

    /** The default as an operator would write it, or null for unset. */
    public String byDefault() {
        return byDefault;
    }

    /** One line in Markdown. */
    public String meaning() {
        return meaning;
    }

    /** What can be written, as a refusal says it. */
    public String range() {
        return rangeFrom(min);
    }

    /** The same for who takes no number below {@code least}. */
    public String rangeFrom(long least) {
        return switch (kind) {
            case TEXT -> "text";
            case LIST -> "comma list";
            case ORIGINS -> "comma list of scheme://host or scheme://host:port";
            case NUMBER, COUNT -> numbers(least);
            case POOL -> numbers(least) + " or virtual";
            case SIZE -> SettingValue.sizeText(least) + ".." + SettingValue.sizeText(max);
            case BIT -> "0 or 1";
            case SWITCH -> "1, true, 0 or false";
        };
    }

    private String numbers(long least) {
        return max == Integer.MAX_VALUE ? least + " or more" : least + ".." + max;
    }

    long min() {
        return min;
    }

    long max() {
        return max;
    }
}
