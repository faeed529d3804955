package report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void medianIsTheMiddleOrTheMeanOfTheTwo() {
        assertEquals(2, Statistics.median(List.of(9.0, 1.0, 2.0)));
        assertEquals(1.5, Statistics.median(List.of(2.0, 1.0)));
    }

    @Test
    void halfWidthLeavesTheOutermostOut() {
        assertEquals(2, Statistics.halfWidth(List.of(-50.0, 1.0, 2.0, 4.0, 5.0, 99.0)));
    }

    @Test
    void nothingHasNoMedian() {
        assertThrows(IllegalArgumentException.class, () -> Statistics.median(List.of()));
    }
}
