package m0.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import m0.http.Limits;
import m0.http.Response;
import m0.http.parse.ProtocolViolation;
import m0.loop.ReadyWork;
import org.junit.jupiter.api.Test;

class ConnectionEndingTest {
    private final SteppedClock ticking = new SteppedClock();
    private final Answers answers = new Answers();
    private final Bench bench = new Bench(answers);
    private final ScriptedTransport peer = new ScriptedTransport();
    private final ReadyWork connection = bench.admit(peer);

    private static String get(String path) {
        return ConnectionAnswersTest.get(path);
    }

    private String exchange(String text) {
        peer.send(text);
        bench.run(connection, peer);
        return peer.takeWritten();
    }

    private void assertOpenUntil(long ms) {
        bench.advanceMs(ms - 100);
        assertFalse(peer.closed, "closed before " + ms);
        bench.advanceMs(1_200);
    }

    @Test
    void answersEverythingSentBeforeAFinAndSaysCloseOnTheLast() {
        peer.sendFin();
        String wire = exchange(get("/a").repeat(200));
        assertEquals(200, ConnectionAnswersTest.statuses(wire).size());
        assertEquals(wire.indexOf("Connection: close"), wire.lastIndexOf("Connection: close"));
        assertTrue(wire.substring(wire.lastIndexOf("HTTP/1.1")).contains("Connection: close"));
        assertTrue(peer.closed);
    }

    @Test
    void saysCloseOnTheLastOfAPipelineLongerThanOneRead() {
        String requests = get("/a").repeat(900);
        assertTrue(requests.length() > Workbench.READ_BYTES);
        peer.sendFin();
        String wire = exchange(requests);
        assertEquals(900, ConnectionAnswersTest.statuses(wire).size());
        assertEquals(wire.indexOf("Connection: close"), wire.lastIndexOf("Connection: close"));
        assertTrue(wire.substring(wire.lastIndexOf("HTTP/1.1")).contains("Connection: close"),
                "the last answer does not say close");
    }

    @Test
    void answersStuckRequestsBehindAFin() {
        peer.room = 20;
        peer.send(get("/large") + get("/a"));
        peer.sendFin();
        bench.run(connection, peer);
        assertFalse(peer.closed);
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        String wire = peer.takeWritten();
        assertTrue(wire.endsWith("/a"), "…" + wire.substring(wire.length() - 200));
        assertTrue(peer.closed);
    }

    @Test
    void idleIsWhatWaitsForANextRequestAndNothingElse() {
        assertEquals(0, bench.idle, "it has not sent a first one");
        exchange(get("/a"));
        assertEquals(1, bench.idle);
        exchange(get("/a") + "GET /b HT");
        assertEquals(0, bench.idle, "a next one has begun");
        exchange("TP/1.1\r\nHost: x\r\n\r\n");
        assertEquals(1, bench.idle);
        peer.sendFin();
        bench.run(connection, peer);
        assertTrue(peer.closed);
        assertEquals(0, bench.idle);
    }

    @Test
    void aBrokenRuleIsToldEachTimeAndItsLimitOnce() {
        exchange("GET /a HTTP/1.1\r\n\r\n");
        for (int count = 0; count < 2; count++) {
            ScriptedTransport other = new ScriptedTransport();
            ReadyWork next = bench.admit(other);
            other.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n");
            bench.run(next, other);
        }
        assertEquals(List.of(ProtocolViolation.HOST_MISSING, ProtocolViolation.BODY_TOO_LARGE,
                ProtocolViolation.BODY_TOO_LARGE), bench.violations);
        assertEquals(List.of(ProtocolViolation.BODY_TOO_LARGE), bench.limits);
    }

    @Test
    void neverRunsARequestThatAFinCutShort() {
        exchange(get("/a") + "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf");
        peer.sendFin();
        bench.run(connection, peer);
        assertEquals(1, answers.handled);
        assertTrue(peer.closed);
    }

    @Test
    void aResetCostsThatConnectionAlone() {
        ScriptedTransport other = new ScriptedTransport();
        ReadyWork second = bench.admit(other);
        peer.readFails = true;
        bench.run(connection, peer);
        assertTrue(peer.closed);
        assertEquals(1, bench.connections.live());
        other.send(get("/b"));
        bench.run(second, other);
        assertTrue(other.takeWritten().endsWith("/b"));
    }

