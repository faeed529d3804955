package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import m0.http.Request;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.Requests;
import org.junit.jupiter.api.Test;

class HostLogTest {
    private final Said said = new Said();
    private final HostLog log = said.log;

    @Test
    void writesALineInOneWrite() {
        log.line("listening");
        assertEquals("host: listening\n", said.text());
        assertEquals(1, said.writes());
    }

    @Test
    void escapesWhatCouldEndALineOrSteerATerminal() {
        log.line("a\nhost: forged\r\u001b[31m\u0000\u007f\u009b\u2028\u2029é\"\\");
        assertEquals("host: a\\u000ahost: forged\\u000d\\u001b[31m\\u0000\\u007f\\u009b\\u2028"
                + "\\u2029é\"\\\n", said.text());
    }

    @Test
    void failureNamesMethodPathExceptionAndFirstFrame() {
        log.onApplicationFailure(3, Requests.get("/a%0ab?secret=1"),
                new IllegalStateException("line one\nline two"));
        assertEquals("host: loop=3 GET /a%0ab failed: java.lang.IllegalStateException:"
                + " line one\\u000aline two", said.lines().get(0));
        assertTrue(said.lines().get(1).startsWith("    at "), said.text());
        assertTrue(said.lines().get(1).contains("HostLogTest.failureNames"), said.text());
        assertEquals(1, said.writes());
        assertFalse(said.text().contains("secret"), said.text());
    }

    @Test
    void failureShowsSoManyFramesAndSaysHowManyMore() {
        log.onApplicationFailure(0, Requests.get("/"), thrownFromDepth(100));
        long frames = said.lines().stream().filter(line -> line.startsWith("    at ")).count();
        assertEquals(HostLog.FRAMES_MAX, frames);
        assertTrue(said.text().matches("(?s).*    and \\d+ more\n"), said.text());
    }

    @Test
    void failureShowsNothingBelowTheHostsCall() {
        var failure = new IllegalStateException("x");
        failure.setStackTrace(new StackTraceElement[] {frame("app.View", "show"),
            frame("m0.telemetry.OperatorHandler", "handle"),
            frame("m0.connection.Connection", "dispatch"), frame("m0.loop.Loop", "runPass"),
            frame("m0.connection.Connection", "onReady")});
        log.onApplicationFailure(0, Requests.get("/"), failure);
        assertEquals(List.of("host: loop=0 GET / failed: java.lang.IllegalStateException: x",
                "    at app.View.show(Source.java:1)",
                "    at m0.telemetry.OperatorHandler.handle(Source.java:1)",
                "    at m0.connection.Connection.dispatch(Source.java:1)",
                "    and 2 more"), said.lines());
    }

    @Test
    void failureNamesItsCausesUpToABound() {
        var failure = new RuntimeException("0", new RuntimeException("1",
                new RuntimeException("2", new RuntimeException("3", new RuntimeException("4")))));
        log.onApplicationFailure(0, Requests.get("/"), failure);
        for (int cause = 1; cause <= HostLog.CAUSES_MAX; cause++) {
            assertTrue(said.lines().contains("    caused by java.lang.RuntimeException: " + cause),
                    said.text());
        }
        assertFalse(said.text().contains("RuntimeException: 4"), said.text());
    }

    @Test
    void failureWithoutMessageIsNamedByItsClass() {
        log.onApplicationFailure(0, Requests.get("/"), new IllegalStateException());
        assertEquals("host: loop=0 GET / failed: java.lang.IllegalStateException",
                said.lines().get(0));
    }

    @Test
    void failureWhoseMessageThrowsIsLoggedAllTheSame() {
        log.onApplicationFailure(0, Requests.get("/"), new Unreadable());
        assertTrue(said.lines().get(0).endsWith("Unreadable (its message cannot be read:"
                + " java.lang.UnsupportedOperationException)"), said.text());
    }

    @Test
    void messageThatExhaustsTheStackIsLoggedAllTheSame() {
        log.lineWithFailure("loop 0 ended", new Error("over", new Endless()));
        assertTrue(said.text().contains("Endless (its message cannot be read:"
                + " java.lang.StackOverflowError)\n"), said.text());
    }

