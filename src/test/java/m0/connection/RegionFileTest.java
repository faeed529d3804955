package m0.connection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import m0.http.Body;
import m0.http.FileState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** J204: what is exchanged between the look at a file and its opening. */
@Timeout(60)
class RegionFileTest {
    private static final long ROUNDS_NS = TimeUnit.SECONDS.toNanos(2);
    /** Either side may stand still for seconds. */
    private static final long ROUNDS_NS_MAX = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private Path directory;

    /** The file is there, a link that leads nowhere is, the file is again, and so on. */
    @Test
    void aFileThatIsGoneForAMomentIsNoFailure() throws Exception {
        Path kept = Files.writeString(directory.resolve("kept"), "here");
        Path name = directory.resolve("name");
        FileState state = FileState.of(Files.readAttributes(kept, BasicFileAttributes.class));
        Body.FileRegion region = new Body.FileRegion(name, 0, 4, state);
        AtomicBoolean over = new AtomicBoolean();
        Thread mover = new Thread(() -> takeTurns(kept, name, over));
        int opened = 0;
        int missed = 0;
        long sinceNs = System.nanoTime();
        mover.start();
        try {
            long passedNs = 0;
            while (passedNs < ROUNDS_NS
                    || (opened == 0 || missed == 0) && passedNs < ROUNDS_NS_MAX) {
                try (FileChannel file = RegionFile.open(region)) {
                    opened += file == null ? 0 : 1;
                    missed += file == null ? 1 : 0;
                }
                passedNs = System.nanoTime() - sinceNs;
            }
        } finally {
            over.set(true);
            mover.join();
        }
        assertTrue(opened > 0 && missed > 0,
                "nothing was exchanged meanwhile: " + opened + " opened, " + missed + " missed");
    }

    private void takeTurns(Path kept, Path name, AtomicBoolean over) {
        Path next = directory.resolve("next");
        try {
            for (int turn = 0; !over.get(); turn++) {
                if (turn % 2 == 0) {
                    Files.createLink(next, kept);
                } else {
                    Files.createSymbolicLink(next, directory.resolve("nowhere"));
                }
                Files.move(next, name, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
