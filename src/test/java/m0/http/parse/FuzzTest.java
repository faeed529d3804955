package m0.http.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import m0.http.Limits;
import org.junit.jupiter.api.Test;

/**
 * Mutates the wire cases, and holds every result to what must be true of any input.
 *
 * <p>It prints its seed; {@code -Dm0.fuzz.seed=N} runs that one again. An input that breaks an
 * invariant is written to {@code target/fuzz}, and moves from there to the corpus,
 * {@code src/test/resources/fuzz}, with the fix: a run must not touch the sources, least of all
 * one that tests a parser broken on purpose. Every run holds the corpus to the same invariants. A
 * file's first line sets limits as in a wire case, the others are {@link WireText}.
 */
class FuzzTest {
    private static final int MUTATIONS = 20_000;
    /** So many where chance has left a bucket out until then. */
    private static final int MUTATIONS_MAX = 10 * MUTATIONS;
    private static final int BYTE_BY_BYTE_MAX = 256;
    private static final Path CORPUS = Path.of("src/test/resources/fuzz");
    private static final Path FOUND = Path.of("target/fuzz");
    private static final List<String> PIECES = List.of("\r\n", "\n", "\r", " ", "\t", ":", ",",
            ";", "/", "?", "%", "%2", "%41", "*", "@", "[", "]", "::", "0", "1", "f", "0x", "-",
            "\0", "\u007f", "\u0080", "\u00ff", "chunked", "close", "keep-alive", "HTTP/1.1",
            "HTTP/1.0", "Host: a\r\n", "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n", "0\r\n\r\n", "1\r\nx\r\n", "\r\n\r\n", "http://h",
            "X: y\r\n", " z\r\n", "18446744073709551616");

    private final List<WireCase> cases = WireCases.all();
    private final Map<String, Integer> buckets = new TreeMap<>();
    private Random random;

