package m0.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Mutates the cases and what random frames look like, and holds every result to what must be true
 * of any input, and to a second reader.
 *
 * <p>It prints its seed; {@code -Dm0.fuzz.seed=N} runs that one again. What it finds becomes a
 * {@link FrameCase}.
 */
class FrameFuzzTest {
    private static final int MUTATIONS = 20_000;
    /** So many where chance has left a bucket out until then. */
    private static final int MUTATIONS_MAX = 10 * MUTATIONS;
    private static final int INPUT_BYTES_MAX = 8000;
    private static final int INPUT_LONG = 1000;
    private static final int BYTE_BY_BYTE_MAX = 300;
    /** Small, so that many inputs pass it. */
    private static final int MESSAGE_BYTES_MAX = 600;
    /** What a reader may hold beside its message: a control frame's array. */
    private static final int BESIDE_BYTES_MAX = 128;
    /** An array begins with so many bytes, and doubles. */
    private static final int FIRST_BYTES_MAX = 1024;
    private static final byte[][] PIECES = {{(byte) 0x81, (byte) 0x80}, {0x01, (byte) 0x80},
        {0x00, (byte) 0x80}, {(byte) 0x80, (byte) 0x80}, {(byte) 0x88, (byte) 0x82},
        {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0}, {(byte) 0x8a, (byte) 0xfe},
        {(byte) 0x82, (byte) 0xfe, 0, 126}, {(byte) 0x82, (byte) 0xff, 0, 0, 0, 0},
        {(byte) 0xe2, (byte) 0x82, (byte) 0xac}, {(byte) 0xff}, {0}, {0, 0, 0, 0},
        {0x03, (byte) 0xe8}};

    private final List<FrameCase> cases = FrameCase.all().stream()
            .filter(each -> each.input().length <= INPUT_BYTES_MAX).toList();
    private final Map<String, Integer> buckets = new TreeMap<>();
    private Random random;

    @Test
    void mutationsKeepTheInvariants() {
        long seed = Long.getLong("m0.fuzz.seed", System.nanoTime());
        System.out.println("FrameFuzzTest seed=" + seed);
        random = new Random(seed);
        for (int n = 0; n < MUTATIONS || n < MUTATIONS_MAX && !unreached().isEmpty(); n++) {
            byte[] input = random.nextInt(4) == 0 ? frames() : anyCase();
            for (int edits = random.nextInt(4); edits > 0; edits--) {
                input = mutate(input);
            }
            String wrong = wrong(input);
            if (wrong != null) {
                throw new AssertionError(wrong + "\nseed=" + seed + " n=" + n + " input="
                        + HexFormat.of().formatHex(input));
            }
        }
        assertEquals(new TreeSet<String>(), unreached(), "buckets not reached, seed=" + seed);
    }

    /** A case; a long one in every eighth turn that would have one. */
    private byte[] anyCase() {
        byte[] input = cases.get(random.nextInt(cases.size())).input();
        return input.length > INPUT_LONG && random.nextInt(8) > 0 ? anyCase() : input;
    }

    /** A few well-formed frames in an order that is well-formed at times. */
    private byte[] frames() {
        var frames = new ClientFrames();
        int[] opcodes = {0, 0, 1, 2, 8, 9, 10};
        for (int count = 1 + random.nextInt(6); count > 0; count--) {
            int opcode = opcodes[random.nextInt(opcodes.length)];
            byte[] payload = ClientFrames.utf8("aé€\ud83d\ude00".repeat(random.nextInt(14)));
            int cut = random.nextInt(payload.length + 1);
            frames.frame(opcode >= 8 || random.nextBoolean(), opcode, opcode == 8
                    ? ClientFrames.closing(1000 + random.nextInt(16), new byte[0])
                    : Arrays.copyOf(payload, opcode > 8 ? Math.min(cut, 125) : cut));
        }
        return frames.bytes();
    }

    private byte[] mutate(byte[] input) {
        if (input.length == 0) {
            return piece();
        }
        int at = random.nextInt(input.length);
        int to = Math.min(input.length, at + 1 + random.nextInt(8));
        return switch (random.nextInt(6)) {
            case 0 -> replace(input, at, at + 1, new byte[] {(byte) random.nextInt(256)});
            case 1 -> replace(input, at, at, piece());
            case 2 -> replace(input, at, to, new byte[0]);
            case 3 -> replace(input, at, at, Arrays.copyOfRange(input, at, to));
            case 4 -> replace(input, at, at + 1,
                    new byte[] {(byte) (input[at] ^ 1 << random.nextInt(8))});
            default -> splice(input, at);
        };
    }