    @Test
    void closesAConnectionThatNeverSendsAByteUnanswered() {
        assertOpenUntil(10_000);
        assertTrue(peer.closed);
        assertEquals("", peer.takeWritten());
    }

    @Test
    void refusesAHeadThatTricklesAtItsAbsoluteDeadline() {
        bench.advanceMs(5_000);
        String head = get("/a");
        for (int i = 0; i < 9; i++) {
            assertEquals("", exchange(head.substring(i, i + 1)));
            bench.advanceMs(1_000);
        }
        assertFalse(peer.closed);
        assertEquals("", peer.takeWritten());
        bench.advanceMs(2_100);
        assertTrue(peer.takeWritten().startsWith("HTTP/1.1 408 "));
        assertTrue(peer.outputShut);
        assertEquals(List.of(ProtocolViolation.HEADER_TIMEOUT), bench.limits);
    }

    @Test
    void refusesABodyThatDripsAndTakesOneThatIsSlowButSteady() {
        exchange("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
        for (int second = 0; second < 60; second++) {
            exchange("b".repeat(1_000));
            bench.advanceMs(1_000);
        }
        assertEquals(1, answers.handled);
        exchange("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
        for (int second = 0; second < 29; second++) {
            exchange("b");
            bench.advanceMs(1_000);
        }
        assertEquals("", peer.takeWritten());
        bench.advanceMs(2_100);
        assertTrue(peer.takeWritten().startsWith("HTTP/1.1 408 "));
        assertEquals(List.of(ProtocolViolation.BODY_TIMEOUT), bench.limits);
        assertEquals(1, answers.handled);
    }

    @Test
    void closesAQuietConnectionAtItsIdleDeadline() {
        exchange(get("/a"));
        assertOpenUntil(75_000);
        assertTrue(peer.closed);
    }

    @Test
    void anIdleDeadlineBeginsWhenTheAnswerIsThereAndNotWithItsPass() {
        Bench slow = new Bench(request -> {
            // A handler that keeps the loop for a minute.
            ticking.advanceMs(60_000);
            return Response.text(200, "late");
        }, ticking);
        ReadyWork admitted = slow.admit(peer);
        peer.send(get("/a"));
        slow.run(admitted, peer);
        slow.advanceMs(74_000);
        assertFalse(peer.closed);
        slow.advanceMs(2_200);
        assertTrue(peer.closed);
    }

    @Test
    void aDrainEndsAConnectionWhoseLargeAnswerBeganBeforeIt() {
        peer.room = 10;
        exchange(get("/large"));
        bench.stop.ask();
        bench.connections.beginDrain();
        peer.room = Long.MAX_VALUE;
        bench.run(connection, peer);
        assertTrue(peer.takeWritten().length() > 1_000_000);
        assertFalse(peer.closed);
        bench.advanceMs(100);
        assertTrue(peer.closed);
        assertTrue(bench.connections.isDrained());
    }

    @Test
    void theFirstByteOfARequestEndsTheIdleDeadline() {
        exchange(get("/a"));
        bench.advanceMs(70_000);
        exchange("G");
        bench.advanceMs(8_000);
        assertFalse(peer.closed);
        assertTrue(exchange(get("/b").substring(1)).endsWith("/b"));
        bench.advanceMs(70_000);
        assertFalse(peer.closed);
    }

    @Test
    void emptyLinesAreNoRequestAndBuyNoTime() {
        exchange(get("/a"));
        bench.advanceMs(74_000);
        exchange("\r\n");
        bench.advanceMs(2_100);
        assertTrue(peer.closed);
        assertEquals("", peer.takeWritten());
    }

    @Test
    void emptyLinesInPiecesBuyNoTimeEither() {
        for (int i = 0; i < 4; i++) {
            bench.advanceMs(2_000);
            exchange("\r");
            exchange("\n");
        }
        assertFalse(peer.closed);
        bench.advanceMs(3_100);
        assertTrue(peer.closed);
        assertEquals("", peer.takeWritten());
    }

    @Test
    void throwsAwayABoundedNumberOfBytesWhileLingering() {
        exchange("BROKEN\r\n\r\n");
        byte[] flood = new byte[16 * 1024];
        int sent = 0;
        while (!peer.closed && sent < 10_000) {
            peer.send(flood);
            bench.run(connection, peer);
            sent++;
        }
        assertEquals(64 * 1024 / 16 + 1, sent);
    }

    @Test
    void refusesWhoeverWouldMakeTheLoopHoldTooMuch() {
        ConnectionConfig small = new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0, 0, 0,
                2_000_000, 0, 0, 0, StreamConfig.DEFAULT);
        Bench tight = new Bench(small, answers);
        List<ScriptedTransport> peers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ScriptedTransport sender = new ScriptedTransport();
            ReadyWork admitted = tight.admit(sender);
            sender.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 600000\r\n\r\n");
            sender.send(new byte[500_000]);
            tight.run(admitted, sender);
            peers.add(sender);
        }
        String wire = peers.get(4).takeWritten();
        assertTrue(wire.startsWith("HTTP/1.1 503 "), wire);
        assertEquals("", peers.get(0).takeWritten());
        assertEquals(List.of(ProtocolViolation.MEMORY_SHORT), tight.limits);
        assertTrue(tight.connections.closeAll() > 0);
        ScriptedTransport next = new ScriptedTransport();
        ReadyWork admitted = tight.admit(next);
        next.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 600000\r\n\r\n");
        next.send(new byte[600_000]);
        tight.run(admitted, next);
        assertTrue(next.takeWritten().startsWith("HTTP/1.1 200 "));
    }

