package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlLineTest {
    private static final String END = "(end)";

    @TempDir
    private Path directory;
    private final BlockingQueue<ControlLine> connected = new LinkedBlockingQueue<>();

    private static final class Ears implements ControlLine.Hearer {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @Override
        public void onLine(String line) {
            heard.add(line);
        }

        @Override
        public void onEnd() {
            heard.add(END);
        }

        String next() throws InterruptedException {
            return heard.poll(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aReasonOfSeveralLinesIsOneAndTheSameAgain() {
        String said = ControlLine.joined("it\u2028fails", List.of("    at a", "    at b"));
        assertEquals(said, Printable.text(said));
        assertEquals(List.of("it?fails", "    at a", "    at b"), ControlLine.parted(said));
        assertEquals(List.of(""), ControlLine.parted(""));
    }

    @Test
    void linesComeWholeEachWayAndThenTheEnd() throws IOException, InterruptedException {
        Path socket = directory.resolve("control");
        try (ControlDoor door = ControlDoor.open(socket, connected::add)) {
            assertEquals("rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
            ControlLine worker = ControlLine.connect(socket);
            ControlLine supervisor = connected.poll(20, TimeUnit.SECONDS);
            Ears workers = new Ears();
            Ears supervisors = new Ears();
            worker.hear("worker", workers);
            supervisor.hear("supervisor", supervisors);
            assertTrue(worker.say("hello 1 4711"));
            assertTrue(worker.say("refused it cannot\nbe \u00e9"));
            assertTrue(supervisor.say("serve"));
            assertEquals("hello 1 4711", supervisors.next());
            assertEquals("refused it cannot?be \u00e9", supervisors.next());
            assertEquals("serve", workers.next());
            supervisor.close();
            assertEquals(END, workers.next());
            assertFalse(supervisor.say("stop"));
        }
    }

    @Test
    void aLineTooLongIsCut() throws IOException, InterruptedException {
        Path socket = directory.resolve("control");
        try (ControlDoor door = ControlDoor.open(socket, connected::add)) {
            ControlLine worker = ControlLine.connect(socket);
            Ears supervisors = new Ears();
            connected.poll(20, TimeUnit.SECONDS).hear("supervisor", supervisors);
            worker.say("x".repeat(ControlLine.LINE_BYTES_MAX + 100));
            assertEquals(ControlLine.LINE_BYTES_MAX, supervisors.next().length());
            worker.say("next");
            assertEquals("next", supervisors.next());
            worker.close();
            assertEquals(END, supervisors.next());
        }
    }
}