    private byte[] piece() {
        return PIECES[random.nextInt(PIECES.length)];
    }

    /** Goes on with the rest of another case. */
    private byte[] splice(byte[] input, int at) {
        byte[] other = anyCase();
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

    /** Which invariant the input breaks, or null; counts its buckets. */
    private String wrong(byte[] input) {
        FrameReading whole = reading(input, input.length);
        for (String event : whole.events()) {
            buckets.merge(event.startsWith("violation") ? event : event.split(" ")[0], 1,
                    Integer::sum);
        }
        if (!whole.ended()) {
            buckets.merge("NEED_MORE", 1, Integer::sum);
        }
        List<String> reference = ReferenceFrames.events(input, MESSAGE_BYTES_MAX);
        if (!reference.equals(whole.events())) {
            return "the reference says " + reference + ", the reader " + whole;
        }
        if (whole.ended() ? whole.position() > input.length : whole.position() != input.length) {
            return "position is not the end: " + whole;
        }
        int split = random.nextInt(input.length + 1);
        FrameReading twice = reading(input, split, input.length);
        if (!whole.equals(twice)) {
            return "split at " + split + ": " + twice + " instead of " + whole;
        }
        if (input.length <= BYTE_BY_BYTE_MAX) {
            int[] ends = new int[input.length];
            Arrays.setAll(ends, index -> index + 1);
            FrameReading single = reading(input, ends);
            if (!whole.equals(single)) {
                return "byte by byte: " + single + " instead of " + whole;
            }
        }
        return whole.ended() ? wrongBehindTheEnd(input, whole) : wrongInParts(input, whole);
    }

    private static FrameReading reading(byte[] input, int... ends) {
        return FrameReading.of(new MessageReader(MESSAGE_BYTES_MAX), input, ends);
    }

    /** Ended stays ended. */
    private String wrongBehindTheEnd(byte[] input, FrameReading whole) {
        byte[] more = replace(input, input.length, input.length, piece());
        FrameReading longer = reading(more, more.length);
        return longer.equals(whole) ? null : "with more bytes: " + longer + " not " + whole;
    }

    /** The same in random parts in the middle of an array, with messages refused now and then. */
    private String wrongInParts(byte[] input, FrameReading whole) {
        var reader = new MessageReader(MESSAGE_BYTES_MAX);
        var transcript = new Transcript();
        int shift = random.nextInt(20);
        byte[] array = new byte[shift + input.length + 20];
        Arrays.fill(array, (byte) 0xff);
        System.arraycopy(input, 0, array, shift, input.length);
        int at = shift;
        int arrived = shift;
        while (at < shift + input.length || reader.holdsMessage()) {
            transcript.refusals = random.nextInt(3);
            arrived = Math.min(shift + input.length,
                    Math.max(arrived, at + 1 + random.nextInt(50)));
            int next = reader.read(array, at, arrived, 0, transcript);
            if (next < at || next > arrived || next < arrived && !reader.holdsMessage()) {
                return "consumed up to " + next + " of [" + at + ", " + arrived + ")";
            }
            at = next;
            long bound = Math.min(MESSAGE_BYTES_MAX + BESIDE_BYTES_MAX,
                    Math.max(2L * (at - shift), FIRST_BYTES_MAX));
            if (reader.capacity() > bound) {
                return reader.capacity() + " bytes held after " + (at - shift) + " bytes";
            }
        }
        return transcript.events.equals(whole.events()) ? null
                : "in parts: " + transcript.events + " instead of " + whole;
    }

    private TreeSet<String> unreached() {
        var unreached = new TreeSet<>(
                List.of("NEED_MORE", "text", "binary", "ping", "pong", "close"));
        for (FrameViolation violation : FrameViolation.values()) {
            unreached.add("violation " + violation.closeCode() + " " + violation.kind());
        }
        unreached.removeAll(buckets.keySet());
        return unreached;
    }
}
