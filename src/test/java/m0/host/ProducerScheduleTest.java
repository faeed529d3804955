package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** E23: a fixed rate that never catches up, in times that a test makes up. */
class ProducerScheduleTest {
    private static final long MS = 1_000_000L;
    /** Beyond half of all times there are, so that differences count and not the times. */
    private static final long START = Long.MAX_VALUE - 3 * MS;

    private final ProducerSchedule schedule = new ProducerSchedule(START);

    @Test
    void theFirstStepIsDueAtOnce() {
        assertEquals(0, schedule.waitNs(START));
    }

    @Test
    void theRateRunsFromEachStepsScheduledStart() {
        schedule.stepped(20 * MS, START + 7 * MS);
        assertEquals(13 * MS, schedule.waitNs(START + 7 * MS));
        schedule.stepped(20 * MS, START + 29 * MS);
        assertEquals(11 * MS, schedule.waitNs(START + 29 * MS));
        assertEquals(0, schedule.waitNs(START + 40 * MS));
    }

    @Test
    void aLateStartDoesNotShiftTheOnesBehindIt() {
        schedule.stepped(20 * MS, START + 1 * MS);
        assertEquals(0, schedule.waitNs(START + 26 * MS));
        schedule.stepped(20 * MS, START + 27 * MS);
        assertEquals(13 * MS, schedule.waitNs(START + 27 * MS));
    }

    @Test
    void anOverrunIsFollowedByTheNextSlotAndNeverCaughtUp() {
        schedule.stepped(20 * MS, START + 65 * MS);
        assertEquals(15 * MS, schedule.waitNs(START + 65 * MS), "40 and 60 have passed");
        schedule.stepped(20 * MS, START + 81 * MS);
        assertEquals(19 * MS, schedule.waitNs(START + 81 * MS));
    }

    @Test
    void aStepThatEndsOnASlotIsFollowedByItAtOnce() {
        schedule.stepped(20 * MS, START + 60 * MS);
        assertEquals(0, schedule.waitNs(START + 60 * MS));
        schedule.stepped(20 * MS, START + 60 * MS);
        assertEquals(20 * MS, schedule.waitNs(START + 60 * MS));
    }

    @Test
    void aPeriodMayChangeFromStepToStep() {
        schedule.stepped(10 * MS, START + 1 * MS);
        schedule.stepped(30 * MS, START + 12 * MS);
        assertEquals(28 * MS, schedule.waitNs(START + 12 * MS));
    }

    @Test
    void noPeriodIsAtOnce() {
        for (long none : new long[] {0, -1, Long.MIN_VALUE}) {
            schedule.stepped(none, START + 5 * MS);
            assertEquals(0, schedule.waitNs(START + 5 * MS));
        }
        schedule.stepped(20 * MS, START + 6 * MS);
        assertEquals(19 * MS, schedule.waitNs(START + 6 * MS));
    }

    @Test
    void aWaitIsSliced() {
        schedule.stepped(60_000 * MS, START);
        assertEquals(50 * MS, schedule.waitNs(START));
        assertEquals(50 * MS, schedule.waitNs(START + 59_900 * MS));
        assertEquals(2 * MS, schedule.waitNs(START + 59_998 * MS));
    }

    @Test
    void noPeriodIsTooLong() {
        schedule.stepped(Long.MAX_VALUE, START);
        assertEquals(50 * MS, schedule.waitNs(START + 24L * 3600 * 1000 * MS));
    }
}
