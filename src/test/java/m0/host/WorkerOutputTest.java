package m0.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class WorkerOutputTest {
    /** What is written, one string for each write. */
    private final List<String> writes = new ArrayList<>();
    private final PrintStream stream = new PrintStream(new ByteArrayOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int count) {
            synchronized (writes) {
                writes.add(new String(bytes, offset, count, StandardCharsets.UTF_8));
            }
        }
    };

    private String written() {
        synchronized (writes) {
            return String.join("", writes);
        }
    }

    private void relay(String... pieces) throws IOException, InterruptedException {
        Pipe pipe = Pipe.open();
        InputStream in = Channels.newInputStream(pipe.source());
        WorkerOutput output = WorkerOutput.start(in, stream, "relay");
        try (OutputStream out = Channels.newOutputStream(pipe.sink())) {
            for (String piece : pieces) {
                out.write(piece.getBytes(StandardCharsets.UTF_8));
                out.flush();
                Thread.sleep(20);
            }
        }
        output.join(20_000, 20_000);
    }

    @Test
    void linesArePassedOnWhole() throws IOException, InterruptedException {
        relay("one\ntw", "o\n", "three\nfour\nfi", "ve\n");
        assertEquals("one\ntwo\nthree\nfour\nfive\n", written());
        for (String write : writes) {
            assertEquals('\n', write.charAt(write.length() - 1), writes.toString());
        }
    }

    @Test
    void theLastLineIsPassedOnWithoutItsEnd() throws IOException, InterruptedException {
        relay("one\nlast words");
        assertEquals("one\nlast words\n", written());
    }

    @Test
    void aLineTooLongIsPassedOnInParts() throws IOException, InterruptedException {
        String line = "x".repeat(WorkerOutput.LINE_BYTES_MAX + 1000) + "\n";
        relay(line, "next\n");
        assertEquals(line + "next\n", written());
    }

    @Test
    void whatIsReadSlowlyIsWaitedFor() throws IOException, InterruptedException {
        Pipe pipe = Pipe.open();
        CountDownLatch begun = new CountDownLatch(1);
        PrintStream slow = new PrintStream(new ByteArrayOutputStream()) {
            @Override
            public void write(byte[] bytes, int offset, int count) {
                begun.countDown();
                LockSupport.parkNanos(1_500_000_000L);
                stream.write(bytes, offset, count);
            }
        };
        WorkerOutput output =
                WorkerOutput.start(Channels.newInputStream(pipe.source()), slow, "relay");
        try (OutputStream out = Channels.newOutputStream(pipe.sink())) {
            out.write("one".getBytes(StandardCharsets.UTF_8));
        }
        // A thread that has not come to read would look like one that has nothing to pass on.
        begun.await();
        output.join(200, 20_000);
        assertEquals("one\n", written());
    }

    /** By a process that the worker has started, say: nothing more may ever come. */
    @Test
    void aStreamThatIsHeldOpenIsNotWaitedFor() throws IOException, InterruptedException {
        Pipe pipe = Pipe.open();
        try (OutputStream held = Channels.newOutputStream(pipe.sink())) {
            WorkerOutput output =
                    WorkerOutput.start(Channels.newInputStream(pipe.source()), stream, "relay");
            long sinceNs = System.nanoTime();
            output.join(20, 40_000);
            assertTrue(System.nanoTime() - sinceNs < 30_000_000_000L);
            assertFalse(output.isThrough());
        }
    }

    /** Or else a supervisor runs out of descriptors, since each worker that dies has had two. */
    @Test
    void whatItReadsIsClosedAtItsEnd() throws IOException, InterruptedException {
        Pipe pipe = Pipe.open();
        WorkerOutput output =
                WorkerOutput.start(Channels.newInputStream(pipe.source()), stream, "relay");
        pipe.sink().close();
        output.join(20_000, 20_000);
        assertFalse(pipe.source().isOpen(), "the pipe of a worker that has ended is still open");
    }
}
