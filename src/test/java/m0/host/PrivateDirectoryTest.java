package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {
    @TempDir
    private Path parent;

    @Test
    void isThisUsersAloneAndGoneWithAllThatIsInIt() throws IOException {
        PrivateDirectory made = PrivateDirectory.make(parent);
        assertEquals("rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(made.path())));
        assertEquals("rw-------", PosixFilePermissions.toString(
                Files.getPosixFilePermissions(made.resolve("lock"))));
        Files.writeString(Files.createDirectories(made.resolve("below")).resolve("file"), "x");
        made.close();
        assertFalse(Files.exists(made.path()));
        made.close();
    }

    @Test
    void whatNobodyHoldsIsReclaimed() throws IOException {
        Path left = Files.createDirectory(parent.resolve("m0w123"));
        Files.writeString(left.resolve("lock"), "");
        Files.writeString(left.resolve("page"), "x");
        try (PrivateDirectory made = PrivateDirectory.make(parent)) {
            assertFalse(Files.exists(left));
            assertTrue(Files.exists(made.path()));
        }
    }

    /** Its maker may be between two steps, or it is somebody else's. */
    @Test
    void whatWasNeverLockedIsLeftAlone() throws IOException {
        Path other = Files.createDirectory(parent.resolve("m0w124"));
        PrivateDirectory.make(parent).close();
        assertTrue(Files.exists(other));
    }

    @Test
    void whatIsHeldIsLeftAlone() throws IOException {
        try (PrivateDirectory first = PrivateDirectory.make(parent)) {
            PrivateDirectory.make(parent).close();
            assertTrue(Files.exists(first.resolve("lock")));
        }
    }
}
