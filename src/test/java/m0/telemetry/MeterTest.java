package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import m0.connection.ExchangeObserver;
import m0.connection.ExchangeRecord;
import m0.connection.ExchangeRecord.Event;
import m0.connection.ExchangeRecords;
import m0.http.Request;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.Requests;
import m0.loop.LoopObserver;
import m0.page.Page;
import m0.pool.LaneObserver;
import m0.ws.FrameViolation;
import org.junit.jupiter.api.Test;

class MeterTest {
    private final Page page = Page.inMemory(2, Meter.WORDS, 0);
    private final Ears ears = new Ears();
    private final Meter meter = new Meter(page, ears, ears);

    private static ExchangeRecord record(Event event, int loop, int status, long durationNs) {
        var record = ExchangeRecords.on(
                ExchangeRecords.of(event, new byte[0], new byte[0]), loop, -1);
        return ExchangeRecords.measured(record, status, 0, durationNs, 0);
    }

    private long word(int loop, int word) {
        return page.counters(loop).get(word);
    }

    @Test
    void countsAnswersByTheClassOfTheirStatus() {
        for (int status : List.of(100, 101, 200, 299, 301, 404, 417, 500, 599)) {
            meter.onExchange(record(Event.RESPONSE, 1, status, 7));
        }
        assertEquals(List.of(2L, 2L, 1L, 2L, 2L), List.of(word(1, 0), word(1, 1), word(1, 2),
                word(1, 3), word(1, 4)));
        assertEquals(0, word(0, 1), "another loop's");
        assertEquals(63, word(1, MetricWords.DURATIONS + Buckets.COUNT));
    }

    @Test
    void countsRefusalsAndHeadsOfStreamsAmongThemAndNoEndOfAStream() {
        meter.onExchange(record(Event.REFUSED, 0, 400, 1));
        meter.onExchange(record(Event.STREAM_OPEN, 0, 200, 1));
        meter.onExchange(record(Event.STREAM_CLOSE, 0, 200, 1_000_000_000));
        assertEquals(1, word(0, MetricWords.request(400)));
        assertEquals(1, word(0, MetricWords.request(200)));
        assertEquals(2, word(0, MetricWords.DURATIONS + Buckets.COUNT));
    }

    @Test
    void streamsAreThoseThatHaveNotEnded() {
        meter.onExchange(record(Event.STREAM_OPEN, 0, 200, 1));
        meter.onExchange(record(Event.STREAM_OPEN, 0, 200, 1));
        meter.onExchange(record(Event.STREAM_OPEN, 0, 101, 1));
        assertEquals(2, word(0, MetricWords.SSE));
        assertEquals(1, word(0, MetricWords.WEBSOCKETS));
        meter.onExchange(record(Event.STREAM_CLOSE, 0, 200, 1));
        meter.onExchange(record(Event.STREAM_CLOSE, 0, 101, 1));
        assertEquals(1, word(0, MetricWords.SSE));
        assertEquals(0, word(0, MetricWords.WEBSOCKETS));
    }

    @Test
    void waitsAreThoseOfAnswersThatALaneGave() {
        meter.onExchange(record(Event.RESPONSE, 1, 200, 7));
        assertEquals(0, word(1, MetricWords.LANE_WAITS + Buckets.COUNT));
        var pooled = ExchangeRecords.on(
                ExchangeRecords.of(Event.RESPONSE, new byte[0], new byte[0]), 1, 0);
        meter.onExchange(ExchangeRecords.measured(pooled, 200, 0, 90, 11_000));
        assertEquals(11_000, word(1, MetricWords.LANE_WAITS + Buckets.COUNT));
        assertEquals(1, word(1, MetricWords.LANE_WAITS + 1));
        assertEquals(0, word(0, MetricWords.LANE_WAITS + Buckets.COUNT), "another loop's");
    }

