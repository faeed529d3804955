package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import m0.loop.Clock;
import m0.telemetry.HostLog;
import m0.telemetry.LineWriter;
import org.junit.jupiter.api.Test;

class LaneLogTest {
    @Test
    void ofSeveralLanesEachIsNamed() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        HostLog log = new HostLog(new LineWriter(new PrintStream(said, true)), Clock.SYSTEM);
        new LaneLog(0, 3, log).onCloseFailed(2, 1, new IllegalStateException("still in use"));
        log.flush(20_000);
        assertEquals("host: loop=0 lane=2 thread=1 the application's close threw: still in use\n",
                said.toString(StandardCharsets.UTF_8));
    }

    /** Each request has it throw, so a client could fill the log. */
    @Test
    void linesOfAnExecutorThatFailsAreBounded() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        HostLog log = new HostLog(new LineWriter(new PrintStream(said, true)), Clock.SYSTEM);
        LaneLog lane = new LaneLog(0, 2, log);
        for (int count = 0; count < 200; count++) {
            lane.onExecutorFailed(1, new IllegalStateException("broken"));
        }
        log.flush(20_000);
        String all = said.toString(StandardCharsets.UTF_8);
        long lines = all.lines()
                .filter(line -> line.contains("loop=0 the executor of lane 1 failed")).count();
        assertTrue(lines > 0 && lines < 100, all);
    }

    /** A client that asks again and again could fill the log. */
    @Test
    void linesOfWhatIsThrownBehindAnAnswerAreBoundedAndCounted() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        HostLog log = new HostLog(new LineWriter(new PrintStream(said, true)), Clock.SYSTEM);
        LaneLog lane = new LaneLog(0, 2, log);
        for (int count = 0; count < 200; count++) {
            lane.onThrowBehindAnswer(1, 3, new IllegalStateException("too late"));
        }
        log.close();
        log.flush(20_000);
        String all = said.toString(StandardCharsets.UTF_8);
        long lines = all.lines().filter(line -> line.equals("host: loop=0 lane=1 thread=3 behind its"
                + " answer failed: java.lang.IllegalStateException: too late")).count();
        assertTrue(lines > 0 && lines < 100, () -> lines + " lines of 200 in " + all);
        assertTrue(all.contains("host: passed over "), all);
    }

    @Test
    void aCloseThatThrowsIsToldWithThreadAndLoop() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        HostLog log = new HostLog(new LineWriter(new PrintStream(said, true)), Clock.SYSTEM);
        LaneLog lane = new LaneLog(3, 1, log);
        lane.onWaiting(0, 1);
        lane.onCloseFailed(0, 2, new IllegalStateException("still in use"));
        log.flush(20_000);
        assertEquals("host: loop=3 thread=2 the application's close threw: still in use\n",
                said.toString(StandardCharsets.UTF_8));
    }
}
