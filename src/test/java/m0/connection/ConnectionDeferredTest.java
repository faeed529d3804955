package m0.connection;

import static m0.connection.ConnectionAnswersTest.get;
import static m0.connection.ConnectionAnswersTest.statuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.http.ChunkSource;
import m0.http.Deferred;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.loop.ReadyWork;
import m0.loop.Waker;
import m0.pool.Completions;
import m0.pool.Job;
import m0.pool.Lanes;
import m0.pool.Placement;
import m0.pool.ScriptedLane;
import org.junit.jupiter.api.Test;

/** Answers that are given later; whoever gives them is the test. */
class ConnectionDeferredTest {
    private static final long DEADLINE_MS = 30_000;

    private final SteppedClock clock = new SteppedClock();
    private final Completions completions = new Completions(100, new Waker());
    private final ScriptedLane lane = new ScriptedLane(completions, () -> clock.nowNs);
    private final Later later = new Later();
    private final Bench bench = new Bench(ConnectionConfig.DEFAULT, later, clock,
            new Lanes(request -> request.pathStartsWith("/lane") ? 0 : Placement.LOOP,
                    List.of(lane), completions));
    private final ScriptedTransport peer = new ScriptedTransport();
    private final ReadyWork connection = bench.admit(peer);

    /** Defers what is asked for so, and stamps each answer it sees. */
    private static final class Later implements AppHandler {
        private final List<Deferred> given = new ArrayList<>();
        private final List<String> seen = new ArrayList<>();
        private Response shared = Response.deferred();

        @Override
        public Response handle(Request request) {
            if (request.pathIs("/now")) {
                return Response.text(200, "now");
            }
            Response answer = request.pathIs("/shared") ? shared : Response.deferred();
            given.add(answer.deferral());
            return answer;
        }

        @Override
        public Response afterResponse(Request request, Response response) {
            seen.add(request.path() + " " + response.status());
            return response.toBuilder().header("X-Seen", request.path()).build();
        }

        private Deferred last() {
            return given.get(given.size() - 1);
        }
    }

    private String exchange(String text) {
        peer.send(text);
        return run();
    }

    private String run() {
        bench.run(connection, peer);
        bench.deliver();
        bench.run(connection, peer);
        return peer.takeWritten();
    }

    @Test
    void theAnswerIsGivenLaterAndThenSeen() {
        assertEquals("", exchange(get("/a")));
        assertEquals(List.of(), later.seen);
        assertTrue(later.last().complete(Response.text(200, "later")));
        String wire = run();
        assertTrue(wire.contains("X-Seen: /a\r\n") && wire.endsWith("later"), wire);
        assertEquals(List.of("/a 200"), later.seen);
        assertFalse(peer.closed);
        assertTrue(exchange(get("/now")).endsWith("now"));
    }

    @Test
    void onlyTheFirstAnswerCounts() {
        exchange(get("/a"));
        assertTrue(later.last().complete(Response.text(200, "first")));
        assertFalse(later.last().complete(Response.text(200, "second")));
        assertTrue(run().endsWith("first"));
        assertFalse(later.last().complete(Response.text(200, "third")));
        assertEquals("", run());
    }

    @Test
    void anAnswerMayBeThereAlready() {
        later.shared.deferral().complete(Response.text(200, "early"));
        assertTrue(exchange(get("/shared")).endsWith("early"));
    }

    @Test
    void oneDeferredAnswerIsForOneRequest() {
        exchange(get("/shared"));
        ScriptedTransport other = new ScriptedTransport();
        ReadyWork another = bench.admit(other);
        other.send(get("/shared"));
        bench.run(another, other);
        assertEquals(List.of("500"), statuses(other.takeWritten()));
        assertTrue(bench.failures.get(0).contains("belongs to one request alone"));
        later.shared.deferral().complete(Response.text(200, "mine"));
        assertTrue(run().endsWith("mine"));
    }

    @Test
    void requestsBehindItWaitAndAreAnsweredInOrder() {
        assertEquals("", exchange(get("/a") + get("/now")));
        assertEquals("", exchange(get("/now")), "read on while the answer is awaited");
        later.last().complete(Response.text(200, "later"));
        String wire = run();
        assertEquals(List.of("200", "200", "200"), statuses(wire));
        assertTrue(wire.indexOf("later") < wire.indexOf("now"), wire);
    }

    @Test
    void afterTheDeadlineItIs503AndTheConnectionGoesOn() {
        exchange(get("/a"));
        bench.advanceMs(DEADLINE_MS - 1000);
        assertEquals("", run());
        bench.advanceMs(2100);
        assertEquals(List.of("503"), statuses(run()));
        assertTrue(later.last().isGone());
        assertFalse(later.last().complete(Response.text(200, "late")));
        assertTrue(exchange(get("/now")).endsWith("now"));
        exchange(get("/b"));
        bench.advanceMs(DEADLINE_MS - 1500);
        assertEquals("", run(), "each answer has the whole time");
        later.last().complete(Response.text(200, "in time"));
        assertTrue(run().endsWith("in time"));
    }

