package m0.http.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import m0.http.Limits;
import org.junit.jupiter.api.Test;

/** Holds the parser to the named cases, however their bytes arrive. */
class WireCaseTest {
    private static final byte[] FOLLOWER =
            "GET /follower HTTP/1.1\r\nHost: f\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int SPLITS_MAX = 240;

    /** The rules of ROWS B, and of A and C, that bytes alone decide. */
    private static final List<String> RULES = List.of("A7", "A8", "A9", "A10", "A11", "A13", "B1",
            "B2", "B3", "B5", "B6", "B7", "B10", "B11", "B12", "B13", "B14", "B16", "B18", "B19",
            "B20", "B21", "B23", "B24", "B27", "B28", "B101", "B102", "C3", "C4", "C104");

    private final List<WireCase> cases = WireCases.all();

    @Test
    void casesHoldWhole() {
        check(wire -> wrong(wire, read(wire, wire.input().length)));
    }

    @Test
    void casesHoldAtEverySplit() {
        check(wire -> {
            for (int split : splits(wire.input().length)) {
                String wrong = wrong(wire, read(wire, split, wire.input().length));
                if (wrong != null) {
                    return "split at " + split + ": " + wrong;
                }
            }
            return null;
        });
    }

    @Test
    void casesHoldByteByByte() {
        check(wire -> {
            int length = wire.input().length;
            // Copying a long input for each of its bytes would take minutes.
            int step = length > 4 * SPLITS_MAX ? length / SPLITS_MAX : 1;
            var ends = new ArrayList<Integer>();
            for (int end = 0; end < length; end += step) {
                ends.add(end);
            }
            ends.add(length);
            return wrong(wire, read(wire, ends.stream().mapToInt(Integer::intValue).toArray()));
        });
    }

    @Test
    void refusedCasesAreRefusedByTheByteThatIsWrong() {
        check(wire -> {
            if (!wire.isRefused()) {
                return null;
            }
            if (read(wire, wire.refusedAt()).outcome() != Outcome.NEED_MORE) {
                return "refused before that byte";
            }
            return wrong(wire, read(wire, wire.refusedAt() + 1));
        });
    }

    @Test
    void refusedCasesStayRefusedWhateverFollows() {
        check(wire -> {
            if (!wire.isRefused()) {
                return null;
            }
            byte[] longer = join(Arrays.copyOf(wire.input(), wire.refusedAt() + 1), FOLLOWER);
            return wrong(wire, WireReading.of(longer, wire.limits(), longer.length));
        });
    }

    @Test
    void theRequestBehindAnAcceptedOneSurvives() {
        check(wire -> {
            if (!wire.isAccepted()) {
                return null;
            }
            byte[] input = join(wire.input(), FOLLOWER);
            var reader = new WireReading.Reader(wire.limits());
            String wrong = wrong(wire, reader.read(input, 0, input.length));
            if (wrong != null) {
                return wrong;
            }
            // The follower is read where the first one ended, by the same objects.
            var next = new WireReading.Reader(Limits.DEFAULT);
            var behind = next.read(input, wire.input().length, input.length);
            return behind.facts().contains("accepted: GET /follower HTTP/1.1") ? null
                    : "the follower is " + behind;
        });
    }

    @Test
    void objectsRememberNothingOfTheRequestBefore() {
        var reader = new WireReading.Reader(Limits.DEFAULT);
        check(wire -> {
            if (!wire.limits().equals(Limits.DEFAULT)) {
                return null;
            }
            String wrong = wrong(wire, reader.read(wire.input(), 0, wire.input().length));
            var follower = reader.read(FOLLOWER, 0, FOLLOWER.length);
            var fresh = WireReading.of(FOLLOWER, wire.limits(), FOLLOWER.length);
            return wrong != null ? wrong : fresh.equals(follower) ? null : "then " + follower;
        });
    }

    @Test
    void positionsCountFromTheArraysBeginning() {
        check(wire -> {
            byte[] before = "junk\0".getBytes(StandardCharsets.US_ASCII);
            byte[] input = join(before, wire.input());
            var shifted = new WireReading.Reader(wire.limits())
                    .read(input, before.length, input.length);
            var back = new WireReading(shifted.outcome(), shifted.violation(),
                    shifted.position() - before.length, shifted.facts());
            return wrong(wire, back);
        });
    }

