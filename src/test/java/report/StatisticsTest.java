package report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
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

    @Test
    void percentileIsAValueThatSoManyDoNotExceed() {
        List<Double> hundred = IntStream.rangeClosed(1, 100).mapToObj(i -> 101.0 - i).toList();
        assertEquals(99, Statistics.percentile(hundred, 99));
        assertEquals(100, Statistics.percentile(hundred, 99.5));
        assertEquals(50, Statistics.percentile(hundred, 50));
        assertEquals(7, Statistics.percentile(List.of(3.0, 7.0), 99));
        assertEquals(3, Statistics.percentile(List.of(3.0), 1));
    }

    @Test
    void secondHighestLeavesOneStallOut() {
        assertEquals(3, Statistics.secondHighest(List.of(3.0, 90.0, 1.0)));
        assertEquals(5, Statistics.secondHighest(List.of(5.0)));
    }
}
