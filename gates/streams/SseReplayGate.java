package streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import kit.Figures;
import kit.Gate;
import kit.RawClient;
import kit.Rounds;
import kit.ServerProcess;
import kit.SseClient;
import kit.SseClient.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** I10, I24, I30: who comes back gets all that was missed, in order, or is told of a gap. */
@Gate
class SseReplayGate {
    private static final String GAP = "event: gap\ndata: {}\n\n";
    private static final int KEPT = 8;
    private static final int BOTH_LEAST = 20;

    @Test
    void aResumeGetsAllThatWasMissedInOrderAheadOfLiveEvents() {
        try (ServerProcess server = beating(20).set("M0_REPLAY_FRAMES", "10000").start()) {
            long lastId;
            try (SseClient stream = SseClient.open(server, "/events")) {
                lastId = stream.events(5, RawClient.WAIT).get(4).id();
            }
            for (int resume = 0; resume < 5; resume++) {
                ServerProcess.pause(300);
                try (SseClient stream = SseClient.resume(server, "/events", lastId)) {
                    List<Block> events = stream.events(30, RawClient.WAIT);
                    Ids.expectContiguous(events, lastId + 1);
                    lastId += 30;
                }
            }
        }
    }

    @Test
    void aResumeOnTheOtherLoopHasNoHoleAndNoRepeat() {
        List<SseClient> streams = new ArrayList<>();
        try (ServerProcess server = beating(20).set("M0_REPLAY_FRAMES", "10000")
                .set("M0_THREADS", "2").start()) {
            try {
                int changes = 0;
                SseClient before = SseClient.open(server, "/events");
                streams.add(before);
                long lastId = before.events(5, RawClient.WAIT).get(4).id();
                // Those that stay open steer the next to the other loop, unless that stands still.
                for (int resume = 0; resume < 6 || changes == 0 && resume < 30; resume++) {
                    ServerProcess.pause(200);
                    SseClient stream = SseClient.resume(server, "/events", lastId);
                    streams.add(stream);
                    Ids.expectContiguous(stream.events(20, RawClient.WAIT), lastId + 1);
                    lastId += 20;
                    changes += stream.worker() == before.worker() ? 0 : 1;
                    before = stream;
                }
                assertTrue(changes > 0, "vacuous: all resumes were on loop " + before.worker());
            } finally {
                streams.forEach(SseClient::close);
            }
        }
    }

