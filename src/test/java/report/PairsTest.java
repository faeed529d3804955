package report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PairsTest {
    private final Pairs pairs = new Pairs();

    @Test
    void comparesPairByPairAndNotMedianByMedian() {
        add("ours", 2, 30, 8);
        add("bare", 1, 10, 4);
        assertEquals(List.of(2.0, 3.0, 2.0), pairs.ratios("ours", "bare"));
        assertEquals(List.of(1.0, 20.0, 4.0), pairs.differences("ours", "bare"));
    }

    @Test
    void knowsEachArmsMiddleAndHighest() {
        add("ours", 2, 30, 8);
        add("bare", 1, 10, 4);
        assertEquals(8, pairs.median("ours"));
        assertEquals(30, pairs.highest("ours"));
        assertEquals(10, pairs.highest("bare"));
        assertEquals(Set.of("ours", "bare"), pairs.arms());
    }

    private void add(String arm, double... values) {
        for (double value : values) {
            pairs.add(arm, value);
        }
    }
}
