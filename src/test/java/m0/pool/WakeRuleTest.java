package m0.pool;

import static m0.pool.SteppedLane.US;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import m0.pool.PoolWorker.Turn;
import org.junit.jupiter.api.Test;

/** M25: whom a job wakes, and when. Everything is stepped by hand, under a clock that stands. */
class WakeRuleTest {
    private final SteppedLane bench = new SteppedLane(3);

    @Test
    void ofThreadsThatAreAllParkedTheLatestIsWoken() {
        parkInOrder(0, 2, 1);
        bench.submit();
        assertEquals(List.of(1), bench.woken(), "who was woken");
        assertEquals(Lane.NEVER, bench.lane.lookAgainNs(), "one is on its way for the one job");
        assertEquals(Turn.WORKED, bench.step(1));
        bench.park(1);
        bench.submit();
        assertEquals(List.of(1), bench.woken(), "who was woken");
    }

    @Test
    void besideABusyThreadNobodyIsWoken() {
        parkInOrder(1, 2);
        bench.submit();
        bench.work(0, () -> {
            bench.submit();
            bench.submit();
        });
        assertEquals(List.of(), bench.woken(), "who was woken");
    }

    @Test
    void besideAThreadThatLooksNobodyIsWoken() {
        parkInOrder(1, 2);
        assertEquals(Turn.LOOKED, bench.step(0));
        bench.submit();
        assertEquals(List.of(), bench.woken(), "who was woken");
        assertEquals(Turn.WORKED, bench.step(0));
    }

    @Test
    void besideAThreadOnItsWayNobodyIsWoken() {
        parkInOrder(0, 1, 2);
        bench.submit();
        bench.submit();
        assertEquals(List.of(2), bench.woken(), "who was woken");
    }

    @Test
    void aJobThatHasWaitedTenMicrosecondsWakesAParkedThreadAndNoneBefore() {
        parkInOrder(1, 2);
        bench.submit();
        bench.work(0, () -> {
            bench.submit();
            assertEquals(10 * US, bench.lane.lookAgainNs(), "how long the loop may not wait");
            bench.clock.nowNs += 10 * US - 1;
            assertEquals(1, bench.lane.lookAgainNs(), "how long the loop may not wait");
            assertEquals(List.of(), bench.woken(), "who was woken");
            bench.clock.nowNs += 1;
            assertEquals(Lane.NEVER, bench.lane.lookAgainNs(), "one is on its way");
            assertEquals(List.of(2), bench.woken(), "who was woken");
            assertEquals(Turn.WORKED, bench.step(2));
        });
    }

    @Test
    void aThreadThatTakesAJobWakesAnotherForTheNextWhichHasWaited() {
        parkInOrder(1, 2);
        bench.submit();
        bench.submit();
        bench.clock.nowNs += 10 * US;
        bench.work(0, () -> assertEquals(List.of(2), bench.woken(), "who was woken"));
    }

    @Test
    void aThreadThatTakesAJobWakesNobodyForTheNextWhichHasJustCome() {
        parkInOrder(1, 2);
        bench.submit();
        bench.clock.nowNs += 10 * US;
        bench.submit();
        bench.clock.nowNs += 10 * US - 1;
        bench.work(0, () -> assertEquals(List.of(), bench.woken(), "who was woken"));
    }

    @Test
    void noMoreThreadsAreWokenThanJobsWait() {
        SteppedLane four = new SteppedLane(5);
        for (int thread = 1; thread < 5; thread++) {
            four.park(thread);
        }
        four.submit();
        four.work(0, () -> {
            four.submit();
            four.submit();
            for (int look = 0; look < 10; look++) {
                four.clock.nowNs += 10 * US;
                four.lane.lookAgainNs();
            }
            assertEquals(List.of(4, 3), four.woken(), "who was woken");
            assertEquals(Lane.NEVER, four.lane.lookAgainNs(), "as many are on their way as wait");
        });
    }

    /** The second job may be younger than the first, for which one was woken just now. */
    @Test
    void theLoopLooksAgainForTheJobBehindTheOldest() {
        parkInOrder(1, 2);
        bench.submit();
        bench.work(0, () -> {
            bench.submit();
            bench.clock.nowNs += 10 * US;
            bench.submit();
            assertEquals(10 * US, bench.lane.lookAgainNs(), "how long the loop may not wait");
            assertEquals(List.of(2), bench.woken(), "who was woken");
            bench.clock.nowNs += 10 * US;
            assertEquals(Lane.NEVER, bench.lane.lookAgainNs());
            assertEquals(List.of(1), bench.woken(), "who was woken");
        });
    }

    /** Whatever comes after a thread's last look has not seen it parked. */
    @Test
    void aThreadLooksOnceMoreAfterItsAnnouncement() {
        parkInOrder(1, 2);
        assertEquals(Turn.LOOKED, bench.step(0));
        bench.clock.nowNs += 10 * US;
        bench.clock.atNextRead(bench::submit);
        assertEquals(Turn.LOOKED, bench.step(0), "a job has come meanwhile");
        assertEquals(List.of(), bench.woken(), "who was woken");
        assertEquals(Turn.WORKED, bench.step(0));
        bench.park(0);
        bench.submit();
        assertEquals(List.of(0), bench.woken(), "it is counted as before");
    }

    @Test
    void aThreadLooksForTenMicrosecondsBeforeItParksAndAgainAfterAJob() {
        assertEquals(Turn.LOOKED, bench.step(0), "it has not looked for long");
        bench.clock.nowNs += 10 * US - 1;
        assertEquals(Turn.LOOKED, bench.step(0), "it has not looked for long");
        bench.submit();
        assertEquals(Turn.WORKED, bench.step(0));
        bench.clock.nowNs += 1;
        bench.park(0);
    }

    @Test
    void aParkThatEndsForNoReasonIsGoneBackTo() {
        parkInOrder(0, 1, 2);
        assertEquals(Turn.PARK, bench.step(1), "nobody has woken it");
        assertEquals(Turn.PARK, bench.step(1));
        bench.submit();
        assertEquals(List.of(2), bench.woken(), "who was woken");
        assertEquals(Turn.PARK, bench.step(1), "the wake was another's");
    }

    @Test
    void aThreadThatCameForNothingLooksForAWhileAndIsFreeAgain() {
        parkInOrder(1, 2);
        bench.submit();
        bench.work(0, () -> {
            bench.submit();
            bench.clock.nowNs += 10 * US;
            bench.lane.lookAgainNs();
        });
        assertEquals(Turn.WORKED, bench.step(0), "the busy one was faster");
        assertEquals(List.of(2), bench.woken());
        bench.park(2);
        bench.park(0);
        bench.submit();
        assertEquals(List.of(0), bench.woken(), "all are parked again");
    }

    private void parkInOrder(int... threads) {
        for (int thread : threads) {
            bench.park(thread);
        }
    }
}