    @Test
    void aDeadlineBesideAnAnswerOnItsWayLetsItArrive() {
        exchange(get("/a"));
        later.last().complete(Response.text(200, "just in time"));
        bench.advanceMs(DEADLINE_MS + 2000);
        assertTrue(run().endsWith("just in time"));
    }

    @Test
    void whoHasGoneIsToldOf() {
        exchange(get("/a"));
        peer.readFails = true;
        run();
        assertTrue(peer.closed);
        assertTrue(later.last().isGone());
        assertFalse(later.last().complete(Response.text(200, "for nobody")));
        assertEquals(0, bench.connections.live());
    }

    @Test
    void aHalfCloseIsAnsweredWithClose() {
        exchange(get("/a"));
        peer.sendFin();
        assertEquals("", run());
        assertFalse(peer.closed);
        later.last().complete(Response.text(200, "later"));
        String wire = run();
        assertTrue(wire.contains("Connection: close\r\n") && wire.endsWith("later"), wire);
        assertTrue(peer.closed);
    }

    @Test
    void anAnswerOnItsWayKeepsTheSlot() {
        exchange(get("/a"));
        Source source = new Source();
        assertTrue(later.last().complete(Response.status(200).chunks(source).build()));
        assertEquals(1, bench.connections.closeAll());
        assertEquals(1, bench.connections.live(), "its completion would reach a stranger");
        bench.deliver();
        assertEquals(0, bench.connections.live());
        assertEquals(1, source.closed);
        assertEquals("", peer.takeWritten());
    }

    private final List<String> told = new ArrayList<>();

    @Test
    void whoIsToBeToldIsToldOnceWhenTheClientGoes() {
        exchange(get("/a"));
        later.last().whenGone(() -> told.add("gone"));
        assertThrows(IllegalStateException.class, () -> later.last().whenGone(() -> { }));
        assertEquals(List.of(), told);
        peer.readFails = true;
        run();
        assertEquals(List.of("gone"), told, "who was to be told");
        assertEquals(0, bench.connections.live());
    }

    @Test
    void whoIsToBeToldIsToldAtTheDeadline() {
        exchange(get("/a"));
        later.last().whenGone(() -> told.add("gone"));
        bench.advanceMs(DEADLINE_MS + 1_100);
        assertEquals(List.of("503"), statuses(run()));
        assertEquals(List.of("gone"), told, "who was to be told");
        later.last().whenGone(() -> told.add("at once"));
        assertEquals(List.of("gone", "at once"), told);
    }

    @Test
    void whoIsToBeToldIsToldWhenADrainCutsIt() {
        exchange(get("/a"));
        later.last().whenGone(() -> told.add("gone"));
        bench.connections.closeAll();
        assertEquals(List.of("gone"), told, "who was to be told");
    }

    @Test
    void whoIsToBeToldIsToldWhenALaneDefersForNobody() {
        exchange(get("/lane"));
        Job job = lane.take(0);
        bench.connections.closeAll();
        Response open = Response.deferred();
        open.deferral().whenGone(() -> told.add("gone"));
        lane.answer(job, open);
        bench.deliver();
        assertEquals(List.of("gone"), told, "who was to be told");
    }

    @Test
    void whoHasAnsweredIsToldNothing() {
        exchange(get("/a"));
        later.last().whenGone(() -> told.add("gone"));
        later.last().complete(Response.text(200, "later"));
        bench.connections.closeAll();
        bench.deliver();
        assertEquals(List.of(), told);
    }

    @Test
    void whatIsThrownWhereItIsToldIsLoggedAndEndsNothing() {
        exchange(get("/a"));
        later.last().whenGone(() -> {
            throw new IllegalStateException("told badly");
        });
        bench.advanceMs(DEADLINE_MS + 1_100);
        assertEquals(List.of("503"), statuses(run()));
        assertEquals(List.of("whenGone of GET /a told badly"), bench.failures);
        assertTrue(exchange(get("/now")).endsWith("now"));
    }

    private static final class Source implements ChunkSource {
        private int closed;

