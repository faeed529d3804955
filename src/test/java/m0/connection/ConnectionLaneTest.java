package m0.connection;

import static m0.connection.ConnectionAnswersTest.get;
import static m0.connection.ConnectionAnswersTest.statuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import m0.app.AppHandler;
import m0.http.ChunkSource;
import m0.http.Limits;
import m0.http.Request;
import m0.http.Response;
import m0.http.StreamPolicy;
import m0.http.parse.ProtocolViolation;
import m0.loop.ReadyWork;
import m0.loop.Waker;
import m0.pool.Completions;
import m0.pool.Job;
import m0.pool.Lanes;
import m0.pool.Placement;
import m0.pool.ScriptedLane;
import org.junit.jupiter.api.Test;

/** Requests that a lane answers; its threads are the test's calls. */
class ConnectionLaneTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final SteppedClock clock = new SteppedClock();
    private final Completions completions = new Completions(1000, new Waker());
    private final ScriptedLane lane = new ScriptedLane(completions, () -> clock.nowNs);
    private final OnLoop onLoop = new OnLoop();
    private final Bench bench = bench(ConnectionConfig.DEFAULT);
    private final ScriptedTransport peer = new ScriptedTransport();
    private final ReadyWork connection = bench.admit(peer);

    private Bench bench(ConnectionConfig config) {
        Placement placement = request -> request.pathStartsWith("/loop") ? Placement.LOOP : 0;
        return new Bench(config, onLoop, clock, new Lanes(placement, List.of(lane), completions));
    }

    /** The loop's instance: answers early what is asked for so, and counts. */
    private static final class OnLoop implements AppHandler {
        private final List<String> calls = new ArrayList<>();

        @Override
        public Response beforeRequest(Request request) {
            calls.add("before " + request.path());
            return request.pathIs("/early") ? Response.text(200, "early") : null;
        }

        @Override
        public Response handle(Request request) {
            calls.add("handle " + request.path());
            return Response.text(200, "loop " + request.path());
        }

        @Override
        public Response afterResponse(Request request, Response response) {
            calls.add("after " + request.path());
            return request.pathIs("/loop/unseen") ? null : response;
        }
    }

    private static ConnectionConfig config(int connectionsMax, long heldBytesMax,
            long laneDeadlineNs) {
        return new ConnectionConfig(Limits.DEFAULT, connectionsMax, 0, 0, 0, 0, 0,
                60 * SECOND_NS, heldBytesMax, 0, laneDeadlineNs, 0, StreamConfig.DEFAULT);
    }

    private String exchange(String text) {
        peer.send(text);
        bench.run(connection, peer);
        return peer.takeWritten();
    }

    /** A thread answers the oldest job with its path, and the loop takes the completion. */
    private String answerNext() {
        Job job = lane.take(1);
        lane.answer(job, Response.text(200, "lane " + job.request().path()));
        return delivered();
    }

    private String delivered() {
        bench.deliver();
        bench.run(connection, peer);
        return peer.takeWritten();
    }

    @Test
    void theLaneAnswersAndTheLoopWrites() {
        assertEquals("", exchange(get("/a")));
        assertEquals(1, lane.waiting());
        assertTrue(answerNext().endsWith("\r\n\r\nlane /a"));
        assertFalse(peer.closed);
        assertEquals("", exchange(get("/b")));
        assertTrue(answerNext().endsWith("\r\n\r\nlane /b"));
        assertEquals(List.of("before /a", "before /b"), onLoop.calls);
    }

    @Test
    void whatIsPlacedOnTheLoopIsAnsweredThere() {
        assertTrue(exchange(get("/loop/a")).endsWith("loop /loop/a"));
        assertEquals(0, lane.waiting());
        assertEquals(List.of("before /loop/a", "handle /loop/a", "after /loop/a"), onLoop.calls);
    }

    @Test
    void anAnswerThatIsSeenAsNoneIsAFailure() {
        assertEquals(List.of("500"), statuses(exchange(get("/loop/unseen"))));
        assertEquals(List.of("GET /loop/unseen afterResponse returned no response"), bench.failures);
    }

    @Test
    void anEarlyAnswerNeverBecomesAJob() {
        assertTrue(exchange(get("/early")).endsWith("early"),
                "the early answer was not given");
        assertEquals(0, lane.waiting());
        assertEquals(List.of("before /early", "after /early"), onLoop.calls);
    }

    /** The job has gone home before, so the error comes by itself. */
    @Test
    void anErrorBehindAnAnswerGivenEarlyIsOneOfTheLoop() {
        exchange(get("/a"));
        Error broken = new AssertionError("broken");
        lane.answer(lane.take(0), (request, early) -> {
            early.give(Response.text(200, "early"));
            throw broken;
        });
        assertTrue(bench.connections.hasMail());
        assertSame(broken, assertThrows(AssertionError.class, bench::deliver));
    }

    @Test
    void theNextRequestIsAnsweredWhileTheHandlerOfTheLastGoesOn() {
        exchange(get("/a"));
        List<String> wire = new ArrayList<>();
        lane.answer(lane.take(0), (request, early) -> {
            early.give(Response.text(200, "early"));
            wire.add(delivered());
            wire.add(exchange(get("/b")));
            wire.add(answerNext());
            return Response.text(200, "never");
        });
        assertTrue(wire.get(0).endsWith("early"), wire.get(0));
        assertEquals("", wire.get(1));
        assertTrue(wire.get(2).endsWith("lane /b"), wire.get(2));
        assertEquals("", delivered(), "a second answer");
    }

    @Test
    void theRequestIsTheJobsOwn() {
        exchange("POST /kept?x=1 HTTP/1.1\r\nHost: a\r\nX-Name: kept\r\nContent-Length: 5\r\n\r\nhello");
        Job job = lane.take(0);
        ScriptedTransport other = new ScriptedTransport();
        ReadyWork another = bench.admit(other);
        other.send("POST /loop/".concat("z".repeat(400)) + " HTTP/1.1\r\nHost: zzzzzzzz\r\n"
                + "Content-Length: 9\r\n\r\nzzzzzzzzz");
        bench.run(another, other);
        Request request = job.request();
        assertEquals("/kept", request.path());
        assertEquals("1", request.queryParameter("x"));
        assertEquals("kept", request.header("x-name"));
        assertEquals("hello", new String(request.body()));
        assertEquals(peer.remote(), request.remote());
        assertEquals(peer.local(), request.local());
        assertEquals(peer.local(), request.copy().local());
    }

    @Test
    void aChunkedBodyGoesAlong() {
        exchange("POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n" + get("/loop/next"));
        Job job = lane.take(0);
        assertEquals("abcde", new String(job.request().body()));
        lane.answer(job, Response.text(200, "done"));
        assertEquals(List.of("200", "200"), statuses(delivered()));
    }

    @Test
    void aBodyInPiecesGoesAlongWithItsBytes() {
        exchange("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nab");
        exchange("cd");
        assertEquals(0, lane.waiting(), "an incomplete body never reaches the lane");
        exchange("ef" + get("/loop/next"));
        Job job = lane.take(0);
        assertEquals("abcdef", new String(job.request().body()));
        lane.answer(job, Response.text(200, "done"));
        String wire = delivered();
        assertEquals(List.of("200", "200"), statuses(wire));
        assertTrue(wire.endsWith("loop /loop/next"), wire);
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() {
        assertEquals("", exchange(get("/1") + get("/loop/2") + get("/3") + get("/loop/4")));
        assertEquals(1, lane.waiting());
        String first = answerNext();
        assertTrue(first.indexOf("lane /1") < first.indexOf("loop /loop/2"), first);
        assertEquals(List.of("200", "200"), statuses(first));
        assertEquals(1, lane.waiting());
        String second = answerNext();
        assertTrue(second.indexOf("lane /3") < second.indexOf("loop /loop/4"), second);
        assertEquals(List.of("200", "200"), statuses(second));
    }

    @Test
    void nothingIsReadWhileTheJobIsOut() {
        exchange(get("/a"));
        int reads = peer.reads;
        assertEquals("", exchange(get("/loop/b")));
        assertEquals(reads, peer.reads);
        assertFalse(peer.readWanted, "a pending byte would spin the loop");
        String wire = answerNext();
        assertTrue(wire.contains("lane /a") && wire.endsWith("loop /loop/b"), wire);
        assertTrue(peer.readWanted);
    }

    @Test
    void aHalfCloseDuringTheJobIsAnsweredWithClose() {
        exchange(get("/a"));
        peer.sendFin();
        bench.run(connection, peer);
        assertFalse(peer.closed);
        String wire = answerNext();
        assertTrue(wire.contains("Connection: close\r\n") && wire.endsWith("lane /a"), wire);
        assertTrue(peer.closed);
    }

    @Test
    void whatCameBeforeAHalfCloseIsAnsweredToo() {
        exchange(get("/a"));
        peer.send(get("/b"));
        peer.sendFin();
        bench.run(connection, peer);
        assertFalse(answerNext().contains("Connection: close"));
        assertTrue(answerNext().contains("Connection: close"));
        assertTrue(peer.closed);
    }

    @Test
    void aHalfCloseBehindAnAnswerThatWasStuckIsAnsweredWithClose() {
        exchange(get("/loop/first"));
        peer.room = 40;
        exchange(get("/loop/stuck") + get("/a"));
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        peer.sendFin();
        bench.run(connection, peer);
        peer.takeWritten();
        String wire = answerNext();
        assertTrue(wire.contains("Connection: close\r\n") && wire.endsWith("lane /a"), wire);
        assertTrue(peer.closed);
    }

    @Test
    void theSlotOfACutConnectionIsNobodysBeforeItsJobIsBack() {
        Bench one = bench(config(1, 1 << 20, 0));
        ReadyWork cut = one.admit(peer);
        peer.send(get("/slow"));
        one.run(cut, peer);
        Job job = lane.take(0);
        assertEquals(1, one.connections.closeAll());
        assertTrue(peer.closed);
        assertFalse(one.connections.hasRoom(), "the job's slot was given away");
        assertTrue(one.connections.isDrained(), "nobody waits for that answer");
        assertEquals(0, one.connections.closeAll());
        lane.answer(job, Response.text(200, "late"));
        one.deliver();
        assertTrue(one.connections.hasRoom());
        assertEquals("", peer.takeWritten());
        ScriptedTransport next = new ScriptedTransport();
        ReadyWork second = one.admit(next);
        next.send(get("/loop/mine"));
        one.run(second, next);
        assertTrue(next.takeWritten().endsWith("loop /loop/mine"));
    }

    @Test
    void aJobWhoseConnectionWasCutIsNotRun() {
        exchange(get("/a"));
        bench.connections.closeAll();
        assertNull(lane.take(0), "nobody waits for it");
        bench.deliver();
        assertEquals(0, bench.connections.live());
    }

    @Test
    void aClientThatHasGoneIsFoundWhenItIsAnswered() {
        exchange(get("/a"));
        peer.writeFails = true;
        assertEquals("", answerNext());
        assertTrue(peer.closed);
        assertEquals(0, bench.connections.live());
    }

    @Test
    void aFullLaneIsSaidAndTheConnectionGoesOn() {
        lane.waitingMax = 0;
        String wire = exchange(get("/a"));
        assertEquals(List.of("503"), statuses(wire));
        assertTrue(wire.contains("Retry-After: 1\r\n"), wire);
        assertEquals(1, bench.laneRefusals);
        assertFalse(peer.closed);
        lane.waitingMax = 1;
        exchange(get("/b"));
        assertTrue(answerNext().endsWith("lane /b"));
    }

    @Test
    void aJobThatWasNotRunIsSaid() {
        exchange(get("/a") + get("/loop/b"));
        lane.expireOldest();
        String wire = delivered();
        assertEquals(List.of("503", "200"), statuses(wire));
        assertTrue(wire.contains("Retry-After: 1\r\n"), wire);
        assertEquals(1, bench.laneRefusals);
    }

    @Test
    void aJobThatNoThreadTakesIsAnsweredAndItsSlotWaits() {
        Bench bounded = bench(config(1, 1 << 20, SECOND_NS));
        ReadyWork waiting = bounded.admit(peer);
        peer.send(get("/a"));
        bounded.run(waiting, peer);
        bounded.advanceMs(1000);
        assertEquals("", peer.takeWritten());
        bounded.advanceMs(1100);
        bounded.run(waiting, peer);
        String wire = peer.takeWritten();
        assertEquals(List.of("503"), statuses(wire));
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertFalse(bounded.connections.hasRoom());
        peer.sendFin();
        bounded.run(waiting, peer);
        assertTrue(peer.closed);
        assertFalse(bounded.connections.hasRoom(), "its job still stands in the queue");
        assertNull(lane.take(0), "it was answered already");
        bounded.deliver();
        assertTrue(bounded.connections.hasRoom());
    }

    @Test
    void aRecalledJobThatComesBackFirstLeavesTheConnectionItsEnd() {
        Bench bounded = bench(config(1, 1 << 20, SECOND_NS));
        ReadyWork waiting = bounded.admit(peer);
        peer.send(get("/a"));
        bounded.run(waiting, peer);
        bounded.advanceMs(2100);
        lane.take(0);
        bounded.deliver();
        assertFalse(peer.closed);
        assertEquals(List.of("503"), statuses(peer.takeWritten()));
        peer.sendFin();
        bounded.run(waiting, peer);
        assertTrue(peer.closed && bounded.connections.hasRoom());
    }

    @Test
    void aHandlerThatThrowsThereIsAnsweredAsHere() {
        exchange(get("/a") + get("/loop/b"));
        lane.fail(lane.take(0), new IllegalStateException("as asked"));
        String wire = delivered();
        assertEquals(List.of("500"), statuses(wire));
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertEquals(List.of("GET /a as asked"), bench.failures);
    }

    @Test
    void anErrorThereIsOneOfTheLoop() {
        exchange(get("/a"));
        Error fatal = new Error("as asked");
        lane.fail(lane.take(0), fatal);
        assertSame(fatal, assertThrows(Error.class, bench::deliver));
    }

    @Test
    void aStreamBegunThereIsRefusedByName() {
        exchange(get("/events") + get("/loop/b"));
        lane.answer(lane.take(3), Response.status(200)
                .events("c", StreamPolicy.LATEST, false, List.of()).build());
        String wire = delivered();
        assertEquals(List.of("409"), statuses(wire));
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertEquals(List.of("loop=0 thread=3 /events"), bench.refusedStreams);
        ScriptedTransport other = new ScriptedTransport();
        ReadyWork another = bench.admit(other);
        other.send(get("/ws"));
        bench.run(another, other);
        lane.answer(lane.take(2), Response.status(200).webSocket("", 0).build());
        bench.deliver();
        assertEquals(List.of("409"), statuses(other.takeWritten()));
    }

    @Test
    void aDrainWaitsForTheJobAndItsAnswerCloses() {
        exchange(get("/a"));
        bench.stop.ask();
        bench.connections.beginDrain();
        bench.advanceMs(3000);
        assertFalse(peer.closed, "a job makes no progress that could be seen");
        assertFalse(bench.connections.isDrained());
        String wire = answerNext();
        assertTrue(wire.contains("Connection: close\r\n") && wire.endsWith("lane /a"), wire);
        assertTrue(bench.connections.isDrained());
    }

    @Test
    void theAnswerWaitsForThoseBeforeItToLeave() {
        peer.room = 40;
        peer.send(get("/loop/first") + get("/second"));
        bench.run(connection, peer);
        lane.answer(lane.take(0), Response.text(200, "second"));
        bench.deliver();
        String begun = peer.takeWritten();
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        String wire = begun + peer.takeWritten();
        assertEquals(List.of("200", "200"), statuses(wire));
        assertTrue(wire.indexOf("loop /loop/first") < wire.indexOf("second", wire.indexOf("/first")
                + "/first".length()), wire);
        assertTrue(exchange(get("/loop/third")).endsWith("loop /loop/third"));
    }

    @Test
    void requestsThatWaitAreBoundedInSum() {
        Bench small = bench(config(100, 3000, 0));
        List<ScriptedTransport> peers = new ArrayList<>();
        for (int index = 0; index < 8; index++) {
            ScriptedTransport one = new ScriptedTransport();
            ReadyWork each = small.admit(one);
            one.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 600\r\n\r\n" + "b".repeat(600));
            small.run(each, one);
            peers.add(one);
        }
        assertTrue(lane.waiting() > 0 && lane.waiting() < 8, "waiting=" + lane.waiting());
        assertEquals(List.of("503"), statuses(peers.get(7).takeWritten()));
        while (lane.waiting() > 0) {
            lane.answer(lane.take(0), Response.text(200, "ok"));
        }
        small.deliver();
        assertEquals(List.of("200"), statuses(peers.get(0).takeWritten()));
    }

    @Test
    void whatWaitsBehindARequestIsNotRefusedInItsPlace() {
        Bench small = bench(config(100, 3000, 0));
        ReadyWork each = small.admit(peer);
        peer.send(get("/a") + "GET /loop HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(5000) + "\r\n\r\n");
        small.run(each, peer);
        assertEquals(List.of(ProtocolViolation.MEMORY_SHORT), small.violations);
        assertEquals("", peer.takeWritten(), "the answer that is due is the job's");
        assertTrue(peer.closed);
        assertNull(lane.take(0), "nobody waits for it");
        small.deliver();
        assertEquals(0, small.connections.live());
    }

    @Test
    void chunksOfAnAnswerNobodyGetsAreClosed() {
        Source source = new Source();
        exchange(get("/a"));
        Job job = lane.take(0);
        bench.connections.closeAll();
        lane.answer(job, Response.status(200).chunks(source).build());
        bench.deliver();
        assertEquals(1, source.closed);
    }

    @Test
    void chunksAreServedFromThere() {
        Source source = new Source();
        exchange(get("/a"));
        lane.answer(lane.take(0), Response.status(200).chunks(source).build());
        assertTrue(delivered().endsWith("4\r\npart\r\n0\r\n\r\n"));
        assertEquals(1, source.closed);
    }

    private static final class Source implements ChunkSource {
        private int closed;

        @Override
        public boolean next(ByteBuffer into) {
            into.put("part".getBytes());
            return false;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void theRecordSaysWhoAnsweredAndHowLongItWaited() {
        exchange(get("/a"));
        clock.advanceMs(20);
        answerNext();
        ExchangeRecord record = bench.records.get(0);
        assertEquals(1, record.thread());
        assertEquals(20_000_000L, record.waitNs());
        exchange(get("/loop/b"));
        assertEquals(-1, bench.records.get(1).thread());
        assertEquals(0, bench.records.get(1).waitNs());
    }

    @Test
    void theLoopDoesNotWaitWhileALaneIsToBeLookedAt() {
        bench.connections.beginPass(clock.nowNs);
        assertNotEquals(0, bench.connections.runTimers());
        lane.lookAgain = 5_000;
        assertEquals(0, bench.connections.runTimers());
    }

    @Test
    void completionsAreMailAndTakenByTurns() {
        List<ScriptedTransport> peers = new ArrayList<>();
        for (int index = 0; index < 300; index++) {
            ScriptedTransport one = new ScriptedTransport();
            ReadyWork each = bench.admit(one);
            one.send(get("/a"));
            bench.run(each, one);
            peers.add(one);
        }
        while (lane.waiting() > 0) {
            lane.answer(lane.take(0), Response.text(200, "ok"));
        }
        assertTrue(bench.connections.hasMail());
        assertTrue(bench.connections.runMail(), "a crowd shares the loop");
        assertFalse(bench.connections.runMail());
        assertFalse(bench.connections.hasMail());
        for (ScriptedTransport one : peers) {
            assertEquals(List.of("200"), statuses(one.takeWritten()));
        }
    }
}
