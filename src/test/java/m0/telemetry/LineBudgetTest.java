package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LineBudgetTest {
    private final LineBudget budget = new LineBudget(2, 100);

    @Test
    void letsSoManyThroughAWindow() {
        assertTrue(budget.tryTake(-50));
        assertTrue(budget.tryTake(49));
        assertFalse(budget.tryTake(49));
        assertTrue(budget.tryTake(50));
    }

    @Test
    void aWindowBeginsWithItsFirstLine() {
        assertTrue(budget.tryTake(0));
        assertTrue(budget.tryTake(1000));
        assertTrue(budget.tryTake(1099));
        assertFalse(budget.tryTake(1099));
    }

    @Test
    void countsWhatItPassedOverOnce() {
        for (int line = 0; line < 5; line++) {
            budget.tryTake(0);
        }
        assertEquals(3, budget.takePassedOver());
        assertEquals(0, budget.takePassedOver());
    }
}
