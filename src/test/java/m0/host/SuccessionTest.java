package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SuccessionTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long HOUR_NS = 3600 * SECOND_NS;

    private final Succession succession = new Succession(2);

    @Test
    void replacesTenTimesAsOftenAsThereAreWorkersWithinAnHour() {
        for (int count = 0; count < 20; count++) {
            assertEquals(0, succession.waitNs(count * SECOND_NS));
            assertTrue(succession.tryTake(count * SECOND_NS), "replacement " + count);
        }
        assertFalse(succession.tryTake(20 * SECOND_NS));
        assertEquals(HOUR_NS - 20 * SECOND_NS, succession.waitNs(20 * SECOND_NS));
    }

    /** The hour slides: each replacement comes back by itself, and none is counted for life. */
    @Test
    void eachReplacementComesBackWhenItIsAnHourOld() {
        for (int count = 0; count < 20; count++) {
            succession.tryTake(count * SECOND_NS);
        }
        assertFalse(succession.tryTake(HOUR_NS - 1), "just before an hour");
        assertTrue(succession.tryTake(HOUR_NS), "the first one's hour is over");
        assertFalse(succession.tryTake(HOUR_NS), "the second one's is not");
        assertEquals(SECOND_NS, succession.waitNs(HOUR_NS));
        assertTrue(succession.tryTake(HOUR_NS + SECOND_NS));
    }

    @Test
    void fiveDeathsAtOnceAreHopeless() {
        for (int count = 0; count < 4; count++) {
            succession.died(SECOND_NS - 1);
            assertFalse(succession.isHopeless(), "after " + (count + 1));
        }
        succession.died(0);
        assertTrue(succession.isHopeless());
    }

    /** Where none came to serve it is not the serving that ends them. */
    @Test
    void theRowSaysWhetherAnyHasServed() {
        for (int count = 0; count < 5; count++) {
            succession.died(0);
        }
        assertEquals("5 workers in a row ended before they served", succession.row());
        succession.died(1);
        for (int count = 0; count < 4; count++) {
            succession.died(0);
        }
        assertEquals("10 workers in a row ended within 1000 ms of serving, or before",
                succession.row());
    }

    @Test
    void whoHasServedForASecondBreaksTheRow() {
        for (int count = 0; count < 4; count++) {
            succession.died(0);
        }
        succession.died(SECOND_NS);
        for (int count = 0; count < 4; count++) {
            succession.died(0);
        }
        assertFalse(succession.isHopeless());
        succession.died(0);
        assertTrue(succession.isHopeless());
    }
}
