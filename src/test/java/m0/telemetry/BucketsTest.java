package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import m0.page.Page;
import org.junit.jupiter.api.Test;

class BucketsTest {
    @Test
    void aBoundBelongsToWhatIsBelowIt() {
        for (int index = 0; index < Buckets.COUNT - 1; index++) {
            long boundNs = Math.round(Double.parseDouble(Buckets.bound(index)) * 1e9);
            assertEquals(index, Buckets.indexOf(boundNs), Buckets.bound(index));
            assertEquals(index + 1, Buckets.indexOf(boundNs + 1), Buckets.bound(index));
        }
    }

    @Test
    void takesEveryTime() {
        assertEquals(0, Buckets.indexOf(0));
        assertEquals(Buckets.COUNT - 1, Buckets.indexOf(Long.MAX_VALUE));
        assertEquals("+Inf", Buckets.bound(Buckets.COUNT - 1));
    }

    @Test
    void countsATimeOnceAndAddsItUp() {
        var counters = Page.inMemory(1, 3 + Buckets.WORDS, 0).counters(0);
        Buckets.count(counters, 3, 10_000);
        Buckets.count(counters, 3, 10_001);
        Buckets.count(counters, 3, 20_000_000_000L);
        assertEquals(1, counters.get(3));
        assertEquals(1, counters.get(4));
        assertEquals(1, counters.get(3 + Buckets.COUNT - 1));
        assertEquals(20_000_020_001L, counters.get(3 + Buckets.COUNT));
    }
}
