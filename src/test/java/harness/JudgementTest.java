package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.MethodRun.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final ClassLoads LOADED = ClassLoads.nothingToSay();
    private static final ClassLoads ELSEWHERE = new ClassLoads("from elsewhere");

    @Test
    void failureWithAllWordsIsCaught() {
        assertEquals(Verdict.CAUGHT, judge(failed("x(): expected 400 but was 200"), LOADED));
    }

    @Test
    void oneWordMissingIsAWrongFailure() {
        assertEquals(Verdict.WRONG_FAILURE, judge(failed("x(): expected 400"), LOADED));
    }

    @Test
    void wordsInAQuotedLogProveNothing() {
        assertEquals(Verdict.WRONG_FAILURE,
                judge(failed("x(): no answer\n---- server 7, running\n400 but 200"), LOADED));
    }

    @Test
    void failureAroundTheMethodIsAWrongFailure() {
        assertEquals(Verdict.WRONG_FAILURE, judge(outcome(1, 0, 1, "400 200", 0), LOADED));
        assertEquals(Verdict.WRONG_FAILURE, judge(outcome(0, 0, 1, "400 200", 0), LOADED));
    }

    @Test
    void greenIsMissed() {
        assertEquals(Verdict.MISSED, judge(outcome(1, 0, 0, "", 0), LOADED));
    }

    @Test
    void nothingCountsWithoutTheMutant() {
        assertEquals(Verdict.NOT_LOADED, judge(failed("400 200"), ELSEWHERE));
        assertEquals(Verdict.NOT_LOADED, judge(outcome(1, 0, 0, "", 0), ELSEWHERE));
        assertEquals(Verdict.NOT_LOADED,
                judge(failed("x(): MUTANT NOT LOADED: a.B source: file:/x\n400 200"), LOADED));
    }

    @Test
    void methodThatTheMutantTookAwayIsStale() {
        assertEquals(Verdict.STALE, judge(outcome(0, 0, 0, "no test", 0), LOADED));
    }

    @Test
    void endOfTheJvmIsAWrongFailure() {
        assertEquals(Verdict.WRONG_FAILURE, judge(outcome(0, 0, 0, "", 3), LOADED));
    }

    private static Verdict judge(Outcome outcome, ClassLoads loads) {
        return Judgement.of(outcome, loads, List.of("400", "200")).verdict();
    }

    private static Outcome failed(String text) {
        return outcome(1, 1, 0, text, 0);
    }

    private static Outcome outcome(int found, int failed, int elsewhere, String text, int exit) {
        return new Outcome(found, failed, elsewhere, 0, text, "", false, exit, Duration.ZERO);
    }
}