        @Override
        public boolean next(ByteBuffer into) {
            return false;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void aDrainWaitsForIt() {
        exchange(get("/a"));
        bench.stop.ask();
        bench.connections.beginDrain();
        bench.advanceMs(3000);
        assertFalse(peer.closed);
        assertFalse(bench.connections.isDrained());
        later.last().complete(Response.text(200, "later"));
        assertTrue(run().contains("Connection: close\r\n"));
        assertTrue(bench.connections.isDrained());
    }

    @Test
    void aLaneMayDeferToo() {
        exchange(get("/lane"));
        Response deferred = Response.deferred();
        Job job = lane.take(2);
        lane.answer(job, deferred);
        assertEquals("", run());
        assertTrue(deferred.deferral().complete(Response.text(200, "later")));
        String wire = run();
        assertTrue(wire.contains("X-Seen: /lane\r\n") && wire.endsWith("later"), wire);
        assertEquals(2, bench.records.get(0).thread());
    }

    @Test
    void aStreamMayBeOpenedLater() {
        exchange(get("/a"));
        later.last().complete(Response.status(200)
                .events("c", StreamPolicy.LATEST, false, List.of()).build());
        assertTrue(run().contains("text/event-stream"));
        bench.publish("c", "e", "hello");
        assertTrue(run().contains("data: hello"));
    }

    @Test
    void anAnswerBehindAStuckOneWaitsForItAndIsDroppedWithIt() {
        peer.room = 40;
        peer.send(get("/now") + get("/a"));
        bench.run(connection, peer);
        Source source = new Source();
        later.last().complete(Response.status(200).chunks(source).build());
        bench.deliver();
        assertEquals(0, source.closed);
        bench.connections.closeAll();
        assertEquals(1, source.closed);
        assertEquals(0, bench.connections.live());
    }

    @Test
    void aLaneMayDeferBehindAStuckAnswerAndTheClientMayGo() {
        peer.room = 40;
        exchange(get("/now") + get("/lane"));
        Response deferred = Response.deferred();
        lane.answer(lane.take(0), deferred);
        bench.deliver();
        peer.room = Long.MAX_VALUE;
        run();
        bench.connections.closeAll();
        assertEquals(0, bench.connections.live());
        assertTrue(deferred.deferral().isGone(), "nobody is told that the client has gone");
        assertFalse(deferred.deferral().complete(Response.text(200, "for a stranger")));
        bench.deliver();
    }

    @Test
    void whoWentWhileALaneDeferredIsToldOf() {
        exchange(get("/lane"));
        Job job = lane.take(0);
        bench.connections.closeAll();
        Response open = Response.deferred();
        lane.answer(job, open);
        bench.deliver();
        assertTrue(open.deferral().isGone(), "nobody is told that the client has gone");
        assertFalse(open.deferral().complete(Response.text(200, "for nobody")));
        assertEquals(0, bench.connections.live());
    }

    @Test
    void whatWasGivenToWhoWentWhileALaneDeferredIsClosed() {
        exchange(get("/lane"));
        Job job = lane.take(0);
        bench.connections.closeAll();
        Response given = Response.deferred();
        Source source = new Source();
        given.deferral().complete(Response.status(200).chunks(source).build());
        lane.answer(job, given);
        bench.deliver();
        assertEquals(1, source.closed, "its source");
        assertTrue(given.deferral().isGone());
    }

    @Test
    void aLaneThatDefersWhatAnotherWaitsForIsAFailureOfThatRequest() {
        Response shared = Response.deferred();
        exchange(get("/lane/a"));
        ScriptedTransport other = new ScriptedTransport();
        ReadyWork another = bench.admit(other);
        other.send(get("/lane/b"));
        bench.run(another, other);
        ScriptedTransport third = new ScriptedTransport();
        ReadyWork slow = bench.admit(third);
        third.send("GET /now HT");
        bench.run(slow, third);
        lane.answer(lane.take(0), shared);
        lane.answer(lane.take(0), shared);
        third.send("TP/1.1\r\nHost: a\r\n\r\n");
        bench.run(slow, third);
        other.send(get("/now"));
        bench.deliver();
        assertEquals(List.of("500"), statuses(other.takeWritten()));
        assertTrue(bench.failures.get(0).contains("belongs to one request alone"));
        assertTrue(shared.deferral().complete(Response.text(200, "mine")));
        assertTrue(run().endsWith("mine"));
    }

    @Test
    void whatIsReadBesideItIsBounded() {
        Bench small = new Bench(new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0, 0, 0, 3000, 0, 0,
                0, StreamConfig.DEFAULT), later, clock, Lanes.none(completions));
        ReadyWork one = small.admit(peer);
        peer.send(get("/a"));
        small.run(one, peer);
        peer.send("GET /now HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(5000));
        small.run(one, peer);
        assertTrue(peer.closed, "more is kept than may be");
        assertTrue(later.last().isGone());
        assertEquals(0, small.connections.live());
    }

    @Test
    void aDeferredAnswerCannotBeDeferredOnceMore() {
        exchange(get("/a"));
        assertThrows(IllegalArgumentException.class,
                () -> later.last().complete(Response.deferred()));
        later.last().complete(Response.text(200, "later"));
        assertTrue(run().endsWith("later"));
    }
}
