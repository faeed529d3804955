package m0.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every sequence of frames, however it is split. */
class FrameCaseTest {
    /** Beyond it the splits are those near the ends, and one in a thousand. */
    private static final int SPLITS_ALL_MAX = 2000;

    private final List<FrameCase> cases = FrameCase.all();

    @Test
    void casesHoldWhole() {
        for (FrameCase each : cases) {
            assertEquals(expected(each), FrameReading.of(each.input(), each.input().length),
                    each.name());
        }
    }

    @Test
    void casesHoldAtEverySplit() {
        for (FrameCase each : cases) {
            int length = each.input().length;
            for (int split = 1; split < length; split++) {
                if (length <= SPLITS_ALL_MAX || split < 20 || split > length - 20
                        || split % 1000 == 0) {
                    assertEquals(expected(each), FrameReading.of(each.input(), split, length),
                            each.name() + ", split at " + split);
                }
            }
        }
    }

    @Test
    void casesHoldByteByByte() {
        for (FrameCase each : cases) {
            assertEquals(expected(each), FrameReading.byteByByte(each.input()), each.name());
        }
    }

    @Test
    void nothingIsRefusedBeforeTheByteThatBreaksTheRule() {
        for (FrameCase each : cases) {
            if (each.isRefused()) {
                FrameReading shorter = FrameReading.of(each.input(), each.input().length - 1);
                assertEquals(each.events().subList(0, each.events().size() - 1), shorter.events(),
                        each.name());
            }
        }
    }

    @Test
    void everyViolationHasACase() {
        var kinds = new TreeSet<String>();
        for (FrameViolation violation : FrameViolation.values()) {
            kinds.add("violation " + violation.closeCode() + " " + violation.kind());
        }
        for (FrameCase each : cases) {
            kinds.removeAll(each.events());
        }
        assertEquals(new TreeSet<String>(), kinds);
    }

    private static FrameReading expected(FrameCase each) {
        boolean ended = each.isRefused() || each.events().stream().anyMatch(
                event -> event.startsWith("close"));
        return new FrameReading(each.events(), each.input().length, ended);
    }
}
