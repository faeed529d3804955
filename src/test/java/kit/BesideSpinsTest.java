package kit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What gates excuse by another try, and what they do not. */
class BesideSpinsTest {
    private static final int SAMPLES = 24;
    private static final double LIMIT_MS = 100;
    private static final double SPIN_MS = 400;

    @Test
    void aQuickTryIsTheLast() {
        assertEquals(1, least(quickBut(1, 500.0)));
    }

    @Test
    void stallsOfTheMachineAreExcusedByAQuickTry() {
        assertEquals(1, least(quickBut(3, 2000.0), quickBut(0, 0.0)));
        assertEquals(1, least(quickBut(11, 250.0), quickBut(0, 0.0)));
    }

    @Test
    void whatWaitsForASpinNowAndThenIsNotExcused() {
        assertEquals(300, least(quickBut(4, 300.0), quickBut(0, 0.0)));
    }

    @Test
    void whatWaitsAWhileMostlyIsNotExcused() {
        assertEquals(100, least(quickBut(12, 100.0), quickBut(0, 0.0)));
    }

    @SafeVarargs
    private static double least(List<Double>... tries) {
        Iterator<List<Double>> next = List.of(tries).iterator();
        return BesideSpins.leastSecondWorst(tries.length, LIMIT_MS, SPIN_MS, next::next);
    }

    private static List<Double> quickBut(int count, double ms) {
        List<Double> samples = new ArrayList<>(Collections.nCopies(SAMPLES - count, 1.0));
        samples.addAll(Collections.nCopies(count, ms));
        return samples;
    }
}
