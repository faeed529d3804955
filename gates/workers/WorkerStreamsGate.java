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
import kit.ServerProcess;
import kit.Slack;
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
    private static final int STREAMS_MAX = 32;
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
                Ids.expectContiguous(beats, beats.get(0).id());
                for (Block beat : beats) {
                    assertTrue(beat.data().startsWith("{\"beat\":" + beat.id() + ","),
                            "beat and id: " + beat);
                }
                producing.addAll(pids(beats));
            }
            assertEquals(Set.of(Fleet.process(server, 0)), producing, "the producing process");
            streams.forEach(SseClient::close);
        }
    }

    /** Those that are too many stay open: closed ones would draw the next one to their worker. */
    private static List<SseClient> twoOnEach(ServerProcess server) {
        List<SseClient> opened = new ArrayList<>();
        int[] held = new int[2];
        while (held[0] < 2 || held[1] < 2) {
            assertTrue(opened.size() < STREAMS_MAX, "vacuous: of " + STREAMS_MAX + " streams "
                    + Arrays.toString(held) + " came to each worker");
            SseClient stream = SseClient.open(server, "/events");
            opened.add(stream);
            held[stream.worker()]++;
            ServerProcess.pause(opened.size());
        }
        return opened;
    }

    /** What a client on the sibling sees of it: a pause, and then ids above all that it has seen. */
    @Test
    void heldStreamsBeatAgainWhenTheProducingWorkerIsKilled() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_PERIOD_MS", "50").start();
                LoopStreamPair pair = new LoopStreamPair(server, "/events")) {
            SseClient held = pair.on(1);
            held.events(3, BOUND);
            ServerProcess.pause(4000);
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
            long ms = (beat.atNs() - killedNs) / 1_000_000L;
            Figures.add(WorkerStreamsGate.class, "a kill to the first beat on a held stream", ms,
                    "ms", RESPAWN_MS_MAX);
            assertTrue(beat.id() > last, "id " + beat.id() + " of the successor behind " + last);
            assertEquals(Set.of(Fleet.process(server, 0)), pids(List.of(beat)));
            assertTrue(ms > 50 && ms <= RESPAWN_MS_MAX, "the first beat after " + ms + " ms");
            Ids.expectContiguous(held.events(10, BOUND), beat.id() + 1);
        }
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

    /** As with loops: the median of slots of 300 ms, which one that catches up has not. */
    @Test
    void anOverrunIsNotCaughtUp() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_PERIOD_MS", "100")
                .set("M0_HOSTCHECK_STEP_MS", "250").start();
                LoopStreamPair pair = new LoopStreamPair(server, "/events")) {
            for (int worker = 0; worker < 2; worker++) {
                pair.on(worker).events(3, BOUND);
                List<Block> beats = pair.on(worker).events(10, BOUND);
                long[] gapsMs = new long[9];
                for (int gap = 0; gap < gapsMs.length; gap++) {
                    gapsMs[gap] = (beats.get(gap + 1).atNs() - beats.get(gap).atNs()) / 1_000_000L;
                }
                Arrays.sort(gapsMs);
                assertTrue(worker == 1 || gapsMs[4] >= 275,
                        "it caught up: " + Arrays.toString(gapsMs));
                Ids.expectContiguous(beats, beats.get(0).id());
            }
        }
    }

    @Test
    void aPeriodOfAMinuteLeavesAtOnce() {
        try (ServerProcess server = Fleet.of(2).set("M0_HOSTCHECK_PERIOD_MS", "60000")
                .set("M0_HOSTCHECK_TELL_CLOSE", "1").start()) {
            long ms = stopMs(server);
            assertEquals(1, server.stderrLinesWith("host_check: producer closed after 1 steps"),
                    server.stderr());
            assertTrue(ms < DRAIN_MS - 500, "gone after " + ms + " ms");
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
        ServerProcess.pause(300);
        long sinceNs = System.nanoTime();
        server.term();
        assertEquals(0, server.awaitExit(BOUND), server.stderr());
        server.awaitNobodyLeft(Duration.ofSeconds(1));
        return (System.nanoTime() - sinceNs) / 1_000_000L;
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
