package workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.Slack;
import kit.Spread;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import streams.ChildPublisher;
import streams.Ids;
import streams.LoopStreamPair;

/** E21, E23, E24, E25: one producer for all workers, every event on each, and ids that only rise. */
@Gate
@Isolated("it measures how soon events come again")
class WorkerStreamsGate {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long RESPAWN_MS_MAX = 2000;
    private static final long DRAIN_MS = 5000;
    private static final int BEATS = 30;
    private static final Pattern PID = Pattern.compile("\"pid\":([0-9]+)");

    @Test
    void beatsComeFromWorkerZeroAtOneWorkerAndAtTwo() {
        for (int workers : new int[] {1, 2}) {
            try (ServerProcess server = Fleet.of(workers).start();
                    SseClient stream = SseClient.open(server, "/events")) {
                List<Block> beats = stream.events(5, BOUND);
                Ids.expectContiguous(beats, beats.get(0).id());
                long producing = workers == 1 ? server.pid() : Fleet.process(server, 0);
                assertEquals(Set.of(producing), pids(beats), "the producing process");
            }
        }
    }

    @Test
    void fourStreamsOverBothWorkersHaveEveryBeatOfOneProducer() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_PERIOD_MS", "20").start()) {
            List<SseClient> streams = twoOnEach(server);
            Set<Long> producing = new HashSet<>();
            for (SseClient stream : streams) {
                List<Block> beats = stream.events(BEATS, BOUND);
                producing.addAll(pids(beats));
                assertEquals(Set.of(Fleet.process(server, 0)), producing, "the producing process");
                Ids.expectContiguous(beats, beats.get(0).id());
                for (Block beat : beats) {
                    assertTrue(beat.data().startsWith("{\"beat\":" + beat.id() + ","),
                            "beat and id: " + beat);
                }
            }
            streams.forEach(SseClient::close);
        }
    }

    /** Those that are too many stay open: closed ones would draw the next one to their worker. */
    private static List<SseClient> twoOnEach(ServerProcess server) {
        List<SseClient> all = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            List<SseClient> opened = new ArrayList<>();
            Spread.over(2, 2, opened, () -> SseClient.open(server, "/events"), SseClient::worker);
            all.addAll(opened);
        }
        return all;
    }

    /**
     * What a client on the sibling sees of it: a pause, and then ids above all that it has seen. How
     * long the pause is is the machine's too, which has a JVM to start: so the best of some counts.
     */
    @Test
    void heldStreamsBeatAgainWhenTheProducingWorkerIsKilled() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_PERIOD_MS", "50").start();
                LoopStreamPair pair = new LoopStreamPair(server, "/events")) {
            SseClient held = pair.on(1);
            held.events(3, BOUND);
            ServerProcess.pause(4000);
            double bestMs = Rounds.least(RESPAWN_MS_MAX,
                    () -> msToTheSuccessorsBeat(server, held));
            Figures.add(WorkerStreamsGate.class, "a kill to the first beat on a held stream",
                    bestMs, "ms", RESPAWN_MS_MAX);
            assertTrue(bestMs < RESPAWN_MS_MAX, "the first beat after " + bestMs + " ms at best");
        }
    }

    private static long msToTheSuccessorsBeat(ServerProcess server, SseClient held) {
        long killed = Fleet.process(server, 0);
        long killedNs = System.nanoTime();
        ServerProcess.signalOther(killed, "KILL");
        long last = 0;
        Block beat = held.event(BOUND);
        while (pids(List.of(beat)).contains(killed)) {
            assertTrue(beat.id() > last, "id " + beat.id() + " behind " + last);
            last = beat.id();
            beat = held.event(BOUND);
        }
        assertTrue(beat.id() > last, "id " + beat.id() + " of the successor behind " + last);
        assertEquals(Set.of(Fleet.process(server, 0)), pids(List.of(beat)));
        Ids.expectContiguous(held.events(10, BOUND), beat.id() + 1);
        return (beat.atNs() - killedNs) / 1_000_000L;
    }

    @Test
    void aChildPublishesToTheStreamsOfBothWorkers() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_TELL_DOOR", "1").start();
                LoopStreamPair pair = new LoopStreamPair(server, "/events?channel=news")) {
            ChildPublisher.Ended ended = ChildPublisher.run(ChildPublisher.door(server),
                    "one\ntwo\nlast", "news", "--event", "line");
            assertEquals(0, ended.exit(), ended.stderr());
            assertTrue(ended.stderr().endsWith(" refused=0\n"), ended.stderr());
            for (int worker = 0; worker < 2; worker++) {
                assertEquals(List.of("one", "two", "last"), pair.data(worker, 3),
                        "worker " + worker);
            }
        }
    }

    /**
     * As with loops: the median of slots of 400 ms, which one that catches up has not. A client that
     * gets no processor reads several beats at once, so one of some medians decides.
     */
    @Test
    void anOverrunIsNotCaughtUp() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_PERIOD_MS", "200")
                .set("M0_HOSTCHECK_STEP_MS", "220").start();
                LoopStreamPair pair = new LoopStreamPair(server, "/events")) {
            pair.on(0).events(2, BOUND);
            long[] gapsMs = gapsMs(pair.on(0));
            for (int attempt = 1; attempt < 4 && median(gapsMs) < 310; attempt++) {
                gapsMs = gapsMs(pair.on(0));
            }
            assertTrue(median(gapsMs) >= 310, "it caught up: " + Arrays.toString(gapsMs));
            gapsMs(pair.on(1));
        }
    }

    /** Those between the next beats, sorted. */
    private static long[] gapsMs(SseClient stream) {
        List<Block> beats = stream.events(8, BOUND);
        Ids.expectContiguous(beats, beats.get(0).id());
        long[] gapsMs = new long[7];
        for (int gap = 0; gap < gapsMs.length; gap++) {
            gapsMs[gap] = (beats.get(gap + 1).atNs() - beats.get(gap).atNs()) / 1_000_000L;
        }
        Arrays.sort(gapsMs);
        return gapsMs;
    }

    private static long median(long[] sorted) {
        return sorted[sorted.length / 2];
    }

    @Test
    void aPeriodOfAMinuteLeavesAtOnce() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_PERIOD_MS", "60000")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").set("M0_DRAIN_TIMEOUT_MS", "30000").start()) {
            long ms = stopMs(server);
            assertEquals(1, server.stderrLinesWith("host_check: producer closed after 1 steps"),
                    server.stderr());
            assertTrue(ms < 15_000, "gone after " + ms + " ms");
        }
    }

    @Test
    void aStepOfAMinuteIsAbandonedByNameWhenTheBoundHasPassed() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_STEP_MS", "60000").start()) {
            long ms = stopMs(server);
            assertEquals(1, server.stderrLinesWith("host: abandoned producer step after "),
                    server.stderr());
            assertTrue(ms >= DRAIN_MS - 100 && ms <= Slack.notAfterMs(DRAIN_MS),
                    "gone after " + ms + " ms");
        }
    }

    private static long stopMs(ServerProcess server) {
        awaitFirstBeat(server);
        long sinceNs = System.nanoTime();
        server.term();
        assertEquals(0, server.awaitExit(BOUND), server.stderr());
        server.awaitNobodyLeft(BOUND);
        return (System.nanoTime() - sinceNs) / 1_000_000L;
    }

    /** All that is published has one row of ids, so one is missing once there was a beat. */
    private static void awaitFirstBeat(ServerProcess server) {
        try (RawClient client = RawClient.connect(server)) {
            int[] published = {0};
            ServerProcess.await("the first beat", BOUND, () -> {
                published[0]++;
                return !client.get("/publish?channel=others").expect(200).text()
                        .startsWith("{\"id\":" + published[0] + ",");
            });
        }
    }

    private static Set<Long> pids(List<Block> beats) {
        Set<Long> pids = new HashSet<>();
        for (Block beat : beats) {
            Matcher pid = PID.matcher(beat.data());
            assertTrue(pid.find(), beat.data());
            pids.add(Long.parseLong(pid.group(1)));
        }
        return pids;
    }
}
