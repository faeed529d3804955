package m0.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C105: a body between the thread that writes it and the loop that sends it. */
@Timeout(60)
class AnswerPipeTest {
    private static final byte[] NOTHING = new byte[0];
    /** What ends in time ends in far less. */
    private static final long HUNG_MS = 20_000;
    private static final int SHORT_BODIES = 20_000;
    /** Turns of two threads that have one processor between them take a thousand times as long. */
    private static final long TURNS_NS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final int SPINS_MAX = 60;

    private final List<String> abandoned = new ArrayList<>();
    private final AtomicInteger wakes = new AtomicInteger();

    private final AnswerPipe.Outcome outcome = new AnswerPipe.Outcome() {
        @Override
        public void onAbandoned(boolean writing) {
            abandoned.add(writing ? "a writer waited" : "nobody wrote");
        }

        @Override
        public void onFailureUntold(Exception failure) {
            abandoned.add(failure.getMessage());
        }
    };

    private AnswerPipe pipe(byte[] first, long length) {
        AnswerPipe pipe = new AnswerPipe(first, first.length, length, outcome);
        assertTrue(pipe.wakesBy(wakes::incrementAndGet));
        return pipe;
    }

    private static byte[] pattern(int from, int count) {
        byte[] bytes = new byte[count];
        for (int index = 0; index < count; index++) {
            bytes[index] = (byte) ((from + index) % 251);
        }
        return bytes;
    }