    @Test
    void whatEndsALoopIsToldWithABoundedStackAndItsCauses() {
        log.lineWithFailure("loop 0 ended, while it answered GET /a\nb",
                new Error("over", thrownFromDepth(100)) {
                    private static final long serialVersionUID = 1;

                    @Override
                    public StackTraceElement[] getStackTrace() {
                        return thrownFromDepth(2000).getStackTrace();
                    }
                });
        assertEquals("host: loop 0 ended, while it answered GET /a\\u000ab", said.lines().get(0));
        int cause = said.lines().indexOf("    caused by java.lang.IllegalStateException: deep");
        assertEquals(HostLog.FRAMES_MAX, said.lines().subList(0, cause).stream()
                .filter(line -> line.startsWith("    at ")).count());
        assertTrue(said.lines().get(cause - 1).matches("    and \\d+ more"), said.text());
        assertEquals(1, said.writes());
    }

    @Test
    void longPathsAndMessagesAreCut() {
        log.onApplicationFailure(0, Requests.get("/" + "p".repeat(4000)),
                new IllegalStateException("m".repeat(4000)));
        String first = said.lines().get(0);
        assertTrue(first.length() < 1700, first);
        assertTrue(first.contains("p… failed: "), first);
        assertTrue(first.endsWith("m…"), first);
    }

    @Test
    void failuresBeyondTheBudgetAreCountedAndSaidWithTheNext() {
        Request request = Requests.get("/");
        for (int count = 0; count < HostLog.FAILURES_PER_SECOND + 7; count++) {
            log.onApplicationFailure(0, request, new IllegalStateException("early"));
        }
        assertEquals(HostLog.FAILURES_PER_SECOND, entries());
        said.clock.forwardMs(1000);
        log.onApplicationFailure(0, request, new IllegalStateException("late"));
        assertEquals(HostLog.FAILURES_PER_SECOND + 1, entries());
        assertTrue(said.lines().contains("host: passed over 7 failures of the application"
                + " (at most 20 a second are told)"), said.text());
    }

    @Test
    void closeSaysWhatWasPassedOver() {
        for (int count = 0; count < HostLog.FAILURES_PER_SECOND + 2; count++) {
            log.onApplicationFailure(0, Requests.get("/"), new IllegalStateException("again"));
        }
        log.close();
        assertTrue(said.lines().get(said.lines().size() - 1)
                .startsWith("host: passed over 2 failures"), said.text());
        int lines = said.lines().size();
        log.close();
        assertEquals(lines, said.lines().size());
    }

    @Test
    void limitNamesSettingAndFlag() {
        log.onLimit(1, ProtocolViolation.BODY_TOO_LARGE);
        assertEquals("host: loop=1 refused a request with 413: the body is too large"
                + " (raise --max-body, M0_MAX_BODY)\n", said.text());
    }

    @Test
    void limitWithoutASettingNamesNone() {
        log.onLimit(0, ProtocolViolation.TOO_MANY_FIELDS);
        assertEquals("host: loop=0 refused a request with 431: the head has too many fields\n",
                said.text());
    }

    @Test
    void acceptFailureNamesTheFix() {
        log.onAcceptFailed(0, "Too many open files");
        assertEquals("host: loop=0 cannot accept: Too many open files (raise the limit of open"
                + " files, ulimit -n, or lower --max-connections, M0_MAX_CONNECTIONS)\n",
                said.text());
    }

    @Test
    void drainCutNamesHowManyAndTheBound() {
        log.onDrainCut(2, 17, 5_000_000_000L);
        assertEquals("host: loop=2 abandoned 17 connections after 5000 ms"
                + " (raise --drain-timeout-ms, M0_DRAIN_TIMEOUT_MS)\n", said.text());
    }

    @Test
    void wantsNoExchanges() {
        assertFalse(log.wantsExchanges());
    }

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "Source.java", 1);
    }

    private long entries() {
        return said.lines().stream().filter(line -> line.contains(" failed: ")).count();
    }

    private static RuntimeException thrownFromDepth(int depth) {
        return depth == 0 ? new IllegalStateException("deep") : thrownFromDepth(depth - 1);
    }

    private static final class Endless extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            return getMessage() + "x";
        }
    }

    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException();
        }
    }
}