    @Test
    void cutsAStuckAnswerThatWouldMakeTheLoopHoldTooMuch() {
        ConnectionConfig small = new ConnectionConfig(Limits.DEFAULT, 100, 0, 0, 0, 0, 0, 0,
                300_000, 0, 0, 0, StreamConfig.DEFAULT);
        Bench tight = new Bench(small, answers);
        int cut = 0;
        for (int i = 0; i < 20; i++) {
            ScriptedTransport slow = new ScriptedTransport();
            ReadyWork admitted = tight.admit(slow);
            slow.room = 0;
            slow.send(get("/large"));
            tight.run(admitted, slow);
            cut += slow.closed ? 1 : 0;
        }
        assertTrue(cut > 0 && cut < 20, "cut " + cut);
        assertEquals(20 - cut, tight.connections.live());
        assertEquals(List.of(ProtocolViolation.MEMORY_SHORT), tight.limits);
    }

    @Test
    void aDrainClosesIdleConnectionsAtOnceAndAnswersWhatHasCome() {
        exchange(get("/a"));
        ScriptedTransport busy = new ScriptedTransport();
        ReadyWork second = bench.admit(busy);
        busy.send(get("/a"));
        bench.run(second, busy);
        busy.takeWritten();
        busy.send(get("/b"));
        bench.stop.ask();
        bench.connections.beginDrain();
        assertTrue(peer.closed);
        assertTrue(busy.takeWritten().contains("Connection: close\r\n"));
        assertTrue(busy.closed);
        assertTrue(bench.connections.isDrained());
    }

    @Test
    void aDrainWaitsASecondForWhatMakesNoProgressAndForBodiesThatArrive() {
        ScriptedTransport half = new ScriptedTransport();
        ReadyWork second = bench.admit(half);
        half.send("GET /half HT");
        bench.run(second, half);
        exchange("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\n");
        bench.stop.ask();
        bench.connections.beginDrain();
        assertFalse(half.closed);
        for (int i = 0; i < 3; i++) {
            bench.advanceMs(800);
            exchange("0123456789".substring(0, i == 2 ? 9 : 10));
        }
        assertTrue(half.closed);
        assertFalse(peer.closed);
        String wire = exchange("x");
        assertTrue(wire.startsWith("HTTP/1.1 200 "), wire);
        assertTrue(wire.contains("Connection: close\r\n"), wire);
        assertTrue(bench.connections.isDrained());
    }

    @Test
    void aStopThatWasAskedForLetsEachAnswerSayClose() {
        bench.stop.ask();
        assertTrue(exchange(get("/a")).contains("Connection: close\r\n"));
        assertTrue(peer.outputShut);
    }

    @Test
    void whatADrainsBoundCutsIsCounted() {
        peer.room = 10;
        exchange(get("/large"));
        bench.stop.ask();
        bench.connections.beginDrain();
        bench.advanceMs(3_000);
        assertFalse(peer.closed);
        assertEquals(1, bench.connections.closeAll());
        assertTrue(peer.closed);
        assertTrue(bench.connections.isDrained());
    }
}
