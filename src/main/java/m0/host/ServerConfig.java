package m0.host;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import m0.connection.ConnectionConfig;
import m0.http.Limits;
import m0.connection.StreamConfig;
import m0.loop.LoopConfig;
import m0.pool.LaneConfig;
import m0.telemetry.Meter;
import m0.ws.Origins;

/**
 * What a {@link Server} is to be: a value for each {@link Setting}, and the application's own
 * variables.
 *
 * <p>Nothing is read from the environment, and system properties only where they are asked for.
 * Values are written and judged as an operator's are, so a server that is embedded takes the same
 * values as one that is started.
 *
 * <pre>
 * ServerConfig config = ServerConfig.builder().host("127.0.0.1").port(0)
 *         .set(Setting.METRICS, "1").build();
 * </pre>
 *
 * <p>Threads: any; it is immutable. Errors: {@link Builder#build} throws
 * {@code IllegalArgumentException} for a value that cannot be read or is not served.
 */
public final class ServerConfig {
    /** The part of the heap that incomplete requests and stuck answers may take: a quarter. */
    private static final int HELD_SHARE = 4;
    /** The part that streams' outboxes may take, and the one that journals may take. */
    private static final int WAITING_SHARE = 8;
    private static final int JOURNAL_SHARE = 16;
    /** What a drain may take beyond its bound until the loops' threads are through. */
    private static final long JOIN_EXTRA_MS = 1500;
    /** Connections that a loop surely closes in a millisecond, however busy its machine is. */
    private static final long CLOSED_PER_MS = 4;
    private static final long NS_PER_MS = 1_000_000L;

    private final Settings settings;
    private final Map<String, String> applicationVariables;

    ServerConfig(Settings settings, Map<String, String> applicationVariables) {
        this.settings = settings;
        this.applicationVariables = applicationVariables;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects values; not for two threads. */
    public static final class Builder {
        private final String[] texts = new String[Setting.values().length];
        private final Set<Setting> properties = EnumSet.noneOf(Setting.class);
        private final Map<String, String> variables = new HashMap<>();

        private Builder() {
        }

        /** The address to listen on, as {@code M0_HOST} has it. */
        public Builder host(String address) {
            return set(Setting.HOST, address);
        }

        /** The port to listen on, 0 for any free one. */
        public Builder port(int port) {
            return set(Setting.PORT, Integer.toString(port));
        }

        /** Any setting, as its variable has it. {@code M0_APP} has no meaning here. */
        public Builder set(Setting setting, String value) {
            texts[setting.ordinal()] = value;
            properties.remove(setting);
            return this;
        }

        /** A setting from its system property, {@code -Dm0.max-body=64m}, if there is one. */
        public Builder property(Setting setting) {
            String value = System.getProperty(setting.property());
            if (value != null) {
                set(setting, value);
                properties.add(setting);
            }
            return this;
        }

        /** One of the variables that {@code App.settings()} names. */
        public Builder variable(String name, String value) {
            variables.put(name, value);
            return this;
        }

        public ServerConfig build() {
            Settings settings = new Settings(texts, properties);
            List<Check> checks = Checks.evaluate(settings, new Environment(Map.of()),
                    Selection.of("", null, OneApplication.noMounts(settings)),
                    Surroundings.ofAProgram());
            Check refusal = Checks.firstFailure(checks);
            if (refusal != null) {
                throw new IllegalArgumentException(refusal.detail());
            }
            if (settings.number(Setting.WORKERS) > 1) {
                throw new IllegalArgumentException(settings.assignment(Setting.WORKERS)
                        + " is for a host that is a process of its own, not for a server in one");
            }
            return new ServerConfig(settings, Map.copyOf(variables));
        }
    }

    /** Why that cannot be served so, or null. */
    Check refusal(Service service) {
        return Checks.firstFailure(Checks.evaluate(settings, new Environment(Map.of()),
                Selection.of(service.app().getClass().getName(), service,
                        OneApplication.noMounts(settings)), Surroundings.ofAProgram()));
    }

    /** The value of a setting as it was written, or its default; null where it is unset. */
    public String text(Setting setting) {
        return settings.text(setting);
    }

    /** A setting's number: 0 for text, 1 and 0 for on and off, sizes in bytes. */
    public long number(Setting setting) {
        return settings.number(setting);
    }

    public boolean isOn(Setting setting) {
        return settings.isOn(setting);
    }

    /** The value of an application's own variable, or null. */
    String applicationVariable(String name) {
        return applicationVariables.get(name);
    }

    /** Words in which each loop counts: none without metrics. */
    int counterWords(Service service) {
        return isOn(Setting.METRICS) ? Meter.words(service.lanes().size()) : 0;
    }

    /** Which of them say what is now. */
    int[] gauges(Service service) {
        return isOn(Setting.METRICS) ? Meter.gauges(service.lanes().size()) : new int[0];
    }

    LoopConfig loopConfig() {
        return new LoopConfig((int) number(Setting.ACCEPT_BATCH), ns(Setting.DRAIN_TIMEOUT_MS));
    }

    /**
     * How long loops are waited for, from the beginning of their drain to the end of their threads.
     *
     * @param connections those that they may have to cut
     */
    long joinBoundNs(long connections) {
        return ns(Setting.DRAIN_TIMEOUT_MS)
                + (JOIN_EXTRA_MS + connections / CLOSED_PER_MS) * NS_PER_MS;
    }

    ConnectionConfig connectionConfig() {
        return new ConnectionConfig(
                new Limits((int) number(Setting.MAX_HEAD), (int) number(Setting.MAX_TARGET),
                        (int) number(Setting.MAX_BODY)),
                (int) number(Setting.MAX_CONNECTIONS),
                (int) number(Setting.MAX_KEEPALIVE_REQUESTS),
                ns(Setting.HEADER_TIMEOUT_MS), ns(Setting.BODY_TIMEOUT_MS),
                (int) number(Setting.BODY_RATE),
                ns(Setting.IDLE_TIMEOUT_MS), ns(Setting.SEND_TIMEOUT_MS),
                memoryShare(HELD_SHARE), ns(Setting.APP_TICK_MS),
                ns(Setting.LANE_DEADLINE_MS), ns(Setting.DEFERRED_DEADLINE_MS), streamConfig());
    }

    /** That lane behind that loop. */
    LaneConfig laneConfig(int loop, int lane) {
        return new LaneConfig(loop, lane, (int) number(Setting.BLOCKING_THREADS),
                (int) number(Setting.MAX_CONNECTIONS), (int) number(Setting.LANE_QUEUE),
                ns(Setting.LANE_DEADLINE_MS));
    }

    private StreamConfig streamConfig() {
        return new StreamConfig((int) number(Setting.STREAM_OUTBOX),
                (int) number(Setting.MAX_MESSAGE), ns(Setting.SSE_HEARTBEAT_MS),
                (int) number(Setting.STREAM_KEEPALIVE_S), (int) number(Setting.REPLAY_FRAMES),
                origins(), memoryShare(WAITING_SHARE), memoryShare(JOURNAL_SHARE));
    }

    private Origins origins() {
        String list = text(Setting.ORIGINS);
        return list == null ? Origins.ANY : Origins.ofList(list);
    }

    /** One loop's part of that part of the heap. */
    private long memoryShare(int share) {
        return Runtime.getRuntime().maxMemory() / share / number(Setting.THREADS);
    }

    private long ns(Setting setting) {
        return number(setting) * NS_PER_MS;
    }
}
