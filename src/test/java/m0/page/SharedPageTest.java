package m0.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import m0.app.PageWords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** E241, G20: a page that supervisor and workers map from a file, here twice by one process. */
class SharedPageTest {
    @TempDir
    Path directory;

    private Path file;
    private Page supervisors;
    private Page workers;

    @BeforeEach
    void make() throws IOException {
        file = directory.resolve(Page.FILE);
        supervisors = Page.create(file, 3, 20, 5);
        workers = Page.open(file, 3, 20, 5);
    }

    @Test
    void whatOneWritesTheOtherReads() {
        workers.lastEventId(7);
        workers.producer(Page.ProducerState.UP);
        workers.line(2).begin();
        workers.line(2).active(4);
        workers.line(2).addPending(2);
        workers.line(2).countFrameRefused();
        workers.counters(1).add(19, 3);
        workers.counters(1).addShared(18, 5);
        workers.words().set(4, 9);
        workers.seat(3).sit(12, 34);
        assertEquals(7, supervisors.lastEventId());
        assertEquals(Page.ProducerState.UP, supervisors.producer());
        assertTrue(supervisors.line(2).isServing());
        assertEquals(6, supervisors.line(2).load());
        assertEquals(1, supervisors.line(2).framesRefused());
        assertEquals(3, supervisors.counters(1).get(19));
        assertEquals(5, supervisors.counters(1).get(18));
        assertEquals(9, supervisors.words().get(4));
        assertEquals(46, supervisors.seat(3).pid() + supervisors.seat(3).started());
        assertEquals(0, supervisors.publishing());
        assertTrue(workers.tryPublishing(0, workers.seat(1).mark()));
        assertFalse(supervisors.tryPublishing(0, 5));
        assertEquals(supervisors.seat(1), supervisors.seatOf(supervisors.publishing()));
    }

    @Test
    void additionsThroughTwoMappingsAllCount() throws Exception {
        Thread other = new Thread(() -> add(workers.words()));
        other.start();
        add(supervisors.words());
        other.join();
        assertEquals(200_000, supervisors.words().get(0));
    }

    private static void add(PageWords words) {
        for (int count = 0; count < 100_000; count++) {
            words.add(0, 1);
        }
    }

    @Test
    void theFileIsItsOwnersAlone() throws IOException {
        assertEquals("rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void aFileThatIsThereIsNotTakenOver() throws IOException {
        supervisors.lastEventId(3);
        assertThrows(FileAlreadyExistsException.class, () -> Page.create(file, 3, 20, 5));
        assertEquals(3, Page.open(file, 3, 20, 5).lastEventId());
    }

    /** A worker of another build, or with other settings, would read other words. */
    @Test
    void whoHasAnotherShapeIsRefused() {
        for (int[] shape : new int[][] {{2, 20, 5}, {3, 19, 5}, {3, 20, 6}}) {
            IOException refused = assertThrows(IOException.class,
                    () -> Page.open(file, shape[0], shape[1], shape[2]));
            assertTrue(refused.getMessage().contains(", not magic"), refused.getMessage());
        }
    }

    @Test
    void whatIsNoPageIsRefused() throws IOException {
        assertThrows(NoSuchFileException.class,
                () -> Page.open(directory.resolve("none"), 3, 20, 5));
        Path cut = directory.resolve("cut");
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {0, 127, bytes.length - 8}) {
            Files.write(cut, Arrays.copyOf(bytes, length));
            assertThrows(IOException.class, () -> Page.open(cut, 3, 20, 5), "of " + length);
        }
        bytes[0]++;
        Files.write(cut, bytes);
        assertThrows(IOException.class, () -> Page.open(cut, 3, 20, 5));
    }

    @Test
    void whoIsBuriedHoldsNothingAndKeepsItsCounts() {
        LoopLine line = workers.line(1);
        line.begin();
        line.enterPass(5);
        line.active(2);
        line.addPending(3);
        line.countTaken();
        supervisors.line(1).bury();
        assertTrue(line.hasLeft());
        assertEquals(0, line.load() + line.passSinceNs());
        assertEquals(1, line.taken());
        line.begin();
        assertTrue(supervisors.line(1).isServing(), "its successor serves");
    }
}
