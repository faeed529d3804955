package kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Which rounds of a gate are played again, and which failures stand. */
class RoundsTest {
    private static final int MOST = 3;

    private int played;

    @Test
    void aVoidRoundIsPlayedAgain() {
        Rounds.play(MOST, () -> Rounds.voidIf(++played < MOST, "late"));
        assertEquals(MOST, played);
    }

    @Test
    void nothingButVoidRoundsIsAFailureThatSaysWhy() {
        String message = assertThrows(AssertionError.class,
                () -> Rounds.play(MOST, () -> Rounds.voidIf(++played > 0, "late"))).getMessage();
        assertTrue(message.contains("vacuous") && message.endsWith("late"), message);
        assertEquals(MOST, played);
    }

    @Test
    void aFailureOfARoundThatIsNotVoidStandsAtOnce() {
        assertThrows(AssertionError.class, () -> Rounds.play(MOST, this::fail));
        assertEquals(1, played);
    }

    @Test
    void aFailureOfARoundInPaceStandsAtOnce() {
        assertThrows(AssertionError.class, () -> Rounds.inPace(MOST, 60_000, pace -> {
            pace.step();
            fail();
        }));
        assertEquals(1, played);
    }

    @Test
    void aFailureOfARoundThatWasLateIsPlayedAgain() {
        Rounds.inPace(MOST, 60_000, pace -> {
            if (played < MOST - 1) {
                pace.step(70_000);
                fail();
            }
        });
        assertEquals(MOST - 1, played);
        assertThrows(AssertionError.class, () -> Rounds.inPace(MOST, 0, pace -> fail()));
        assertEquals(2 * MOST - 1, played);
    }

    private void fail() {
        played++;
        throw new AssertionError("asked to fail");
    }
}
