package m0.connection;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.app.Published;
import m0.bus.Bus;
import m0.http.Request;
import m0.http.parse.ProtocolViolation;
import m0.loop.ReadyWork;
import m0.loop.StopWord;
import m0.loop.Waker;
import m0.page.Page;
import m0.pool.Completions;
import m0.pool.Lanes;

/** One loop's connections without a loop: a test plays the selector and the clock. */
final class Bench implements ExchangeObserver {
    final SteppedClock clock;
    final StopWord stop = new StopWord();
    final List<String> failures = new ArrayList<>();
    final List<ProtocolViolation> limits = new ArrayList<>();
    final List<ExchangeRecord> records = new ArrayList<>();
    final List<String> frameViolations = new ArrayList<>();
    final List<ProtocolViolation> violations = new ArrayList<>();
    final List<String> refusedStreams = new ArrayList<>();
    int laneRefusals;
    int dropped;
    int idle;
    final Page page = Page.inMemory(1, 0);
    final Bus bus;
    final LoopStreams streams = new LoopStreams();
    final Connections connections;

    Bench(AppHandler handler) {
        this(ConnectionConfig.DEFAULT, handler);
    }

    Bench(ConnectionConfig config, AppHandler handler) {
        this(config, handler, new SteppedClock());
    }

    Bench(AppHandler handler, SteppedClock clock) {
        this(ConnectionConfig.DEFAULT, handler, clock);
    }

    private Bench(ConnectionConfig config, AppHandler handler, SteppedClock clock) {
        this(config, handler, clock, Lanes.none(new Completions(100, new Waker())));
    }

    Bench(ConnectionConfig config, AppHandler handler, SteppedClock clock, Lanes lanes) {
        this.clock = clock;
        bus = new Bus(page, Bus.RING_BYTES, List.of(new Waker()));
        connections = new Connections(0, config, handler, lanes, clock, stop, this, streams,
                bus.source(0), page);
        connections.beginPass(clock.nowNs);
    }

    ReadyWork admit(ScriptedTransport transport) {
        connections.beginPass(clock.nowNs);
        return connections.admit(transport);
    }

    /** Reports events as a level-triggered selector would, until none is left. */
    void run(ReadyWork connection, ScriptedTransport transport) {
        int events = 0;
        while (event(connection, transport)) {
            if (++events > 100_000) {
                throw new AssertionError("events never end: the loop would spin");
            }
        }
    }

    /** Reports one event, if there is one. */
    boolean event(ReadyWork connection, ScriptedTransport transport) {
        boolean readable = transport.readWanted && transport.hasInput();
        boolean writable = transport.writeWanted && (transport.room > 0 || transport.writeFails);
        if (transport.closed || !readable && !writable) {
            return false;
        }
        connections.beginPass(clock.nowNs);
        connection.onReady(readable, writable);
        connections.flush();
        return true;
    }

    /** Publishes, and has the loop take it to its streams. */
    Published publish(String channel, String event, String data) {
        Published published = bus.publisher().publish(channel, event,
                ByteBuffer.wrap(data.getBytes(StandardCharsets.UTF_8)));
        deliver();
        return published;
    }

    /** One pass over what other threads have left. */
    void deliver() {
        connections.beginPass(clock.nowNs);
        while (connections.runMail()) {
            connections.flush();
        }
        connections.flush();
    }

    /** Lets time pass in steps of 100 ms, looking at the timers after each. */
    void advanceMs(long ms) {
        for (long passed = 0; passed < ms; passed += 100) {
            clock.advanceMs(Math.min(100, ms - passed));
            connections.beginPass(clock.nowNs);
            connections.runTimers();
        }
    }

    @Override
    public boolean wantsExchanges() {
        return true;
    }

    @Override
    public void onExchange(ExchangeRecord record) {
        records.add(record.copy());
    }

    @Override
    public void onApplicationFailure(int loop, Request request, Throwable failure) {
        failures.add(request.methodName() + " " + request.target() + " " + failure.getMessage());
    }

    @Override
    public void onStreamRefused(int loop, int thread, Request request) {
        refusedStreams.add("loop=" + loop + " thread=" + thread + " " + request.target());
    }

    @Override
    public void onLaneRefused(int loop) {
        laneRefusals++;
    }

    @Override
    public void onHookFailure(int loop, String where, Throwable failure) {
        failures.add(where + " " + failure.getMessage());
    }

    @Override
    public void onLimit(int loop, ProtocolViolation violation) {
        limits.add(violation);
    }

    @Override
    public void onViolation(int loop, ProtocolViolation violation) {
        violations.add(violation);
    }

    @Override
    public void onFrameViolation(int loop, String kind) {
        frameViolations.add(kind);
    }

    @Override
    public void onFrameDropped(int loop) {
        dropped++;
    }

    @Override
    public void onIdle(int loop, int change) {
        idle += change;
    }
}