    @Test
    void whatWasWrittenBeforeGoesOutFirst() throws Exception {
        AnswerPipe pipe = pipe(pattern(0, 10), -1);
        pipe.write(pattern(10, 10), 2, 8);
        ByteBuffer into = ByteBuffer.allocate(12);
        assertTrue(pipe.next(into));
        assertEquals(ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13}),
                into.flip());
        pipe.end();
        into.clear();
        assertFalse(pipe.next(into));
        assertEquals(6, into.position());
    }

    /** The loop is woken once for each time it had nothing. */
    @Test
    void aLoopThatHadNothingIsWokenByTheNextByteAndByTheEnd() throws Exception {
        AnswerPipe pipe = pipe(NOTHING, -1);
        pipe.write(pattern(0, 1), 0, 1);
        assertEquals(0, wakes.get(), "it has not asked yet");
        assertTrue(pipe.next(ByteBuffer.allocate(9)));
        assertTrue(pipe.next(ByteBuffer.allocate(9)));
        pipe.write(pattern(0, 5), 0, 5);
        pipe.write(pattern(0, 5), 0, 5);
        assertEquals(1, wakes.get());
        assertTrue(pipe.next(ByteBuffer.allocate(20)));
        assertTrue(pipe.next(ByteBuffer.allocate(20)));
        pipe.end();
        assertEquals(2, wakes.get());
        assertFalse(pipe.next(ByteBuffer.allocate(20)));
        pipe.close();
        assertEquals(List.of(), abandoned);
    }

    @Test
    void aBodyOfKnownLengthEndsWithItsLastByte() throws Exception {
        AnswerPipe pipe = pipe(pattern(0, 3), 5);
        pipe.write(pattern(3, 2), 0, 2);
        ByteBuffer into = ByteBuffer.allocate(9);
        assertFalse(pipe.next(into));
        assertEquals(5, into.position());
        assertThrows(IOException.class, () -> pipe.write(pattern(0, 1), 0, 1));
        pipe.close();
        assertEquals(List.of(), abandoned, "it was whole");
    }

    @Test
    void aFailureIsSaidBehindWhatWasWritten() throws Exception {
        AnswerPipe pipe = pipe(pattern(0, 3), -1);
        pipe.fail(new IOException("broken"));
        assertTrue(pipe.next(ByteBuffer.allocate(9)));
        assertEquals("broken", assertThrows(IOException.class,
                () -> pipe.next(ByteBuffer.allocate(9))).getMessage());
        pipe.close();
        assertEquals(List.of(), abandoned);
    }

    /** Many slow answers of a few bytes each are to cost a few bytes each. */
    @Test
    void itKeepsWhatWaitsAndLittleMore() throws Exception {
        AnswerPipe pipe = pipe(pattern(0, 3000), -1);
        assertEquals(3000, pipe.heldBytes(), "what went before it, and no ring");
        pipe.next(ByteBuffer.allocate(3000));
        assertEquals(0, pipe.heldBytes(), "all of that was taken");
        pipe.write(pattern(0, 1), 0, 1);
        assertEquals(AnswerPipe.RING_BYTES_FIRST, pipe.heldBytes(), "with one byte in it");
        pipe.next(ByteBuffer.allocate(1));
        int most = AnswerPipe.RING_BYTES_FIRST;
        pipe.write(pattern(0, most), 0, most);
        assertEquals(most, pipe.heldBytes(), "full");
        pipe.write(pattern(0, 1), 0, 1);
        assertEquals(2 * most, pipe.heldBytes(), "with one byte more");
        int rest = AnswerPipe.RING_BYTES_MAX - most - 1;
        pipe.write(pattern(0, rest), 0, rest);
        assertEquals(AnswerPipe.RING_BYTES_MAX, pipe.heldBytes(), "with all that may wait");
    }

    /** What waits may lie in two pieces, round the end of the smaller ring. */
    @Test
    void whatWaitsIsMovedInOrderWhereTheRingGrows() throws Exception {
        for (int before = 0; before <= AnswerPipe.RING_BYTES_FIRST; before += 64) {
            AnswerPipe pipe = pipe(NOTHING, -1);
            pipe.write(pattern(0, before), 0, before);
            pipe.next(ByteBuffer.allocate(Math.max(1, before)));
            int count = 5 * AnswerPipe.RING_BYTES_FIRST;
            for (int done = 0; done < count; done += 1024) {
                pipe.write(pattern(done, 1024), 0, 1024);
            }
            ByteBuffer into = ByteBuffer.allocate(count);
            assertTrue(pipe.next(into));
            assertEquals(ByteBuffer.wrap(pattern(0, count)), into.flip(), "behind " + before);
        }
    }

    /** The loop takes from the ring while the writer moves to a larger one: each is soon the largest. */
    @Test
    void aLoopThatTakesWhileTheRingGrowsTakesEveryByteOnce() throws Exception {
        int total = AnswerPipe.RING_BYTES_MAX;
        long sinceNs = System.nanoTime();
        for (int body = 0; body < 300 && isTimeLeft(sinceNs); body++) {
            AnswerPipe pipe = pipe(NOTHING, total);
            AtomicReference<IOException> thrown = new AtomicReference<>();
            Random sizes = new Random(body);
            Thread writer = new Thread(() -> {
                try {
                    int done = 0;
                    while (done < total) {
                        int count = Math.min(total - done, 1 + sizes.nextInt(6000));
                        pipe.write(pattern(done, count), 0, count);
                        done += count;
                    }
                } catch (IOException failed) {
                    thrown.set(failed);
                }
            });
            writer.start();
            ByteBuffer into = ByteBuffer.allocate(total + 1);
            while (pipe.next(into)) {
                Thread.onSpinWait();
            }
            writer.join();
            assertEquals(null, thrown.get());
            assertEquals(ByteBuffer.wrap(pattern(0, total)), into.flip(), "body " + body);
        }
    }

    @Test
    void aWriterWaitsForRoomAndNoLonger() throws Exception {
        AnswerPipe pipe = pipe(NOTHING, -1);
        pipe.write(pattern(0, AnswerPipe.RING_BYTES_MAX), 0, AnswerPipe.RING_BYTES_MAX);
        Thread writer = writer(pipe, 1, new AtomicReference<>());
        awaitParked(writer);
        assertTrue(pipe.next(ByteBuffer.allocate(1)));
        writer.join();
    }

    @Test
    void aConnectionsEndReleasesTheWriter() throws Exception {
        AnswerPipe pipe = pipe(NOTHING, -1);
        AtomicReference<IOException> thrown = new AtomicReference<>();
        Thread writer = writer(pipe, AnswerPipe.RING_BYTES_MAX + 1, thrown);
        awaitParked(writer);
        pipe.close();
        writer.join();
        assertEquals("the connection has ended", thrown.get().getMessage());
        assertEquals(List.of("a writer waited"), abandoned);
    }

    @Test
    void aBodyThatIsClosedReleasesTheWriter() throws Exception {
        AnswerPipe pipe = pipe(NOTHING, -1);
        AtomicReference<IOException> thrown = new AtomicReference<>();
        Thread writer = writer(pipe, AnswerPipe.RING_BYTES_MAX + 1, thrown);
        awaitParked(writer);
        pipe.end();
        writer.join();
        assertEquals("the exchange is closed", thrown.get().getMessage());
    }

    @Test
    void anInterruptEndsTheWaitAndTheBody() throws Exception {
        AnswerPipe pipe = pipe(NOTHING, -1);
        AtomicReference<IOException> thrown = new AtomicReference<>();
        Thread writer = writer(pipe, AnswerPipe.RING_BYTES_MAX + 1, thrown);
        awaitParked(writer);
        writer.interrupt();
        writer.join(HUNG_MS);
        assertFalse(writer.isAlive(), "the writer waits on");
        assertInstanceOf(InterruptedIOException.class, thrown.get());
        ByteBuffer into = ByteBuffer.allocate(AnswerPipe.RING_BYTES_MAX);
        assertTrue(pipe.next(into));
        assertThrows(InterruptedIOException.class, () -> pipe.next(ByteBuffer.allocate(1)));
    }

    /** Two threads, sizes at random: every byte comes, in order, and no wake is missed. */
    @Test
    void everyByteComesInOrderWhateverTheSizes() throws Exception {
        int total = 3_000_000;
        AnswerPipe pipe = new AnswerPipe(NOTHING, 0, -1, outcome);
        Semaphore woken = new Semaphore(0);
        pipe.wakesBy(woken::release);
        AtomicReference<IOException> thrown = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            Random random = new Random(7);
            try {
                int done = 0;
                while (done < total) {
                    int count = Math.min(total - done, 1 + random.nextInt(90_000));
                    pipe.write(pattern(done, count), 0, count);
                    done += count;
                }
                pipe.end();
            } catch (IOException failed) {
                thrown.set(failed);
            }
        });
        writer.start();
        Random random = new Random(8);
        int seen = 0;
        boolean more = true;
        while (more) {
            ByteBuffer into = ByteBuffer.allocate(1 + random.nextInt(70_000));
            more = pipe.next(into);
            for (int index = 0; index < into.position(); index++) {
                if (into.get(index) != (byte) ((seen + index) % 251)) {
                    throw new AssertionError("byte " + (seen + index) + " is wrong");
                }
            }
            seen += into.position();
            if (more && into.position() == 0) {
                // Nobody asks again before it is woken.
                woken.acquire();
            }
        }
        assertEquals(total, seen);
        writer.join();
        assertEquals(null, thrown.get());
    }

    /**
     * A loop that is told "more" and gets nothing asks again only when it is woken. Short bodies
     * that are written and ended beside its look, each a little later than the last against it.
     */
    @Test
    void aBodyThatEndsBesideALookLosesNoWake() throws Exception {
        AtomicReference<AnswerPipe> begun = new AtomicReference<>();
        AtomicReference<AnswerPipe> through = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            Random random = new Random(3);
            for (AnswerPipe pipe = awaitNext(begun); pipe != null; pipe = awaitNext(begun)) {
                spin(random.nextInt(SPINS_MAX));
                try {
                    pipe.write(pattern(0, 10), 0, 10);
                } catch (IOException failed) {
                    throw new AssertionError(failed);
                }
                pipe.end();
                through.set(pipe);
            }
        });
        writer.setDaemon(true);
        writer.start();
        Random random = new Random(4);
        long sinceNs = System.nanoTime();
        try {
            for (int body = 0; body < SHORT_BODIES && isTimeLeft(sinceNs); body++) {
                int wakesBefore = wakes.get();
                AnswerPipe pipe = pipe(NOTHING, body % 2 == 0 ? -1 : 10);
                begun.set(pipe);
                spin(random.nextInt(SPINS_MAX));
                ByteBuffer into = ByteBuffer.allocate(64);
                boolean more = pipe.next(into);
                while (more) {
                    int position = into.position();
                    if (position == 0) {
                        boolean isThrough = false;
                        while (wakes.get() == wakesBefore) {
                            assertFalse(isThrough,
                                    "nobody wakes the loop for the last of body " + body);
                            isThrough = through.get() == pipe;
                        }
                    }
                    wakesBefore = wakes.get();
                    more = pipe.next(into);
                }
                assertEquals(10, into.position(), "bytes of body " + body);
                awaitNext(through);
            }
        } finally {
            writer.interrupt();
        }
    }

    /** As above, of a body that goes on: nothing that comes later wakes the loop for it. */
    @Test
    void bytesThatAreWrittenBesideALookWakeTheLoop() throws Exception {
        AtomicReference<AnswerPipe> begun = new AtomicReference<>();
        AtomicReference<AnswerPipe> through = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            Random random = new Random(5);
            for (AnswerPipe pipe = awaitNext(begun); pipe != null; pipe = awaitNext(begun)) {
                spin(random.nextInt(SPINS_MAX));
                try {
                    pipe.write(pattern(0, 10), 0, 10);
                } catch (IOException failed) {
                    throw new AssertionError(failed);
                }
                through.set(pipe);
            }
        });
        writer.setDaemon(true);
        writer.start();
        Random random = new Random(6);
        long sinceNs = System.nanoTime();
        try {
            for (int body = 0; body < SHORT_BODIES && isTimeLeft(sinceNs); body++) {
                int wakesBefore = wakes.get();
                AnswerPipe pipe = pipe(NOTHING, -1);
                begun.set(pipe);
                spin(random.nextInt(SPINS_MAX));
                ByteBuffer into = ByteBuffer.allocate(64);
                assertTrue(pipe.next(into));
                while (into.position() == 0) {
                    boolean isThrough = false;
                    while (wakes.get() == wakesBefore) {
                        assertFalse(isThrough,
                                "nobody wakes the loop for what body " + body + " got");
                        isThrough = through.get() == pipe;
                    }
                    wakesBefore = wakes.get();
                    assertTrue(pipe.next(into));
                }
                assertEquals(10, into.position(), "bytes of body " + body);
                awaitNext(through);
            }
        } finally {
            writer.interrupt();
        }
    }

    private static boolean isTimeLeft(long sinceNs) {
        return System.nanoTime() - sinceNs < TURNS_NS_MAX;
    }

    /** Null where this thread was interrupted. */
    private static AnswerPipe awaitNext(AtomicReference<AnswerPipe> from) {
        AnswerPipe next = from.getAndSet(null);
        while (next == null && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
            next = from.getAndSet(null);
        }
        return next;
    }

    private static void spin(int times) {
        for (int spun = 0; spun < times; spun++) {
            Thread.onSpinWait();
        }
    }

    private static Thread writer(AnswerPipe pipe, int count, AtomicReference<IOException> thrown) {
        Thread writer = new Thread(() -> {
            try {
                pipe.write(pattern(0, count), 0, count);
            } catch (IOException failed) {
                thrown.set(failed);
            }
        });
        writer.start();
        return writer;
    }

    private static void awaitParked(Thread writer) {
        while (writer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