    @Test
    void mutationsKeepTheInvariants() {
        long seed = Long.getLong("m0.fuzz.seed", System.nanoTime());
        System.out.println("FuzzTest seed=" + seed);
        random = new Random(seed);
        for (int n = 0; n < MUTATIONS || n < MUTATIONS_MAX && !unreached().isEmpty(); n++) {
            WireCase wire = cases.get(random.nextInt(cases.size()));
            byte[] input = wire.input();
            for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
                input = mutate(input);
            }
            String wrong = wrong(input, wire.limits());
            if (wrong != null) {
                Path kept = keep(input, wire.limits(), seed, n);
                throw new AssertionError(wrong + "\nseed=" + seed + " n=" + n + " kept in " + kept);
            }
        }
        assertEquals(new TreeSet<String>(), unreached(), "buckets not reached, seed=" + seed);
    }

    @Test
    void corpusKeepsTheInvariants() throws IOException {
        random = new Random(1);
        try (var files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                List<String> lines = Files.readAllLines(file);
                byte[] input = WireText.read(String.join("", lines.subList(1, lines.size())));
                assertEquals(null, wrong(input, WireCases.limits(lines.get(0))), file.toString());
            }
        }
    }

    private byte[] mutate(byte[] input) {
        if (input.length == 0) {
            return piece();
        }
        int at = random.nextInt(input.length);
        int to = Math.min(input.length, at + 1 + random.nextInt(8));
        return switch (random.nextInt(7)) {
            case 0 -> replace(input, at, at + 1, new byte[] {(byte) random.nextInt(256)});
            case 1 -> replace(input, at, at, piece());
            case 2 -> replace(input, at, to, piece());
            case 3 -> replace(input, at, to, new byte[0]);
            case 4 -> replace(input, at, at, Arrays.copyOfRange(input, at, to));
            case 5 -> replace(input, at, at + 1, new byte[] {(byte) (input[at] ^ 0x20)});
            default -> splice(input, at);
        };
    }

    private byte[] piece() {
        return PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Goes on with the rest of another case. */
    private byte[] splice(byte[] input, int at) {
        byte[] other = cases.get(random.nextInt(cases.size())).input();
        byte[] rest = Arrays.copyOfRange(other, random.nextInt(other.length + 1), other.length);
        return replace(input, at, input.length, rest);
    }

    private static byte[] replace(byte[] input, int from, int to, byte[] by) {
        byte[] result = new byte[input.length - (to - from) + by.length];
        System.arraycopy(input, 0, result, 0, from);
        System.arraycopy(by, 0, result, from, by.length);
        System.arraycopy(input, to, result, from + by.length, input.length - to);
        return result;
    }

    /** Which invariant the input breaks, or null; counts its bucket. */
    private String wrong(byte[] input, Limits limits) {
        WireReading whole = WireReading.of(input, limits, input.length);
        buckets.merge(bucket(whole), 1, Integer::sum);
        if (whole.position() < 0 || whole.position() > input.length) {
            return "position outside the input: " + whole;
        }
        if (!whole.equals(WireReading.of(input, limits, input.length))) {
            return "not deterministic: " + whole;
        }
        String wrong = wrongWhenSplit(input, limits, whole);
        if (wrong == null && whole.outcome() != Outcome.NEED_MORE) {
            wrong = wrongWithMoreOrLess(input, limits, whole);
        }
        return wrong != null ? wrong : wrongToTheReference(input, limits, whole);
    }

    private String wrongWhenSplit(byte[] input, Limits limits, WireReading whole) {
        int split = random.nextInt(input.length + 1);
        WireReading twice = WireReading.of(input, limits, split, input.length);
        if (!same(whole, twice)) {
            return "split at " + split + ": " + twice + " instead of " + whole;
        }
        if (input.length <= BYTE_BY_BYTE_MAX) {
            int[] ends = new int[input.length + 1];
            Arrays.setAll(ends, index -> index);
            WireReading single = WireReading.of(input, limits, ends);
            if (!same(whole, single)) {
                return "byte by byte: " + single + " instead of " + whole;
            }
        }
        return null;
    }

    /** What was decided stays, and was decided by the byte that decides it. */
    private String wrongWithMoreOrLess(byte[] input, Limits limits, WireReading whole) {
        byte[] more = replace(input, input.length, input.length, piece());
        WireReading longer = WireReading.of(more, limits, more.length);
        if (!whole.equals(longer)) {
            return "with more bytes: " + longer + " instead of " + whole;
        }
        int before = whole.outcome() == Outcome.DONE ? whole.position() - 1 : whole.position();
        WireReading shorter = WireReading.of(input, limits, before);
        if (shorter.outcome() != Outcome.NEED_MORE) {
            return "before its last byte: " + shorter + " instead of need more";
        }
        WireReading exact = WireReading.of(input, limits, before + 1);
        return whole.equals(exact) ? null : "with its last byte: " + exact;
    }

    private static String wrongToTheReference(byte[] input, Limits limits, WireReading whole) {
        ReferenceReader.Message message = ReferenceReader.read(input, limits);
        if ((message != null) != (whole.outcome() == Outcome.DONE)) {
            return "the reference says " + message + ", the parser " + whole;
        }
        if (message == null) {
            return null;
        }
        byte[] body = message.body().getBytes(StandardCharsets.ISO_8859_1);
        String fact = body.length == 0 ? "body:" : "body: " + WireText.write(body);
        return message.end() == whole.position() && whole.facts().contains(fact) ? null
                : "the reference says " + message + ", the parser " + whole;
    }

    /** Whether two readings tell the same; where more is needed they may stand elsewhere. */
    private static boolean same(WireReading one, WireReading two) {
        return one.outcome() == Outcome.NEED_MORE
                ? two.outcome() == Outcome.NEED_MORE : one.equals(two);
    }

    private static String bucket(WireReading reading) {
        return switch (reading.outcome()) {
            case NEED_MORE -> "NEED_MORE";
            case BAD -> reading.violation().name();
            case DONE -> reading.facts().stream().filter(f -> f.startsWith("framing: "))
                    .findFirst().orElseThrow().split(" ")[1];
        };
    }

    private TreeSet<String> unreached() {
        var unreached = new TreeSet<>(List.of("NEED_MORE"));
        for (Framing framing : Framing.values()) {
            unreached.add(framing.name());
        }
        for (ProtocolViolation violation : ProtocolViolation.values()) {
            if (violation.status() != 408 && violation != ProtocolViolation.MEMORY_SHORT) {
                unreached.add(violation.name());
            }
        }
        unreached.removeAll(buckets.keySet());
        return unreached;
    }

    private static Path keep(byte[] input, Limits limits, long seed, int n) {
        String text = "head=" + limits.headBytesMax() + " target=" + limits.targetBytesMax()
                + " body=" + limits.bodyBytesMax() + "\n"
                + WireText.write(input).replace("\\n", "\\n\n") + "\n";
        try {
            Files.createDirectories(FOUND);
            return Files.writeString(FOUND.resolve(seed + "-" + n + ".txt"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
