package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
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
        Path left = left("m0w123", "rwx------");
        try (PrivateDirectory made = PrivateDirectory.make(parent)) {
            assertFalse(Files.exists(left));
            assertTrue(Files.exists(made.path()));
        }
    }

    /** Whoever asks how much room there is counts it, and leaves it where it is. */
    @Test
    void whatWouldBeReclaimedIsCounted() throws IOException {
        Path left = left("m0w124", "rwx------");
        Files.writeString(left.resolve("frames"), "x".repeat(999));
        assertEquals(1000, PrivateDirectory.leftBehindBytes(parent));
        assertTrue(Files.exists(left));
        left("m0w128", "rwxrwxrwx");
        assertEquals(1000, PrivateDirectory.leftBehindBytes(parent));
        assertEquals(0, PrivateDirectory.leftBehindBytes(parent.resolve("nowhere")));
    }

    private Path left(String name, String mode) throws IOException {
        Path left = Files.createDirectory(parent.resolve(name));
        Files.writeString(left.resolve("lock"), "");
        Files.writeString(left.resolve("page"), "x");
        return Files.setPosixFilePermissions(left, PosixFilePermissions.fromString(mode));
    }

    /**
     * Where everybody may write, anybody may leave a directory of that name, with a lock in it that
     * does not open, or change it while it is taken away.
     */
    @Test
    void whatOthersCanEnterIsLeftAlone() throws IOException {
        Path others = left("m0w125", "rwxrwxrwx");
        PrivateDirectory.make(parent).close();
        assertTrue(Files.exists(others.resolve("page")), "another's directory was taken away");
    }

    @Test
    void whatAnotherUserOwnsIsLeftAlone() throws IOException {
        Path others = left("m0w126", "rwx------");
        UserPrincipal nobody = parent.getFileSystem().getUserPrincipalLookupService()
                .lookupPrincipalByName("nobody");
        try {
            Files.setOwner(others, nobody);
        } catch (FileSystemException notRoot) {
            assumeTrue(false, "only root can give a directory away: " + notRoot);
        }
        PrivateDirectory.make(parent).close();
        assertTrue(Files.exists(others.resolve("page")), "another's directory was taken away");
    }

    @Test
    void aLinkIsLeftAlone() throws IOException {
        Path left = left("m0l127", "rwx------");
        Path link = Files.createSymbolicLink(parent.resolve("m0w127"), left);
        PrivateDirectory.make(parent).close();
        assertTrue(Files.isSymbolicLink(link));
        assertTrue(Files.exists(left.resolve("page")));
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
