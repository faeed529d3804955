package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.connection.ExchangeRecord.Event;
import m0.connection.ExchangeRecords;
import m0.http.parse.ProtocolViolation;
import m0.page.LoopLine;
import m0.page.Page;
import m0.page.Page.ProducerState;
import m0.pool.LaneObserver;
import m0.ws.FrameViolation;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
    private final Said said = new Said();
    private final Page page = Page.inMemory(2, Meter.WORDS, 1);
    private final Meter meter = new Meter(page, said.log, said.log);
    private final MetricsText text = new MetricsText(page);

    private String text() {
        return new String(text.write(), StandardCharsets.US_ASCII);
    }

    private void exchange(Event event, int loop, int status, long durationNs) {
        var record = ExchangeRecords.on(
                ExchangeRecords.of(event, new byte[0], new byte[0]), loop, -1);
        meter.onExchange(ExchangeRecords.measured(record, status, 0, durationNs, 0));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = MetricsTextTest.class.getResourceAsStream("/metrics/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Both loops have counted of everything, and each something else. */
    private void countOfEverything() {
        exchange(Event.RESPONSE, 0, 200, 9_000);
        exchange(Event.RESPONSE, 1, 200, 90_000);
        exchange(Event.RESPONSE, 1, 304, 2_000_000);
        exchange(Event.REFUSED, 0, 400, 3_000_000_000L);
        exchange(Event.RESPONSE, 1, 500, 60_000_000_000L);
        exchange(Event.STREAM_OPEN, 0, 200, 400_000);
        exchange(Event.STREAM_OPEN, 1, 200, 400_000);
        exchange(Event.STREAM_OPEN, 1, 101, 400_000);
        exchange(Event.STREAM_CLOSE, 1, 200, 400_000);
        meter.onViolation(0, ProtocolViolation.HEAD_TOO_LARGE);
        meter.onViolation(1, ProtocolViolation.HEAD_TOO_LARGE);
        meter.onFrameViolation(1, FrameViolation.WS_UTF8.kind());
        meter.onFrameDropped(0);
        meter.onFrameDropped(1);
        meter.onIdle(0, 2);
        meter.onIdle(1, 1);
        meter.onPass(0, 40_000);
        meter.onPass(1, 11_000_000_000L);
        page.line(0).active(5);
        page.line(1).active(3);
        for (int loop = 0; loop < 2; loop++) {
            LoopLine line = page.line(loop);
            for (int count = 0; count <= loop; count++) {
                line.countFrameRefused();
                line.countPassed();
                line.countReceived();
                line.countStall();
                line.countTaken();
            }
        }
        page.line(0).countPassed();
        answeredByALane(0, 9_000);
        answeredByALane(1, 300_000_000);
        meter.onLaneRefused(0);
        meter.onLaneRefused(1);
        meter.onLaneRefused(1);
        meter.lane(0, LaneObserver.NONE).onWaiting(0, 1);
        meter.lane(1, LaneObserver.NONE).onWaiting(0, 3);
        meter.lane(1, LaneObserver.NONE).onWaiting(0, -1);
    }

    private void answeredByALane(int loop, long waitNs) {
        var record = ExchangeRecords.on(
                ExchangeRecords.of(Event.RESPONSE, new byte[0], new byte[0]), loop, 0);
        meter.onExchange(ExchangeRecords.measured(record, 200, 0, 400_000_000, waitNs));
    }

    @Test
    void isThisTextForThisExample() throws IOException {
        countOfEverything();
        page.producer(ProducerState.UP);
        assertEquals(resource("two-loops.txt"), text());
    }

    @Test
    void everySeriesIsThereBeforeAnythingIsCounted() throws IOException {
        String counted = resource("two-loops.txt");
        String names = counted.replaceAll("(?m)^(m0_\\S+) .*$", "$1")
                .replaceAll("(?m)^.*m0_producer_up.*\n", "");
        assertEquals(names, text().replaceAll("(?m)^(m0_\\S+) .*$", "$1"));
        assertTrue(text().replaceAll("(?m)^#.*\n", "").lines()
                .allMatch(line -> line.endsWith(" 0") || line.endsWith(" 0.000000000")), text());
    }

    @Test
    void theProducerIsThereOnlyWhereThereIsOne() {
        assertFalse(text().contains("m0_producer_up"));
        page.producer(ProducerState.UP);
        assertTrue(text().contains("\nm0_producer_up 1\n"));
        page.producer(ProducerState.DOWN);
        assertTrue(text().contains("\nm0_producer_up 0\n"));
    }

    @Test
    void connectionsThatAreCountedAMomentApartAreNeverFewerThanNone() {
        page.line(0).active(1);
        meter.onIdle(0, 3);
        page.line(1).active(2);
        assertTrue(text().contains("m0_connections{state=\"active\"} 2\n"), text());
        assertTrue(text().contains("m0_connections{state=\"idle\"} 3\n"), text());
    }

    /** Lanes behind each loop, and their depths over all loops. */
    @Test
    void eachLaneHasADepthOfItsOwn() {
        Page three = Page.inMemory(2, Meter.words(3), 0);
        Meter counts = new Meter(three, said.log, said.log);
        counts.lane(0, LaneObserver.NONE).onWaiting(1, 4);
        counts.lane(1, LaneObserver.NONE).onWaiting(1, 3);
        counts.lane(1, LaneObserver.NONE).onWaiting(2, 1);
        String depths = new String(new MetricsText(three, 3, false).write(), StandardCharsets.US_ASCII);
        assertTrue(depths.contains("\nm0_lane_depth{lane=\"0\"} 0\n"
                + "m0_lane_depth{lane=\"1\"} 7\nm0_lane_depth{lane=\"2\"} 1\n"), depths);
    }

    @Test
    void aTextStaysWhatItWasWhenTheNextIsWritten() {
        byte[] first = text.write();
        byte[] copy = first.clone();
        exchange(Event.RESPONSE, 0, 200, 9_000);
        byte[] second = text.write();
        assertNotSame(first, second);
        assertEquals(List.of(new String(copy, StandardCharsets.US_ASCII)),
                List.of(new String(first, StandardCharsets.US_ASCII)));
    }

    @Test
    void largeNumbersAreWrittenWhole() {
        page.counters(0).add(MetricWords.DROPPED, Long.MAX_VALUE);
        assertTrue(text().contains("\nm0_outbox_frames_dropped_total 9223372036854775807\n"));
    }

    /** What a supervisor clears of a worker that has ended. */
    @Test
    void gaugesAreTheSeriesThatSayWhatIsNow() {
        Page three = Page.inMemory(1, Meter.words(3), 0);
        for (int word = 0; word < Meter.words(3); word++) {
            three.counters(0).add(word, 7);
        }
        String before = new String(new MetricsText(three, 3, false).write(), StandardCharsets.US_ASCII);
        for (int gauge : Meter.gauges(3)) {
            three.counters(0).clear(gauge);
        }
        String after = new String(new MetricsText(three, 3, false).write(), StandardCharsets.US_ASCII);
        String[] befores = before.split("\n");
        String[] afters = after.split("\n");
        for (int line = 0; line < befores.length; line++) {
            boolean gauge = befores[line].startsWith("m0_streams")
                    || befores[line].startsWith("m0_lane_depth")
                    || befores[line].startsWith("m0_connections{");
            assertEquals(gauge ? befores[line].replaceAll(" \\d+$", " 0") : befores[line],
                    afters[line]);
        }
    }

    /** Loops of one process are none. */
    @Test
    void workersThatServeAndThoseThatEndedAreCountedWhereLoopsAreProcesses() {
        assertFalse(text().contains("m0_worker"), text());
        page.line(0).begin();
        page.line(1).begin();
        page.line(1).bury();
        page.line(1).begin();
        page.line(0).bury();
        page.line(0).bury();
        String counted = new String(new MetricsText(page, 1, true).write(),
                StandardCharsets.US_ASCII);
        assertTrue(counted.contains("\nm0_workers 1\n"), counted);
        assertTrue(counted.contains("\nm0_worker_ends_total 3\n"), counted);
    }
}
