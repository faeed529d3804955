package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import m0.page.Page;
import m0.page.Seat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** E242: which processes are gone. */
@Timeout(60)
class SystemLivesTest {
    private final Seat seat = Page.inMemory(1, 0).seat(0);
    private final SystemLives lives = new SystemLives();

    @Test
    void whoSitsHereLives() throws IOException {
        assertFalse(lives.isGone(seat), "nobody sat down yet");
        SystemLives.sit(seat);
        assertEquals(ProcessHandle.current().pid(), seat.pid());
        assertFalse(lives.isGone(seat));
    }

    @Test
    void aPidThatAnotherProcessHasByNowIsNotIt() throws IOException {
        SystemLives.sit(seat);
        assumeTrue(seat.started() > 0, "the machine does not say when processes were started");
        seat.sit(seat.pid(), seat.started() - 1);
        assertTrue(lives.isGone(seat));
    }

    @Test
    void whoHasEndedIsGone() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        seat.sit(process.pid(), SystemLives.started(process.pid()));
        assertFalse(lives.isGone(seat));
        process.destroyForcibly().waitFor();
        assertTrue(lives.isGone(seat));
    }

    /** Its parent, which became another program, never asks for it. */
    @Test
    void whoHasEndedAndIsOnlyNotBuriedIsGone() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "processes are not listed");
        Process parent = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; exec sleep 60")
                .start();
        try {
            long pid = Long.parseLong(new BufferedReader(
                    new InputStreamReader(parent.getInputStream())).readLine());
            seat.sit(pid, SystemLives.started(pid));
            assertFalse(lives.isGone(seat));
            awaitExec(parent.pid());
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            for (int look = 0; look < 6000 && !lives.isGone(seat); look++) {
                Thread.sleep(5);
            }
            assertTrue(Files.exists(Path.of("/proc/" + pid)), "vacuous: it was buried");
            assertTrue(lives.isGone(seat));
        } finally {
            parent.destroyForcibly();
        }
    }

    /** A shell that has not yet become the other program would bury its child. */
    private static void awaitExec(long pid) throws Exception {
        Path name = Path.of("/proc/" + pid + "/comm");
        while (!Files.readString(name).equals("sleep\n")) {
            Thread.sleep(5);
        }
    }
}
