package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void aRefusalIsItsMessageAndItsCausesAndAnythingElseHasAStack() {
        var cause = new IllegalArgumentException("no date");
        var refusal = new IllegalStateException("no licence", cause);
        assertEquals("no licence", Failure.thrown(refusal));
        assertEquals(List.of("    caused by java.lang.IllegalArgumentException: no date"),
                Failure.below(refusal));
        assertFalse(Failure.isRefusal(new IllegalStateException("")), "without a message");
        var subclass = new NumberFormatException("a word");
        assertEquals("java.lang.NumberFormatException: a word", Failure.thrown(subclass));
        assertTrue(Failure.below(subclass).get(0).startsWith("    at m0.host.FailureTest."),
                () -> Failure.below(subclass).toString());
        Exception jdks = assertThrows(IllegalArgumentException.class, () -> Map.of("a", 1, "a", 2));
        assertFalse(Failure.isRefusal(jdks), "of the JDK");
        jdks = new IllegalStateException("server in wrong state");
        jdks.setStackTrace(new StackTraceElement[] {new StackTraceElement(null, "jdk.httpserver",
                "17", "sun.net.httpserver.ServerImpl", "start", "ServerImpl.java", 1)});
        assertFalse(Failure.isRefusal(jdks), "of another of its modules");
    }

    @Test
    void whatOnlyNamesWhereItCameFromIsNoCauseOfItsOwn() {
        var refusal = new IllegalStateException("no licence", new IOException("no file"));
        assertEquals(List.of("    caused by java.io.IOException: no file"),
                Failure.below(new IllegalStateException("mount /a: no licence", refusal)));
        List<String> fault = Failure.below(new IllegalStateException(
                "mount /a: java.lang.NullPointerException", new NullPointerException()));
        assertEquals("    caused by java.lang.NullPointerException", fault.get(0));
        assertTrue(fault.get(1).startsWith("    at m0.host.FailureTest."), fault::toString);
        List<String> file = Failure.below(new IllegalStateException("mount /a: /x",
                new NoSuchFileException("/x")));
        assertTrue(file.get(1).startsWith("    at m0.host.FailureTest."), file::toString);
    }

    /** Whose exception class is broken is told what its line says, and the exit code stays. */
    @Test
    void whatCannotBeReadHasNothingBelow() {
        Exception broken = new Exception("no licence") {
            private static final long serialVersionUID = 1;

            @Override
            public synchronized Throwable getCause() {
                throw new UnsupportedOperationException();
            }
        };
        assertEquals(List.of(),
                new StartRefusedException("said", ExitCode.REFUSED, broken).below());
        assertEquals(List.of(), new StartRefusedException("said", ExitCode.REFUSED, null).below());
    }

    @Test
    void saysTheMessageOrTheTypeOrBothWhereOneIsNotEnough() {
        assertEquals("no licence", Failure.line(new IOException("no licence")));
        assertEquals("java.io.IOException", Failure.line(new IOException()));
        assertEquals("java.lang.LinkageError: x", Failure.line(new LinkageError("x")));
        assertEquals("java.nio.file.NoSuchFileException: assets",
                Failure.line(new NoSuchFileException("assets")));
    }
}