    @Test
    void everyRuleHasACaseThatPassesAndOneThatIsRefused() {
        var missing = new TreeSet<String>();
        for (String rule : RULES) {
            boolean passes = rule.startsWith("A9") || rule.startsWith("A10");
            if (cases.stream().noneMatch(c -> c.rules().contains(rule) && c.isAccepted())) {
                missing.add(rule + " passes");
            }
            if (!passes
                    && cases.stream().noneMatch(c -> c.rules().contains(rule) && c.isRefused())) {
                missing.add(rule + " refused");
            }
        }
        assertEquals(new TreeSet<String>(), missing);
    }

    @Test
    void everyViolationOfBytesHasACase() {
        var missing = new TreeSet<>(List.of(ProtocolViolation.values()));
        cases.stream().filter(WireCase::isRefused).forEach(c -> missing.remove(
                ProtocolViolation.valueOf(c.expected().get(0).split(" ")[1])));
        missing.remove(ProtocolViolation.HEADER_TIMEOUT);
        missing.remove(ProtocolViolation.BODY_TIMEOUT);
        missing.remove(ProtocolViolation.MEMORY_SHORT);
        assertEquals(new TreeSet<ProtocolViolation>(), missing);
    }

    @Test
    void namesAreUnique() {
        var names = new TreeSet<String>();
        for (WireCase wire : cases) {
            assertTrue(names.add(wire.toString()), wire + " is there twice");
        }
    }

    private static WireReading read(WireCase wire, int... ends) {
        return WireReading.of(wire.input(), wire.limits(), ends);
    }

    /** Every split of a short input; the ends and a seeded choice of a long one. */
    private static List<Integer> splits(int length) {
        var splits = new TreeSet<Integer>();
        if (length <= SPLITS_MAX) {
            for (int split = 0; split <= length; split++) {
                splits.add(split);
            }
        } else {
            var random = new Random(length);
            for (int n = 0; n < SPLITS_MAX / 4; n++) {
                splits.add(n);
                splits.add(length - n);
                splits.add(random.nextInt(length));
            }
        }
        return List.copyOf(splits);
    }

    /** Runs one check over every case and tells all that fail. */
    private void check(Function<WireCase, String> check) {
        var failures = new ArrayList<String>();
        for (WireCase wire : cases) {
            String wrong = check.apply(wire);
            if (wrong != null) {
                failures.add(wire + ": " + wrong);
            }
        }
        assertEquals("", String.join("\n", failures), failures.size() + " cases fail");
    }

    /** What is not as expected, or null. */
    private static String wrong(WireCase wire, WireReading reading) {
        if (wire.isRefused()) {
            return wrongRefusal(wire, reading);
        }
        if (!wire.isAccepted()) {
            return reading.outcome() == Outcome.NEED_MORE ? null : reading.toString();
        }
        if (reading.outcome() != Outcome.DONE || reading.position() != wire.input().length) {
            return shortened(reading + " of " + wire.input().length);
        }
        for (String line : wire.expected()) {
            String fact = new String(WireText.read(line), StandardCharsets.UTF_8);
            if (!reading.facts().contains(line) && !reading.facts().contains(fact)) {
                return shortened("not \"" + line + "\" but " + reading.facts());
            }
        }
        long fields = wire.expected().stream().filter(l -> l.startsWith("field: ")).count();
        long found = reading.facts().stream().filter(l -> l.startsWith("field: ")).count();
        return fields == 0 || fields == found ? null : found + " fields";
    }

    private static String wrongRefusal(WireCase wire, WireReading reading) {
        if (reading.outcome() != Outcome.BAD) {
            return shortened("not refused but " + reading);
        }
        ProtocolViolation found = reading.violation();
        String told = "refused: " + found + " " + found.status();
        if (!told.equals(wire.expected().get(0)) || reading.position() != wire.refusedAt()) {
            return told + " at " + reading.position() + ", not at " + wire.refusedAt();
        }
        List<String> known = wire.expected().subList(1, wire.expected().size());
        return known.isEmpty() || known.equals(reading.facts()) ? null : reading.facts().toString();
    }

    private static String shortened(String text) {
        return text.length() > 600 ? text.substring(0, 600) + " ..." : text;
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }
}