    /**
     * A loop that is behind takes a resume before the frames that wait for it in its ring, and its
     * client has seen some of those on the other loop. To have it so, the loop is held twice: while
     * it is the first time, it is sent what holds it once more and, behind that, the resume, with
     * an id that is published only then.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whatTheClientHasSeenElsewhereIsNotSentAgainByALoopThatWasBehind(int behind) {
        Rounds.untilProven("the loop was not held", () -> isResumedBehindAHold(behind));
    }

    private static boolean isResumedBehindAHold(int behind) {
        try (ServerProcess server = Hooks.startBehindItsBeat(
                beating(600_000).set("M0_THREADS", "2"));
                LoopClients first = new LoopClients(server, 2);
                LoopClients second = new LoopClients(server, 2);
                LoopClients back = new LoopClients(server, 2)) {
            RawClient publisher = first.on(1 - behind);
            long head = Published.all(publisher, "channel=c");
            first.on(behind).send("GET /slow?ms=1000 HTTP/1.1\r\nHost: a\r\n\r\n");
            first.on(behind).awaitTaken();
            second.on(behind).send("GET /slow?ms=2000 HTTP/1.1\r\nHost: a\r\n\r\n");
            second.on(behind).awaitArrived();
            back.on(behind).send("GET /events?channel=c HTTP/1.1\r\nHost: a\r\nLast-Event-ID: "
                    + (head + 3) + "\r\n\r\n");
            back.on(behind).awaitArrived();
            if (first.on(behind).hasBytes()) {
                return false;
            }
            first.on(behind).read().expect(200);
            assertEquals(head + 5, Published.all(publisher, "channel=c&count=5"));
            if (second.on(behind).hasBytes()) {
                return false;
            }
            second.on(behind).read().expect(200);
            SseClient stream = SseClient.over(back.on(behind));
            assertEquals(behind, stream.worker());
            Ids.expectContiguous(stream.events(2, RawClient.WAIT), head + 4);
            assertEquals(Published.all(publisher, "channel=c"), stream.event().id());
            return true;
        }
    }

    /** Two threads publish to one channel while its reader goes and comes back. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void twoPublishersAtOnceLeaveNoHoleInAResume(int loops) {
        try (ServerProcess server = beating(1).set("M0_REPLAY_FRAMES", "50000")
                .set("M0_THREADS", String.valueOf(loops)).start();
                RawClient publisher = RawClient.connect(server)) {
            long lastId;
            try (SseClient stream = SseClient.open(server, "/events")) {
                lastId = stream.event().id();
            }
            long beats = 0;
            long others = 0;
            // Where one of both stands still, the other has all the numbers of that time.
            for (int resume = 0; resume < 10
                    || (beats <= BOTH_LEAST || others <= BOTH_LEAST) && resume < 200; resume++) {
                for (int turn = 0; turn < 5; turn++) {
                    publisher.send("GET /publish?count=20 HTTP/1.1\r\nHost: a\r\n\r\n");
                }
                try (SseClient stream = SseClient.resume(server, "/events", lastId)) {
                    List<Block> events = stream.events(60, RawClient.WAIT);
                    Ids.expectContiguous(events, lastId + 1);
                    lastId += 60;
                    long beaten = events.stream()
                            .filter(each -> each.event().equals("beat")).count();
                    beats += beaten;
                    others += 60 - beaten;
                }
                for (int turn = 0; turn < 5; turn++) {
                    publisher.read().expect(200);
                }
            }
            assertTrue(beats > BOTH_LEAST && others > BOTH_LEAST, "vacuous: " + beats + " beats, "
                    + others + " events of the other publisher");
            Figures.add(SseReplayGate.class, "events of two publishers", beats + others, "events",
                    beats + others);
        }
    }

    @Test
    void theJournalsLastFrameIsReplayedAndOneBeforeItIsAGap() {
        try (ServerProcess server = keeping(); RawClient other = RawClient.connect(server)) {
            long head = Published.all(other, "channel=c&count=20");
            try (SseClient stream = SseClient.resume(server, "/events?channel=c", head - KEPT)) {
                Ids.expectContiguous(stream.events(KEPT, RawClient.WAIT), head - KEPT + 1);
                expectNext(other, stream);
            }
            expectGap(server, other, "Last-Event-ID: " + (head - KEPT));
            expectGap(server, other, "Last-Event-ID: 0");
        }
    }

    @Test
    void whoHasSeenTheLastEventIsToldOfNoGap() {
        try (ServerProcess server = keeping(); RawClient other = RawClient.connect(server)) {
            long head = Published.all(other, "channel=c&count=20");
            try (SseClient stream = SseClient.resume(server, "/events?channel=c", head)) {
                expectNext(other, stream);
            }
        }
    }

    /** Of an earlier run, say, whose numbers were higher. */
    @Test
    void anIdAboveTheHeadIsAGap() {
        try (ServerProcess server = keeping(); RawClient other = RawClient.connect(server)) {
            long head = Published.all(other, "channel=c&count=5");
            expectGap(server, other, "Last-Event-ID: " + (head + 1));
            expectGap(server, other, "Last-Event-ID: 999999999999999999");
        }
    }

    @Test
    void anIdThatCannotBeReadIsAGap() {
        try (ServerProcess server = keeping(); RawClient other = RawClient.connect(server)) {
            Published.all(other, "channel=c&count=5");
            for (String id : List.of("x", "-1", "1.5", "0x1", "1 2", "9999999999999999999")) {
                expectGap(server, other, "Last-Event-ID: " + id);
            }
        }
    }

    @Test
    void withoutTheFieldNothingIsReplayed() {
        try (ServerProcess server = keeping(); RawClient other = RawClient.connect(server)) {
            Published.all(other, "channel=c&count=5");
            try (SseClient stream = SseClient.open(server, "/events?channel=c")) {
                expectNext(other, stream);
            }
        }
    }

    @Test
    void aStreamThatAsksForNoReplayHasNone() {
        try (ServerProcess server = keeping(); RawClient other = RawClient.connect(server)) {
            long head = Published.all(other, "channel=c&count=5");
            try (SseClient stream =
                    SseClient.resume(server, "/events?channel=c&replay=0", head - 2)) {
                expectNext(other, stream);
            }
        }
    }

    /** One gap, without a number; nothing of what is there still; then what is new. */
    private static void expectGap(ServerProcess server, RawClient other, String field) {
        RawClient client = RawClient.connect(server);
        try (SseClient stream = SseClient.open(client, "/events?channel=c", field + "\r\n")) {
            assertEquals(GAP, stream.event().raw(), field);
            expectNext(other, stream);
        }
    }

    /** What is published now is the next that comes. */
    private static void expectNext(RawClient other, SseClient stream) {
        assertEquals(Published.all(other, "channel=c"), stream.event().id(), "the next event's id");
    }

    private static ServerProcess keeping() {
        return Hooks.startBehindItsBeat(
                beating(600_000).set("M0_REPLAY_FRAMES", String.valueOf(KEPT)));
    }

    private static ServerProcess.Plan beating(int periodMs) {
        return ServerProcess.app("host_check")
                .set("M0_HOSTCHECK_PERIOD_MS", String.valueOf(periodMs));
    }
}
