package m0.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineWriterTest {
    /** How many writes the reader of the stream allows. */
    private final Semaphore reads = new Semaphore(0);
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final LineWriter writer = new LineWriter(new PrintStream(new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            reads.acquireUninterruptibly();
            read.write(bytes, offset, length);
        }
    }));

    private void write(String line) {
        writer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void writesInOrder() {
        reads.release(3);
        write("one");
        write("two");
        write("three");
        assertTrue(writer.flush(30_000));
        assertEquals("one\ntwo\nthree\n", read.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aReaderWhoStopsHoldsNobodyAndWhatIsDroppedIsSaid() {
        int written = LineWriter.ENTRIES_MAX + 500;
        for (int i = 0; i < written; i++) {
            write("line " + i);
        }
        assertFalse(writer.flush(1));
        reads.release(10_000);
        assertTrue(writer.flush(30_000));
        String[] lines = read.toString(StandardCharsets.UTF_8).split("\n");
        String last = lines[lines.length - 1];
        assertTrue(last.endsWith(" lines were dropped, since stderr was not read"), last);
        int dropped = Integer.parseInt(last.split(" ")[1]);
        assertEquals(written, lines.length - 1 + dropped);
    }
}
