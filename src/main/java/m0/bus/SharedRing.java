package m0.bus;

import m0.page.LoopLine;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frames that wait for one worker, in memory that all workers have mapped.
 *
 * <pre>
 *   0     tail            frames end here            |
 *   8     offered end     where the last one ends    |  whoever is in the publishers'
 *   16    offered id      and its id                 |  critical section
 *   24    lost            the last id refused        |
 *   128   head            frames begin here             the reader
 *   256   reader          its mark, or 0 for nobody     the reader, or who has seen it end
 *   264   bell            1: ring when you leave some   the reader raises it, who rings lowers it
 *   384   records         length in 4 bytes, 4 unused, frame; each begins at a multiple of eight
 * </pre>
 *
 * <p>A record is nobody's before the tail has passed it, and the tail is one word. So a writer that
 * is killed in the middle leaves nothing behind: whoever publishes next writes over it. No writer
 * has to be told from another, so one ring for each reader is enough; see DECISIONS.md.
 *
 * <p>What a writer left undone that was killed between two rings is found by {@link #settle}: a ring that neither
 * holds nor refused the last id has lost it. The end is written before the id and both before the
 * tail, so that an id counts as held only where the tail has reached its end.
 *
 * <p>Threads: as the picture says; each process has its own object. Limits: {@value #BYTES} bytes of
 * records; a frame beyond is refused, counted, and told to the reader.
 */
final class SharedRing {
    /** Sixteen of the largest frames. */
    static final int BYTES = 1 << 20;
    static final int RECORDS = 384;
    /** A whole number of lines. */
    static final int REGION_BYTES = RECORDS + BYTES;

    private static final int TAIL = 0;
    private static final int OFFERED_END = 8;
    private static final int OFFERED_ID = 16;
    private static final int LOST = 24;
    private static final int HEAD = 128;
    private static final int READER = 256;
    private static final int BELL = 264;

    private static final int RECORD_HEAD = 8;
    /** In a length's place: the rest of the memory is unused. */
    private static final int TO_THE_END = -1;
    private static final long NOBODY = 0;
    private static final long RAISED = 1;

    private final UnsafeBuffer memory;
    /** Where refused frames are counted, for all to see. */
    private final LoopLine line;

    SharedRing(UnsafeBuffer memory, LoopLine line) {
        this.memory = memory;
        this.line = line;
    }

    /**
     * Takes that frame, or counts it as lost; its {@code lost} field is set here. Only in the
     * critical section.
     */
    boolean offer(UnsafeBuffer frame, int length, long id) {
        frame.putLong(FrameLayout.LOST, memory.getLong(LOST));
        long tail = memory.getLong(TAIL);
        int index = index(tail);
        int record = recordBytes(length);
        int skipped = BYTES - index < record ? BYTES - index : 0;
        if (tail + skipped + record - memory.getLongVolatile(HEAD) > BYTES) {
            lose(id);
            return false;
        }
        if (skipped > 0) {
            memory.putInt(RECORDS + index, TO_THE_END);
            index = 0;
        }
        memory.putInt(RECORDS + index, length);
        memory.putBytes(RECORDS + index + RECORD_HEAD, frame, 0, length);
        commit(id, tail + skipped + record);
        return true;
    }

    private void commit(long id, long end) {
        memory.putLongRelease(OFFERED_END, end);
        memory.putLongRelease(OFFERED_ID, id);
        memory.putLongVolatile(TAIL, end);
    }

    private void lose(long id) {
        line.countFrameRefused();
        memory.putLongVolatile(LOST, id);
    }

    /** Whoever published last may have been killed at it. Only in the critical section. */
    void settle(long lastId) {
        boolean held = memory.getLong(OFFERED_ID) >= lastId
                && memory.getLong(OFFERED_END) == memory.getLong(TAIL);
        if (isRead() && !held && memory.getLong(LOST) < lastId) {
            lose(lastId);
        }
    }

    /** Whether somebody reads: only then is anything offered. */
    boolean isRead() {
        return memory.getLongVolatile(READER) != NOBODY;
    }

    /**
     * Begins to read behind all that was published. What came before is lost to this reader, and it
     * is told so. Only in the critical section.
     *
     * @return the head
     */
    long startReading(long mark, long lastId) {
        long tail = memory.getLong(TAIL);
        memory.putLong(HEAD, tail);
        memory.putLong(OFFERED_END, tail);
        memory.putLong(OFFERED_ID, lastId);
        memory.putLong(LOST, lastId);
        memory.putLong(BELL, 0);
        memory.putLongVolatile(READER, mark);
        return tail;
    }

    /** Nothing more is offered, but for what somebody is offering now. */
    void stopReading() {
        memory.putLongVolatile(READER, NOBODY);
    }

    long tail() {
        return memory.getLongVolatile(TAIL);
    }

    long lostId() {
        return memory.getLongVolatile(LOST);
    }

    /** What comes before that position is taken. */
    void head(long position) {
        memory.putLongRelease(HEAD, position);
    }

    /** Where the record at that position ends. */
    long end(long head) {
        int length = memory.getInt(RECORDS + index(head));
        return length == TO_THE_END ? head + BYTES - index(head) : head + recordBytes(length);
    }

    /** Hands over the frame at that position; whether there is one. */
    boolean hand(long head, FrameReader reader, FrameSink to) {
        int index = RECORDS + index(head);
        int length = memory.getInt(index);
        if (length == TO_THE_END) {
            return false;
        }
        reader.hand(memory, index + RECORD_HEAD, length, to);
        return true;
    }

    private static int recordBytes(int length) {
        return (RECORD_HEAD + length + RECORD_HEAD - 1) & -RECORD_HEAD;
    }

    private static int index(long position) {
        return (int) position & BYTES - 1;
    }

    /** Asks to be woken for what comes from now on; look after this. The reader. */
    void raiseBell() {
        if (memory.getLongVolatile(BELL) != RAISED) {
            memory.putLongVolatile(BELL, RAISED);
        }
    }

    /** The reader is about to look by itself. */
    void lowerBell() {
        if (memory.getLongVolatile(BELL) == RAISED) {
            memory.putLongRelease(BELL, 0);
        }
    }

    /** Whether the reader wants to be woken and nobody else does it; whoever asks must then. */
    boolean takeBell() {
        return memory.getLongVolatile(BELL) == RAISED
                && memory.compareAndSetLong(BELL, RAISED, 0);
    }
}