    /** The loop raises it while pool threads lower it: nothing is lost. */
    @Test
    void whatWaitsIsCountedByAllThreadsOfALaneAtOnce() throws Exception {
        LaneObserver lane = meter.lane(1, LaneObserver.NONE);
        List<Thread> threads = new ArrayList<>();
        AtomicInteger missing = new AtomicInteger(3);
        for (int change : new int[] {2, -1, -1}) {
            threads.add(new Thread(() -> {
                missing.decrementAndGet();
                while (missing.get() > 0) {
                    Thread.onSpinWait();
                }
                for (int count = 0; count < 100_000; count++) {
                    lane.onWaiting(0, change);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        lane.onWaiting(0, 5);
        assertEquals(5, word(1, MetricWords.LANE_DEPTH));
        assertEquals(0, word(0, MetricWords.LANE_DEPTH), "another loop's");
    }

    @Test
    void whatALaneTellsIsPassedOn() {
        List<String> heard = new ArrayList<>();
        LaneObserver lane = meter.lane(0, new LaneObserver() {
            @Override
            public void onWaiting(int index, int change) {
                heard.add("waiting " + index + " " + change);
            }

            @Override
            public void onThrowBehindAnswer(int index, int thread, Throwable thrown) {
                heard.add("behind " + index + " " + thread + " " + thrown.getMessage());
            }

            @Override
            public void onExecutorFailed(int index, Throwable thrown) {
                heard.add("executor " + index + " " + thrown.getMessage());
            }

            @Override
            public void onCloseFailed(int index, int thread, Throwable thrown) {
                heard.add("close " + index + " " + thread + " " + thrown.getMessage());
            }
        });
        lane.onWaiting(0, 1);
        lane.onThrowBehindAnswer(1, 2, new IllegalStateException("late"));
        lane.onExecutorFailed(1, new IllegalStateException("broken"));
        lane.onCloseFailed(0, 2, new IllegalStateException("stuck"));
        assertEquals(List.of("waiting 0 1", "behind 1 2 late", "executor 1 broken",
                "close 0 2 stuck"), heard);
    }

    @Test
    void refusalsOfALaneAreCountedOnTheirLoop() {
        meter.onLaneRefused(1);
        meter.onLaneRefused(1);
        assertEquals(2, word(1, MetricWords.LANE_REFUSED));
        assertEquals(0, word(0, MetricWords.LANE_REFUSED));
    }

    /** On the line of nothing else: pool threads write it while the loop counts. */
    @Test
    void whatPoolThreadsCountIsOnALineOfItsOwn() {
        assertEquals(0, MetricWords.LANE_DEPTH % 16);
        assertTrue(MetricWords.LANE_DEPTH >= MetricWords.LANE_WAITS + Buckets.WORDS);
        assertEquals(MetricWords.LANE_DEPTH + 1, MetricWords.COUNT);
    }

    @Test
    void everyViolationHasAWordOfItsOwn() {
        for (ProtocolViolation violation : ProtocolViolation.values()) {
            meter.onViolation(1, violation);
            assertEquals(1, word(1, MetricWords.violation(violation)), violation.name());
        }
        for (FrameViolation violation : FrameViolation.values()) {
            meter.onFrameViolation(1, violation.kind());
            assertEquals(1, word(1, MetricWords.violation(violation)), violation.name());
        }
        Set<Integer> words = new TreeSet<>();
        for (int word = 0; word < Meter.WORDS; word++) {
            if (word(1, word) == 1) {
                words.add(word);
            }
        }
        assertEquals(ProtocolViolation.values().length + FrameViolation.values().length,
                words.size());
    }

    @Test
    void aKindThatIsNoneIsRefused() {
        assertThrows(IllegalArgumentException.class,
                () -> meter.onFrameViolation(0, "evil\"} 1"));
    }

    @Test
    void countsDroppedFramesIdleConnectionsAndPasses() {
        meter.onFrameDropped(0);
        meter.onFrameDropped(0);
        meter.onIdle(1, 1);
        meter.onIdle(1, 1);
        meter.onIdle(1, -1);
        meter.onPass(1, 60_000);
        assertEquals(2, word(0, MetricWords.DROPPED));
        assertEquals(1, word(1, MetricWords.IDLE));
        assertEquals(1, word(1, MetricWords.PASSES + Buckets.indexOf(60_000)));
        assertEquals(60_000, word(1, MetricWords.PASSES + Buckets.COUNT));
        assertTrue(meter.wantsExchanges() && meter.wantsPasses());
    }

    @Test
    void whatItHearsIsPassedOn() {
        meter.onExchange(record(Event.RESPONSE, 0, 200, 1));
        meter.onApplicationFailure(0, Requests.get("/a"), new IllegalStateException("x"));
        meter.onHookFailure(0, "tick", new IllegalStateException("y"));
        meter.onLimit(0, ProtocolViolation.BODY_TOO_LARGE);
        meter.onAcceptFailed(1, "none left");
        meter.onDrainCut(1, 3, 4);
        meter.onShared(1, 4, 5);
        meter.onStoodBack(1, 6);
        assertEquals(List.of("RESPONSE", "/a x", "tick y", "BODY_TOO_LARGE", "none left", "cut 3",
                "4 5", "stood back 6"), ears.heard);
    }

    @Test
    void whoWantsNoExchangesHearsNone() {
        var deaf = new Ears();
        deaf.wantsExchanges = false;
        var other = new Meter(page, deaf, deaf);
        other.onExchange(record(Event.RESPONSE, 0, 200, 1));
        assertTrue(other.wantsExchanges());
        assertEquals(List.of(), deaf.heard);
        assertEquals(1, word(0, MetricWords.request(200)));
    }

    @Test
    void countingAllocatesNothing() {
        ears.wantsExchanges = false;
        var quiet = new Meter(page, ears, ears);
        var record = record(Event.RESPONSE, 0, 200, 77_000);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int turn = 0; turn < 10; turn++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int count = 0; count < 5_000; count++) {
                quiet.onExchange(record);
                quiet.onPass(0, 40_000);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least);
    }

    private static final class Ears implements ExchangeObserver, LoopObserver {
        private final List<String> heard = new ArrayList<>();
        private boolean wantsExchanges = true;

        @Override
        public boolean wantsExchanges() {
            return wantsExchanges;
        }

        @Override
        public void onExchange(ExchangeRecord record) {
            heard.add(record.event().name());
        }

        @Override
        public void onApplicationFailure(int loop, Request request, Throwable failure) {
            heard.add(request.path() + " " + failure.getMessage());
        }

        @Override
        public void onStreamRefused(int loop, int thread, Request request) {
            heard.add("stream refused");
        }

        @Override
        public void onHookFailure(int loop, String where, Throwable failure) {
            heard.add(where + " " + failure.getMessage());
        }

        @Override
        public void onLimit(int loop, ProtocolViolation violation) {
            heard.add(violation.name());
        }

        @Override
        public void onAcceptFailed(int loop, String message) {
            heard.add(message);
        }

        @Override
        public void onDrainCut(int loop, int connections, long boundNs) {
            heard.add("cut " + connections);
        }

        @Override
        public void onStoodBack(int loop, long times) {
            heard.add("stood back " + times);
        }

        @Override
        public void onShared(int loop, long passed, long received) {
            heard.add(passed + " " + received);
        }
    }
}
