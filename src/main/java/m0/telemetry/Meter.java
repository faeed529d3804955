package m0.telemetry;

import m0.connection.ExchangeObserver;
import m0.connection.ExchangeRecord;
import m0.http.Request;
import m0.http.parse.ProtocolViolation;
import m0.loop.LoopObserver;
import m0.page.LoopCounters;
import m0.page.Page;
import m0.pool.LaneObserver;

/**
 * Counts what loops and their connections tell, and passes it on to whom it replaces there.
 *
 * <p>It exists only where metrics are on: without it no exchange is recorded for their sake, no pass
 * is measured, and what else is told falls on deaf ears. Each loop counts in its own part of the
 * page; {@link MetricsText} adds up.
 *
 * <p>Threads: each call on the thread of the loop that it names, but for what a lane tells, which any
 * of its threads may. Nothing is allocated.
 */
public final class Meter implements ExchangeObserver, LoopObserver {
    /** How many counters each loop needs in the page, with one lane behind it. */
    public static final int WORDS = MetricWords.COUNT;
    private static final int SWITCHING_PROTOCOLS = 101;

    private final LoopCounters[] counters;
    private final ExchangeObserver exchanges;
    private final boolean exchangesWanted;
    private final LoopObserver loops;

    /**
     * @param page with {@link #WORDS} counters
     * @param exchanges the access log, or who else hears of requests
     * @param loops who else hears of loops
     */
    public Meter(Page page, ExchangeObserver exchanges, LoopObserver loops) {
        counters = new LoopCounters[page.loops()];
        for (int loop = 0; loop < counters.length; loop++) {
            counters[loop] = page.counters(loop);
        }
        this.exchanges = exchanges;
        this.loops = loops;
        exchangesWanted = exchanges.wantsExchanges();
    }

    /** How many it needs with so many lanes. */
    public static int words(int lanes) {
        return WORDS - 1 + lanes;
    }

    /** Those of them that say what is now; the others only rise, and outlive who counted in them. */
    public static int[] gauges(int lanes) {
        int[] gauges = new int[3 + lanes];
        gauges[0] = MetricWords.SSE;
        gauges[1] = MetricWords.WEBSOCKETS;
        gauges[2] = MetricWords.IDLE;
        for (int lane = 0; lane < lanes; lane++) {
            gauges[3 + lane] = MetricWords.LANE_DEPTH + lane;
        }
        return gauges;
    }

    @Override
    public boolean wantsExchanges() {
        return true;
    }

    @Override
    public void onExchange(ExchangeRecord record) {
        LoopCounters own = counters[record.loop()];
        switch (record.event()) {
            case RESPONSE, REFUSED -> countRequest(own, record);
            case STREAM_OPEN -> {
                countRequest(own, record);
                own.add(stream(record), 1);
            }
            case STREAM_CLOSE -> own.add(stream(record), -1);
        }
        if (exchangesWanted) {
            exchanges.onExchange(record);
        }
    }

    private static void countRequest(LoopCounters own, ExchangeRecord record) {
        own.add(MetricWords.request(record.status()), 1);
        Buckets.count(own, MetricWords.DURATIONS, record.durationNs());
        if (record.thread() >= 0) {
            Buckets.count(own, MetricWords.LANE_WAITS, record.waitNs());
        }
    }

    /**
     * What that loop's lanes tell.
     *
     * @param other who else hears of it
     */
    public LaneObserver lane(int loop, LaneObserver other) {
        LoopCounters own = counters[loop];
        return new LaneObserver() {
            @Override
            public void onWaiting(int lane, int change) {
                own.addShared(MetricWords.LANE_DEPTH + lane, change);
                other.onWaiting(lane, change);
            }

            @Override
            public void onThrowBehindAnswer(int lane, int thread, Throwable thrown) {
                other.onThrowBehindAnswer(lane, thread, thrown);
            }

            @Override
            public void onExecutorFailed(int lane, Throwable thrown) {
                other.onExecutorFailed(lane, thrown);
            }

            @Override
            public void onCloseFailed(int lane, int thread, Throwable thrown) {
                other.onCloseFailed(lane, thread, thrown);
            }
        };
    }

    @Override
    public void onLaneRefused(int loop) {
        counters[loop].add(MetricWords.LANE_REFUSED, 1);
    }

    private static int stream(ExchangeRecord record) {
        return record.status() == SWITCHING_PROTOCOLS ? MetricWords.WEBSOCKETS : MetricWords.SSE;
    }

    @Override
    public void onApplicationFailure(int loop, Request request, Throwable failure) {
        exchanges.onApplicationFailure(loop, request, failure);
    }

    @Override
    public void onHookFailure(int loop, String where, Throwable failure) {
        exchanges.onHookFailure(loop, where, failure);
    }

    @Override
    public void onStreamRefused(int loop, int thread, Request request) {
        exchanges.onStreamRefused(loop, thread, request);
    }

    @Override
    public void onLimit(int loop, ProtocolViolation violation) {
        exchanges.onLimit(loop, violation);
    }

    @Override
    public void onViolation(int loop, ProtocolViolation violation) {
        counters[loop].add(MetricWords.violation(violation), 1);
    }

    @Override
    public void onFrameViolation(int loop, String kind) {
        counters[loop].add(MetricWords.frameViolation(kind), 1);
    }

    @Override
    public void onFrameDropped(int loop) {
        counters[loop].add(MetricWords.DROPPED, 1);
    }

    @Override
    public void onIdle(int loop, int change) {
        counters[loop].add(MetricWords.IDLE, change);
    }

    @Override
    public boolean wantsPasses() {
        return true;
    }

    @Override
    public void onPass(int loop, long durationNs) {
        Buckets.count(counters[loop], MetricWords.PASSES, durationNs);
    }

    @Override
    public void onAcceptFailed(int loop, String message) {
        loops.onAcceptFailed(loop, message);
    }

    @Override
    public void onDrainCut(int loop, int connections, long boundNs) {
        loops.onDrainCut(loop, connections, boundNs);
    }

    @Override
    public void onShared(int loop, long passed, long received) {
        loops.onShared(loop, passed, received);
    }

    @Override
    public void onStoodBack(int loop, long times) {
        loops.onStoodBack(loop, times);
    }
}
