package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SupervisionTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long STOP_BOUND_NS = 8 * SECOND_NS;

    private final List<String> told = new ArrayList<>();
    private final List<FakeProcess> started = new ArrayList<>();
    private boolean startFails;
    private String lost = "";
    private long nowNs = 5 * SECOND_NS;
    private final Supervision supervision = new Supervision(2, new Hands(), new Ears(),
            () -> STOP_BOUND_NS);

    private final class Hands implements Supervision.Starter {
        @Override
        public WorkerProcess start(int worker) throws IOException {
            return begin(worker);
        }

        @Override
        public String lost() {
            return lost;
        }
    }

    private final class Ears implements Supervision.Observer {
        @Override
        public void onServing() {
            told.add("serving");
        }

        @Override
        public void onEnded(int worker) {
            told.add("ended " + worker);
        }

        @Override
        public void line(String text) {
            told.add(text);
        }
    }

    private final class FakeProcess implements WorkerProcess {
        private final int worker;
        private String state = "starting";

        FakeProcess(int worker) {
            this.worker = worker;
        }

        @Override
        public long pid() {
            return 100 + started.indexOf(this);
        }

        @Override
        public void serve() {
            state = "serving";
        }

        @Override
        public void stop() {
            state = "stopping";
        }

        @Override
        public void kill() {
            state = "killed";
        }

        void arm() {
            supervision.onArmed(worker, this, nowNs);
        }

        void exit(int code) {
            supervision.onExit(worker, this, code, nowNs);
        }

        void refuse(String reason) {
            supervision.onRefused(worker, this, reason, nowNs);
        }
    }

    private WorkerProcess begin(int worker) throws IOException {
        if (startFails) {
            throw new IOException("no more processes");
        }
        FakeProcess process = new FakeProcess(worker);
        started.add(process);
        return process;
    }

    private void beginServing() {
        supervision.begin(nowNs);
        started.get(0).arm();
        started.get(1).arm();
        told.clear();
    }

    private List<String> states() {
        return started.stream().map(process -> process.state).toList();
    }

    @Test
    void nobodyServesBeforeAllAreArmed() {
        supervision.begin(nowNs);
        assertEquals(List.of("starting", "starting"), states());
        started.get(1).arm();
        assertEquals(List.of("starting", "starting"), states());
        assertEquals(List.of(), told);
        started.get(0).arm();
        assertEquals(List.of("serving", "serving"), states());
        assertEquals(List.of("serving"), told);
    }

    @Test
    void whoDiesIsReplacedInItsPlaceAndTheSuccessorServesOnceItIsArmed() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        started.get(1).exit(137);
        assertEquals(List.of("ended 1", "worker 1, process 101, ended with signal 9"), told);
        assertEquals(3, started.size());
        assertEquals(1, started.get(2).worker);
        assertEquals("starting", started.get(2).state);
        nowNs += SECOND_NS / 2;
        started.get(2).arm();
        assertEquals("serving", started.get(2).state);
        assertEquals(List.of("ended 1", "worker 1, process 101, ended with signal 9",
                "worker=1 serves, pid=102, after 500 ms"), told, "the listening line is said once");
    }

    @Test
    void whatAFormerProcessSaysIsNotHeard() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        FakeProcess former = started.get(1);
        former.exit(1);
        former.refuse("too late");
        former.exit(1);
        assertEquals(3, started.size());
        assertFalse(supervision.isStopping());
    }

    @Test
    void aRefusalEndsAllWithTheFirstReason() {
        supervision.begin(nowNs);
        started.get(1).refuse("make threw on loop 1");
        started.get(0).refuse("make threw on loop 0");
        assertEquals(List.of("make threw on loop 1"), told);
        assertEquals("stopping", started.get(0).state);
        started.get(1).exit(78);
        assertFalse(supervision.isOver());
        started.get(0).exit(78);
        assertTrue(supervision.isOver());
        assertEquals(78, supervision.exit());
        assertEquals(List.of("make threw on loop 1", "ended 1", "ended 0"), told);
    }

    @Test
    void aRefusalThatIsOnlyACodeIsOneToo() {
        supervision.begin(nowNs);
        started.get(0).exit(78);
        assertTrue(supervision.isStopping());
        started.get(1).exit(0);
        assertEquals(78, supervision.exit());
        assertEquals(2, started.size());
        assertEquals(List.of("ended 0", "worker 0 refused to serve and did not say why", "ended 1"),
                told);
    }

    @Test
    void aSuccessorsRefusalEndsAllToo() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        started.get(1).exit(137);
        told.clear();
        started.get(2).refuse("no database");
        started.get(2).exit(78);
        assertTrue(supervision.isStopping());
        started.get(0).exit(0);
        assertTrue(supervision.isOver());
        assertEquals(78, supervision.exit());
        assertEquals(List.of("no database", "ended 1", "ended 0"), told);
    }

    /** A successor that a stop meets while it is refused has failed nothing. */
    @Test
    void aRefusalBehindAStopIsNoFailedDrain() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        started.get(1).exit(137);
        supervision.askStop(nowNs);
        told.clear();
        started.get(2).refuse("no database");
        started.get(2).exit(78);
        started.get(0).exit(0);
        assertTrue(supervision.isOver());
        assertEquals(0, supervision.exit());
        assertEquals(List.of("ended 1", "ended 0"), told);
    }

    @Test
    void fiveDeathsAtOnceEndAll() {
        supervision.begin(nowNs);
        for (int death = 0; death < 5; death++) {
            assertFalse(supervision.isStopping(), "after " + death);
            started.get(started.size() - 1).exit(1);
        }
        assertTrue(supervision.isStopping());
        assertEquals("stopping", started.get(0).state);
        started.get(0).exit(0);
        assertTrue(supervision.isOver());
        assertEquals(1, supervision.exit());
        assertTrue(told.contains("5 workers in a row ended before they served, so none is replaced"
                + " any more"), told.toString());
    }

    /** Who never served has no drain to fail, and ended all the same. */
    @Test
    void whoNeverServedFailsNoDrain() {
        supervision.begin(nowNs);
        supervision.askStop(nowNs);
        started.get(0).exit(2);
        started.get(1).exit(0);
        assertEquals(1, supervision.exit());
        assertEquals(List.of("ended 0", "worker 0, process 100, ended with code 2", "ended 1"),
                told);
    }

    @Test
    void whoHasUsedUpTheBudgetIsReplacedWhenTheHourAllowsIt() {
        beginServing();
        for (int death = 0; death < 20; death++) {
            nowNs += 2 * SECOND_NS;
            started.get(started.size() - 1).exit(1);
            started.get(started.size() - 1).arm();
        }
        nowNs += 2 * SECOND_NS;
        started.get(started.size() - 1).exit(1);
        assertEquals(22, started.size(), "processes");
        assertFalse(supervision.isStopping(), "the sibling serves on");
        long waitNs = supervision.runTimers(nowNs);
        assertEquals(3560 * SECOND_NS, waitNs);
        nowNs += waitNs;
        supervision.runTimers(nowNs);
        assertEquals(23, started.size(), "processes an hour later");
    }

    @Test
    void withNobodyLeftAndNobodyToFollowItEnds() {
        beginServing();
        for (int death = 0; death < 20; death++) {
            nowNs += 2 * SECOND_NS;
            started.get(started.size() - 1).exit(1);
            started.get(started.size() - 1).arm();
        }
        nowNs += 2 * SECOND_NS;
        started.get(started.size() - 1).exit(1);
        started.get(0).exit(1);
        assertTrue(supervision.isOver());
        assertEquals(1, supervision.exit());
        assertTrue(told.contains("no worker is left"), told.toString());
    }

    @Test
    void aStopReachesAllAndNothingIsReplaced() {
        beginServing();
        supervision.askStop(nowNs);
        assertEquals(List.of("stopping", "stopping"), states());
        started.get(0).exit(0);
        assertFalse(supervision.isOver());
        started.get(1).exit(0);
        assertTrue(supervision.isOver());
        assertEquals(0, supervision.exit());
        assertEquals(2, started.size());
    }

    @Test
    void aFailedDrainIsTheSupervisors() {
        beginServing();
        supervision.askStop(nowNs);
        started.get(1).exit(1);
        started.get(0).exit(0);
        assertEquals(1, supervision.exit());
        assertTrue(told.contains("worker 1 failed its drain: it ended with code 1"),
                told.toString());
    }

    @Test
    void whoWasSignalledBeforeItCouldKnowHasNotFailed() {
        supervision.begin(nowNs);
        supervision.askStop(nowNs);
        started.get(0).exit(143);
        started.get(1).exit(130);
        assertEquals(0, supervision.exit());
    }

    @Test
    void whoDoesNotEndByTheBoundIsKilledByName() {
        beginServing();
        supervision.askStop(nowNs);
        started.get(0).exit(0);
        assertEquals(STOP_BOUND_NS, supervision.runTimers(nowNs));
        nowNs += STOP_BOUND_NS - 1;
        assertEquals(1, supervision.runTimers(nowNs));
        assertEquals("stopping", started.get(1).state);
        nowNs++;
        assertEquals(Supervision.NEVER, supervision.runTimers(nowNs));
        assertEquals("killed", started.get(1).state);
        assertTrue(told.contains("worker 1 did not end within 8000 ms and is killed"),
                told.toString());
        started.get(1).exit(137);
        assertTrue(supervision.isOver());
        assertEquals(1, supervision.exit());
    }

    @Test
    void whoIsNotArmedInTimeIsKilled() {
        supervision.begin(nowNs);
        started.get(0).arm();
        nowNs += Supervision.ARMING_MS_MAX * 1_000_000L - 1;
        assertEquals(1, supervision.runTimers(nowNs));
        nowNs++;
        supervision.runTimers(nowNs);
        assertEquals(List.of("starting", "killed"), states());
    }

    @Test
    void aSuccessorThatCannotBeStartedIsTriedAgain() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        startFails = true;
        started.get(1).exit(1);
        assertFalse(supervision.isStopping());
        startFails = false;
        assertEquals(SECOND_NS, supervision.runTimers(nowNs));
        nowNs += SECOND_NS;
        supervision.runTimers(nowNs);
        assertEquals(3, started.size());
    }

    /** The budget is for deaths, and a machine that is short of processes for a minute costs none. */
    @Test
    void whatTheSystemRefusesIsTriedAgainAtNoCostAndSaidOnce() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        startFails = true;
        started.get(1).exit(1);
        for (int second = 0; second < 60; second++) {
            nowNs += SECOND_NS;
            assertEquals(SECOND_NS, supervision.runTimers(nowNs), "after " + second + " s");
        }
        startFails = false;
        nowNs += SECOND_NS;
        supervision.runTimers(nowNs);
        assertEquals(3, started.size(), "processes behind a minute without any");
        assertEquals(1, told.stream().filter(line -> line.contains("cannot be started")).count(),
                told.toString());
    }

    @Test
    void whoIsToBeTriedAgainIsNotGone() {
        beginServing();
        for (int death = 0; death < 19; death++) {
            nowNs += 2 * SECOND_NS;
            started.get(started.size() - 1).exit(1);
            started.get(started.size() - 1).arm();
        }
        nowNs += 2 * SECOND_NS;
        startFails = true;
        started.get(started.size() - 1).exit(1);
        started.get(0).exit(1);
        assertFalse(supervision.isStopping(), "worker 1 comes in a second: " + told);
    }

    /** What a successor would need is gone, and those that have it need nobody. */
    @Test
    void whoCannotShareAnyMoreIsNotReplacedAndTheSiblingServesOn() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        lost = "the page is gone";
        started.get(1).exit(137);
        assertEquals(List.of("ended 1", "worker 1, process 101, ended with signal 9",
                "worker 1 is not replaced: the page is gone"), told);
        assertFalse(supervision.isStopping(), "the sibling serves on");
        nowNs += 10 * SECOND_NS;
        assertEquals(Supervision.NEVER, supervision.runTimers(nowNs));
        assertEquals(2, started.size(), "processes");
        started.get(0).exit(137);
        assertTrue(supervision.isOver());
        assertEquals(1, supervision.exit());
        assertTrue(told.contains("no worker is left"), told.toString());
    }

    @Test
    void whatIsLostWhileTheOperatingSystemHasNoProcessIsSeenToo() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        startFails = true;
        started.get(1).exit(137);
        lost = "the page is gone";
        nowNs += SECOND_NS;
        assertEquals(Supervision.NEVER, supervision.runTimers(nowNs));
        assertTrue(told.contains("worker 1 is not replaced: the page is gone"), told.toString());
        assertFalse(supervision.isStopping());
    }

    /** No event follows, so whoever steps it has to look again by itself. */
    @Test
    void whereTheLastIsNotReplacedInAnHourOfWantTheEndIsSeenAtOnce() {
        beginServing();
        nowNs += 2 * SECOND_NS;
        startFails = true;
        started.get(0).exit(137);
        started.get(1).exit(137);
        lost = "the page is gone";
        nowNs += SECOND_NS;
        assertEquals(0, supervision.runTimers(nowNs));
        assertTrue(supervision.isOver());
        assertEquals(1, supervision.exit());
        assertEquals(1, told.stream().filter("no worker is left"::equals).count(), told.toString());
    }

    /** Those that wait for all to be armed would wait for ever. */
    @Test
    void whatIsLostBeforeAllServeEndsAll() {
        supervision.begin(nowNs);
        started.get(0).arm();
        lost = "the page is gone";
        started.get(1).exit(1);
        assertTrue(supervision.isStopping());
        started.get(0).exit(0);
        assertEquals(1, supervision.exit());
    }

    @Test
    void whatCannotBeStartedAtFirstIsAFailure() {
        startFails = true;
        supervision.begin(nowNs);
        assertTrue(supervision.isOver());
        assertEquals(1, supervision.exit());
        assertEquals(List.of("worker 0 cannot be started: no more processes"), told);
    }
}
