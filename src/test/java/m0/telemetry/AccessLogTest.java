package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import m0.connection.ExchangeRecord;
import m0.connection.ExchangeRecords;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class AccessLogTest {
    private static final int RING_BYTES_SMALL = 16 * 1024;

    private final Said said = new Said();
    private final Sink sink = new Sink();

    @Test
    void writesRecordsInOrderInBatches() {
        AccessLog log = new AccessLog(said.log, said.clock, sink, 1);
        for (int index = 0; index < 1000; index++) {
            log.onExchange(ExchangeRecords.answered("GET", "/" + index));
        }
        drainAll(log);
        List<String> lines = sink.lines();
        assertEquals(1000, lines.size());
        for (int index = 0; index < 1000; index++) {
            assertTrue(lines.get(index).contains("\"target\":\"/" + index + "\""),
                    lines.get(index));
        }
        assertTrue(sink.writes < 10, "writes=" + sink.writes);
        assertTrue(sink.longestWrite <= AccessLog.BATCH_BYTES, "bytes=" + sink.longestWrite);
        assertEquals("", said.text());
    }

    @Test
    void tellsWhetherThereWasAnythingToWrite() {
        AccessLog log = new AccessLog(said.log, said.clock, sink, 1);
        assertTrue(log.isEmpty());
        assertFalse(log.drain(said.clock.nowNs));
        log.onExchange(ExchangeRecords.answered("GET", "/"));
        assertFalse(log.isEmpty());
        assertTrue(log.drain(said.clock.nowNs));
        assertTrue(log.isEmpty());
        assertFalse(log.drain(said.clock.nowNs));
    }

    @Test
    void losesNothingWhereverTheRingsEndFalls() {
        AccessLog log = new AccessLog(said.log, said.clock, sink, 1, RING_BYTES_SMALL);
        for (int index = 0; index < 5000; index++) {
            log.onExchange(ExchangeRecords.answered("GET", "/" + "x".repeat(index % 700)));
            log.drain(said.clock.nowNs);
        }
        drainAll(log);
        assertEquals(5000, sink.lines().size());
        assertEquals(0, log.dropped());
    }

    @Test
    void aFullRingDropsAndCounts() {
        AccessLog log = new AccessLog(said.log, said.clock, sink, 1, RING_BYTES_SMALL);
        for (int index = 0; index < 500; index++) {
            log.onExchange(ExchangeRecords.answered("GET", "/" + index));
        }
        assertTrue(log.dropped() > 300, "dropped=" + log.dropped());
        drainAll(log);
        assertEquals(500, sink.lines().size() + log.dropped());
        assertEquals(List.of("host: access log dropped " + log.dropped() + " records"),
                said.lines());
    }

    @Test
    void saysDropsAtMostOnceASecond() {
        AccessLog log = new AccessLog(said.log, said.clock, sink, 1, RING_BYTES_SMALL);
        overfill(log);
        drainAll(log);
        long first = log.dropped();
        overfill(log);
        said.clock.forwardMs(999);
        drainAll(log);
        assertEquals(1, said.lines().size(), said.text());
        assertTrue(log.hasUnsaidDrops());
        said.clock.forwardMs(1);
        drainAll(log);
        assertEquals(List.of(dropped(first), dropped(log.dropped() - first)), said.lines());
        assertFalse(log.hasUnsaidDrops());
    }

    @Test
    void saysOnceThatItsOutputIsGoneAndCountsWhatFollows() {
        AccessLog log = new AccessLog(said.log, said.clock, new Broken(), 1);
        log.onExchange(ExchangeRecords.answered("GET", "/1"));
        drainAll(log);
        log.onExchange(ExchangeRecords.answered("GET", "/2"));
        said.clock.forwardMs(1000);
        drainAll(log);
        assertEquals(2, log.dropped());
        assertEquals(List.of("host: access log cannot be written any more: Broken pipe"
                + " (restart with stdout open)", "host: access log dropped 1 record",
                "host: access log dropped 1 record"), said.lines());
    }

    @Test
    void passesOnWhatIsNoExchange() {
        AccessLog log = new AccessLog(said.log, said.clock, sink, 1);
        assertTrue(log.wantsExchanges());
        log.onLimit(0, ProtocolViolation.BODY_TOO_LARGE);
        log.onApplicationFailure(0, Requests.get("/x"), new IllegalStateException("boom"));
        assertTrue(said.lines().get(0).contains("M0_MAX_BODY"), said.text());
        assertTrue(said.lines().get(1).contains("GET /x failed"), said.text());
    }

    @Test
    void loopsWriteAtTheSameTimeAndEachKeepsItsOrder() throws InterruptedException {
        int loops = 3;
        int each = 20_000;
        AccessLog log = new AccessLog(said.log, said.clock, sink, loops);
        Thread[] threads = new Thread[loops];
        for (int loop = 0; loop < loops; loop++) {
            int index = loop;
            threads[loop] = new Thread(() -> {
                ExchangeRecord record = ExchangeRecords.on(
                        ExchangeRecords.answered("GET", "/"), index, -1);
                for (int count = 0; count < each; count++) {
                    log.onExchange(ExchangeRecords.measured(record, 200, count, 0, 0));
                }
            });
            threads[loop].start();
        }
        while (threads[0].isAlive() || threads[1].isAlive() || threads[2].isAlive()) {
            log.drain(said.clock.nowNs);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        drainAll(log);
        List<String> lines = sink.lines();
        assertEquals((long) loops * each, lines.size() + log.dropped());
        long[] last = {-1, -1, -1};
        for (String line : lines) {
            int loop = Integer.parseInt(between(line, "\"loop\":", ","));
            long count = Long.parseLong(between(line, "\"bytes\":", ","));
            assertTrue(count > last[loop], "loop=" + loop + " " + count + " after " + last[loop]);
            last[loop] = count;
        }
    }

    private void overfill(AccessLog log) {
        long before = log.dropped();
        while (log.dropped() == before) {
            log.onExchange(ExchangeRecords.answered("GET", "/"));
        }
    }

    private void drainAll(AccessLog log) {
        boolean any = true;
        while (any) {
            any = log.drain(said.clock.nowNs);
        }
    }

    private static String between(String line, String key, String end) {
        int from = line.indexOf(key) + key.length();
        return line.substring(from, line.indexOf(end, from));
    }

    private static final class Sink extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int writes;
        private int longestWrite;

        @Override
        public void write(int octet) {
            throw new AssertionError("written byte by byte");
        }

        @Override
        public void write(byte[] array, int offset, int length) {
            writes++;
            longestWrite = Math.max(longestWrite, length);
            bytes.write(array, offset, length);
        }

        List<String> lines() {
            return bytes.toString(StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static final class Broken extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            throw new IOException("Broken pipe");
        }
    }

    private static String dropped(long count) {
        return "host: access log dropped " + count + (count == 1 ? " record" : " records");
    }
}
