package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void saysTheMessageOrTheTypeOrBothWhereOneIsNotEnough() {
        assertEquals("no licence", Failure.line(new IOException("no licence")));
        assertEquals("java.io.IOException", Failure.line(new IOException()));
        assertEquals("java.lang.LinkageError: x", Failure.line(new LinkageError("x")));
        assertEquals("java.nio.file.NoSuchFileException: assets",
                Failure.line(new NoSuchFileException("assets")));
    }
}
