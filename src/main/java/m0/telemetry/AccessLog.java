package m0.telemetry;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import m0.connection.ExchangeObserver;
import m0.connection.ExchangeRecord;
import m0.http.Request;
import m0.http.parse.ProtocolViolation;
import m0.loop.Clock;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The access log: one JSON object a line for each answer.
 *
 * <pre>
 * loop 0 -- encodes --&gt; |            |
 * loop 1 -- encodes --&gt; |  the ring  | -- drain(), in batches --&gt; stdout
 *                       | (bounded)  |    {@link AccessLogThread}
 * </pre>
 *
 * <p>A loop encodes its record into memory of its own and copies it into the ring. It waits for
 * nobody and allocates nothing but what {@link UtcText} and {@link RemoteTexts} say. What observers
 * hear beside exchanges is passed on to the {@link HostLog}.
 *
 * <p>Threads: {@link #onExchange} on the record's loop, {@link #drain} and what is below it on the
 * writer's. Limits: a ring of 4 MiB, some 20,000 records; one that finds it full is dropped, counted,
 * and said on stderr at most once a second. Errors: where stdout cannot be written any more, that is
 * said once and everything from there on counts as dropped.
 */
public final class AccessLog implements ExchangeObserver {
    static final int RING_BYTES = 4 * 1024 * 1024;
    static final int BATCH_BYTES = 64 * 1024;
    private static final int RECORD_TYPE = 1;
    private static final long SECOND_NS = 1_000_000_000L;

    private final HostLog log;
    private final Clock clock;
    private final OutputStream out;
    private final ManyToOneRingBuffer ring;
    private final AccessRecordEncoder[] encoders;
    /** What each loop's encoder has written, as the ring reads it. */
    private final UnsafeBuffer[] lines;
    /** Counted by loops, read by the writer. */
    private final AtomicLong dropped = new AtomicLong();
    /** The writer while it waits: set by it, taken by the first loop that has a record for it. */
    private final AtomicReference<Thread> waiting = new AtomicReference<>();

    private final byte[] batch = new byte[BATCH_BYTES];
    private final MessageHandler toBatch = this::addToBatch;
    private int batchBytes;
    private int batchRecords;
    private boolean outFailed;
    private long droppedSaid;
    private long saidNs;

    /**
     * @param out where the lines go, a whole batch at a time; it is not closed
     * @param loops how many loops will send records
     */
    public AccessLog(HostLog log, Clock clock, OutputStream out, int loops) {
        this(log, clock, out, loops, RING_BYTES);
    }

    AccessLog(HostLog log, Clock clock, OutputStream out, int loops, int ringBytes) {
        this.log = log;
        this.clock = clock;
        this.out = out;
        saidNs = clock.nanoTime() - SECOND_NS;
        ring = new ManyToOneRingBuffer(new UnsafeBuffer(
                ByteBuffer.allocateDirect(ringBytes + RingBufferDescriptor.TRAILER_LENGTH)));
        encoders = new AccessRecordEncoder[loops];
        lines = new UnsafeBuffer[loops];
        for (int loop = 0; loop < loops; loop++) {
            encoders[loop] = new AccessRecordEncoder();
            lines[loop] = new UnsafeBuffer(encoders[loop].bytes());
        }
    }

    @Override
    public boolean wantsExchanges() {
        return true;
    }

    @Override
    public void onExchange(ExchangeRecord record) {
        int loop = record.loop();
        int length = encoders[loop].encode(record, clock.epochMillis());
        if (!ring.write(RECORD_TYPE, lines[loop], 0, length)) {
            dropped.incrementAndGet();
        }
        // The ring's tail was moved by a compare-and-set before this read. The writer names itself
        // before it looks at the tail: so either it sees this record, or it is seen here.
        Thread writer = waiting.get();
        if (writer != null && waiting.compareAndSet(writer, null)) {
            LockSupport.unpark(writer);
        }
    }

    @Override
    public void onApplicationFailure(int loop, Request request, Throwable failure) {
        log.onApplicationFailure(loop, request, failure);
    }

    @Override
    public void onHookFailure(int loop, String where, Throwable failure) {
        log.onHookFailure(loop, where, failure);
    }

    @Override
    public void onStreamRefused(int loop, int thread, Request request) {
        log.onStreamRefused(loop, thread, request);
    }

    @Override
    public void onLimit(int loop, ProtocolViolation violation) {
        log.onLimit(loop, violation);
    }

    /** Records that were lost so far, because the ring was full or stdout could not be written. */
    public long dropped() {
        return dropped.get();
    }

    /**
     * Writes at most one batch, and says what was dropped when it is time to.
     *
     * @return whether there was anything to write
     */
    boolean drain(long nowNs) {
        fillBatch();
        boolean any = batchBytes > 0;
        if (any) {
            writeBatch();
        }
        if (nowNs - saidNs >= SECOND_NS) {
            sayDropped(nowNs);
        }
        return any;
    }

    /** Says what was dropped and has not been said. */
    void sayDropped(long nowNs) {
        long count = dropped.get() - droppedSaid;
        if (count > 0) {
            droppedSaid += count;
            saidNs = nowNs;
            log.line("access log dropped " + count
                    + (count == 1 ? " record" : " records"));
        }
    }

    boolean hasUnsaidDrops() {
        return dropped.get() != droppedSaid;
    }

    /** Where the writer names itself before it waits. */
    AtomicReference<Thread> waiting() {
        return waiting;
    }

    /** Whether no loop has put anything in that was not taken out. */
    boolean isEmpty() {
        return ring.producerPosition() == ring.consumerPosition();
    }

    HostLog log() {
        return log;
    }

    /** Takes as many records as are sure to fit; the ring is free for others before they go out. */
    private void fillBatch() {
        int room = BATCH_BYTES / AccessRecordEncoder.LINE_BYTES_MAX;
        while (room > 0) {
            long before = ring.consumerPosition();
            ring.read(toBatch, room);
            if (ring.consumerPosition() == before) {
                return;
            }
            room = (BATCH_BYTES - batchBytes) / AccessRecordEncoder.LINE_BYTES_MAX;
        }
    }

    private void addToBatch(int type, MutableDirectBuffer buffer, int index, int length) {
        buffer.getBytes(index, batch, batchBytes, length);
        batchBytes += length;
        batchRecords++;
    }

    private void writeBatch() {
        try {
            if (outFailed) {
                dropped.addAndGet(batchRecords);
            } else {
                out.write(batch, 0, batchBytes);
            }
        } catch (IOException failure) {
            outFailed = true;
            dropped.addAndGet(batchRecords);
            log.line("access log cannot be written any more: " + failure.getMessage()
                    + " (restart with stdout open)");
        }
        batchBytes = 0;
        batchRecords = 0;
    }
}
