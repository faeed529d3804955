package m0.bus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import m0.page.Seat;

/**
 * What the operating system knows of processes.
 *
 * <p>On Linux a process is told from a later one with its pid by the time it was started, in ticks
 * since the machine's start; a time of day would not do, since the JDK finds out in each process
 * anew when the machine started. Elsewhere a pid that nobody has is all there is to see.
 */
final class SystemLives implements Lives {
    private static final Path PROCESSES = Path.of("/proc");
    private static final String STAT = "stat";
    /** Counted from behind the command's name, which may contain anything. */
    private static final int STATE = 0;
    private static final int THREADS = 17;
    private static final int STARTED = 19;

    /** This process takes that seat. */
    static void sit(Seat seat) throws IOException {
        long pid = ProcessHandle.current().pid();
        seat.sit(pid, started(pid));
    }

    /** When that process was started; 0 where nobody can tell. */
    static long started(long pid) throws IOException {
        return isListed() ? Long.parseLong(stat(pid)[STARTED]) : 0;
    }

    private static boolean isListed() {
        return Files.exists(PROCESSES.resolve("self").resolve(STAT));
    }

    private static String[] stat(long pid) throws IOException {
        String line = Files.readString(
                PROCESSES.resolve(Long.toString(pid)).resolve(STAT), StandardCharsets.ISO_8859_1);
        return line.substring(line.lastIndexOf(')') + 2).split(" ");
    }

    @Override
    public boolean isGone(Seat seat) {
        long pid = seat.pid();
        if (pid == 0) {
            return false;
        }
        if (!isListed()) {
            return ProcessHandle.of(pid).isEmpty();
        }
        try {
            String[] stat = stat(pid);
            return Long.parseLong(stat[STARTED]) != seat.started() || isDead(stat);
        } catch (NoSuchFileException nobody) {
            return true;
        } catch (IOException ending) {
            // It went while it was read, or is not ours to read; the next look will tell.
            return false;
        }
    }

    /** All its threads have ended, and only its parent has not been told. */
    private static boolean isDead(String[] stat) {
        return (stat[STATE].equals("Z") || stat[STATE].equals("X"))
                && Integer.parseInt(stat[THREADS]) <= 1;
    }
}
