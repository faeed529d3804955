package m0.connection;

import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.http.Request;
import m0.http.parse.ProtocolViolation;
import m0.loop.ReadyWork;
import m0.loop.StopWord;

/** One loop's connections without a loop: a test plays the selector and the clock. */
final class Bench implements ExchangeObserver {
    final SteppedClock clock;
    final StopWord stop = new StopWord();
    final List<String> failures = new ArrayList<>();
    final List<ProtocolViolation> limits = new ArrayList<>();
    final List<ExchangeRecord> records = new ArrayList<>();
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
        this.clock = clock;
        connections = new Connections(0, config, handler, clock, stop, this);
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
        return true;
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
    public void onLimit(int loop, ProtocolViolation violation) {
        limits.add(violation);
    }
}
