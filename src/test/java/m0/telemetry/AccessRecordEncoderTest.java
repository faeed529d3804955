package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import m0.connection.ExchangeRecord;
import m0.connection.ExchangeRecord.Event;
import m0.connection.ExchangeRecords;
import org.junit.jupiter.api.Test;

class AccessRecordEncoderTest {
    private static final long NOW = 1_769_900_399_999L;
    private static final InetSocketAddress REMOTE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_123);

    private final AccessRecordEncoder encoder = new AccessRecordEncoder();

    @Test
    void writesTheKeysInTheirOrder() {
        ExchangeRecord record = ExchangeRecords.answered("GET", "/a?b=c");
        ExchangeRecords.measured(record, 404, 12, 345_678, 9_999);
        ExchangeRecords.on(ExchangeRecords.from(record, REMOTE), 3, 1);
        assertEquals("{\"time\":\"2026-01-31T22:59:59.999Z\",\"event\":\"response\","
                + "\"remote\":\"127.0.0.1:50123\",\"method\":\"GET\",\"target\":\"/a?b=c\","
                + "\"protocol\":\"HTTP/1.1\",\"status\":404,\"bytes\":12,\"dur_us\":345,"
                + "\"wait_us\":9,\"loop\":3,\"thread\":1}\n", text(record));
    }

    @Test
    void writesARequestWhoseLineWasNeverRead() {
        ExchangeRecord record = ExchangeRecords.from(ExchangeRecords.refusedUnread(408), REMOTE);
        assertEquals("{\"time\":\"2026-01-31T22:59:59.999Z\",\"event\":\"refused\","
                + "\"remote\":\"127.0.0.1:50123\",\"method\":\"\",\"target\":\"\","
                + "\"protocol\":\"\",\"status\":408,\"bytes\":0,\"dur_us\":0,"
                + "\"wait_us\":0,\"loop\":0,\"thread\":-1}\n", text(record));
    }

    @Test
    void escapesQuotesControlsAndBytesOutsideUtf8() {
        byte[] target = {'/', '"', '\\', '\n', 0, 0x7f, (byte) 0xff, (byte) 0xc3, (byte) 0xa9,
            (byte) 0xc3};
        ExchangeRecord record = ExchangeRecords.of(Event.REFUSED, new byte[] {'G'}, target);
        assertEquals("/\\\"\\\\\\u000a\\u0000\\u007f\\u00ffé\\u00c3", writtenTarget(record));
    }

    @Test
    void escapesCharactersThatBreakLinesOrSteerTerminals() {
        ExchangeRecord record = ExchangeRecords.answered("GET", "/\u0085\u009b\u2028\u2029\u00a0");
        assertEquals("/\\u0085\\u009b\\u2028\\u2029\u00a0", writtenTarget(record));
    }

    @Test
    void cutsALongTargetAndMarksIt() throws CharacterCodingException {
        String target = "/" + "t".repeat(8000);
        String shown = (String) read(ExchangeRecords.answered("GET", target)).get("target");
        assertTrue(shown.endsWith("t…"), shown);
        assertTrue(target.startsWith(shown.substring(0, shown.length() - 1)), shown);
        assertTrue(shown.length() > AccessRecordEncoder.TARGET_BYTES_MAX - 16, shown);
    }

    @Test
    void neverCutsInsideACharacterOrAnEscape() throws CharacterCodingException {
        for (int lead = 0; lead < 12; lead++) {
            for (String repeated : List.of("\u0001", "é", "€", "😀", "\"")) {
                String target = "x".repeat(lead) + repeated.repeat(2000);
                String shown = (String) read(ExchangeRecords.answered("GET", target)).get("target");
                String kept = shown.substring(0, shown.length() - 1);
                assertTrue(target.startsWith(kept), shown);
                assertEquals(0, (kept.length() - lead) % repeated.length(), shown);
            }
        }
    }

    @Test
    void theLongestRecordFits() throws CharacterCodingException {
        byte[] worst = new byte[32 * 1024];
        Arrays.fill(worst, (byte) 0xff);
        ExchangeRecord record = ExchangeRecords.of(Event.RESPONSE, worst, worst);
        ExchangeRecords.measured(record, Integer.MIN_VALUE, -Long.MAX_VALUE, Long.MIN_VALUE,
                Long.MIN_VALUE);
        ExchangeRecords.on(record, Integer.MIN_VALUE, Integer.MIN_VALUE);
        ExchangeRecords.from(record,
                InetSocketAddress.createUnresolved("\"".repeat(1000), 65_535));
        int length = encoder.encode(record, NOW);
        assertTrue(length <= AccessRecordEncoder.LINE_BYTES_MAX, "length=" + length);
        assertEquals(12, read(record).size());
    }

    /** Whatever bytes a peer sends: one line, valid JSON and UTF-8, and they can be read back. */
    @Test
    void anyBytesMakeOneValidLineAndCanBeReadBack() throws CharacterCodingException {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int count = 0; count < 6_000; count++) {
            byte[] method = randomBytes(random, 8);
            byte[] target = randomBytes(random, count % 100 == 0 ? 3000 : 60);
            ExchangeRecord record = ExchangeRecords.of(Event.REFUSED, method, target);
            Map<String, Object> read = read(record);
            assertEquals(expected(method), read.get("method"), "seed=" + seed);
            String shown = (String) read.get("target");
            String whole = expected(target);
            if (!shown.equals(whole)) {
                assertTrue(shown.endsWith("…"), "seed=" + seed);
                assertTrue(whole.startsWith(shown.substring(0, shown.length() - 1)),
                        "seed=" + seed);
                assertTrue(target.length > 200, "cut though short, seed=" + seed);
            }
        }
    }

    @Test
    void allocatesNothingForAConnectionItKnows() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        ExchangeRecord record =
                ExchangeRecords.from(ExchangeRecords.answered("GET", "/health\u0001é"), REMOTE);
        encodeMany(record);
        // The JVM itself allocates now and then on a thread: a round without is what is asked for.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            encodeMany(record);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least);
    }

    private void encodeMany(ExchangeRecord record) {
        long second = NOW - NOW % 1000;
        for (int count = 0; count < 20_000; count++) {
            encoder.encode(record, second + count % 1000);
        }
    }

    /** Random bytes of which many make UTF-8 sequences, whole and broken. */
    private static byte[] randomBytes(Random random, int lengthMax) {
        var bytes = new ByteArrayOutputStream();
        while (bytes.size() < lengthMax && random.nextInt(20) != 0 || lengthMax > 1000
                && bytes.size() < lengthMax) {
            switch (random.nextInt(4)) {
                case 0 -> bytes.write(random.nextInt(256));
                case 1 -> bytes.write(' ' + random.nextInt(95));
                case 2 -> bytes.writeBytes(new String(Character.toChars(codePoint(random)))
                        .getBytes(StandardCharsets.UTF_8));
                default -> {
                    byte[] whole = new String(Character.toChars(codePoint(random)))
                            .getBytes(StandardCharsets.UTF_8);
                    bytes.write(whole, 0, random.nextInt(whole.length));
                }
            }
        }
        return bytes.toByteArray();
    }

    private static int codePoint(Random random) {
        int codePoint = random.nextInt(1 << random.nextInt(8, 22));
        return codePoint > 0x10ffff || codePoint >= 0xd800 && codePoint < 0xe000 ? 0x20ac
                : codePoint;
    }

    /** UTF-8 where it is well-formed, else one character for the byte: by trying each length. */
    private static String expected(byte[] bytes) {
        var text = new StringBuilder();
        int at = 0;
        while (at < bytes.length) {
            String one = null;
            int length = 1;
            for (; length <= 4 && at + length <= bytes.length && one == null; length++) {
                one = decode(bytes, at, length);
            }
            text.append(one == null ? String.valueOf((char) (bytes[at] & 0xff)) : one);
            at += one == null ? 1 : length - 1;
        }
        return text.toString();
    }

    private static String decode(byte[] bytes, int at, int length) {
        CharBuffer text = CharBuffer.allocate(length);
        CoderResult result = StandardCharsets.UTF_8.newDecoder()
                .decode(ByteBuffer.wrap(bytes, at, length), text, true);
        return result.isUnderflow() ? text.flip().toString() : null;
    }

    private String text(ExchangeRecord record) {
        int length = encoder.encode(record, NOW);
        return new String(encoder.bytes(), 0, length, StandardCharsets.UTF_8);
    }

    /** What stands between the target's quotes. */
    private String writtenTarget(ExchangeRecord record) {
        String text = text(record);
        int from = text.indexOf("\"target\":\"") + "\"target\":\"".length();
        return text.substring(from, text.indexOf("\",\"protocol\"", from));
    }

    private Map<String, Object> read(ExchangeRecord record) throws CharacterCodingException {
        int length = encoder.encode(record, NOW);
        assertEquals('\n', encoder.bytes()[length - 1]);
        return Json.object(encoder.bytes(), length - 1);
    }
}
