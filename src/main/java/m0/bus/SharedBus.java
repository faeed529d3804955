package m0.bus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import m0.app.Published;
import m0.app.Publisher;
import m0.loop.Clock;
import m0.loop.Door;
import m0.loop.Waker;
import m0.page.Page;
import m0.page.Seat;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Brings each published frame to the loops of all worker processes, as {@link Bus} does to those of
 * one.
 *
 * <p>Ids come from the page that the workers share, and taking one and offering the frame to every
 * ring is one critical section over all of them: {@link PublishTurn}. Within this process a lock
 * orders the threads, so that one of them at a time stands for the process. Only workers that read
 * are offered anything.
 *
 * <p>Threads: any; {@link #source} and {@link #doors} are for the loop's. A publisher waits for no
 * reader, and for another publisher only while that one lives and is in the critical section.
 *
 * <p>Limits: those of {@link Bus}; {@value PublishTurn#WAIT_MS_MAX} ms for the critical section,
 * beyond which nothing is published.
 */
public final class SharedBus implements FrameBus, Publisher {
    private final Page page;
    private final Seat seat;
    private final SharedRings rings;
    private final PublishTurn turn;
    private final Bells bells;
    private final Waker waker;
    private final SharedSource source;
    private final BellDoor door;
    /** No monitor: a virtual thread that waits for one holds its carrier. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The frame being published, under the lock. */
    private final UnsafeBuffer frame =
            new UnsafeBuffer(ByteBuffer.allocateDirect(FrameLayout.FRAME_BYTES_MAX));

    private SharedBus(Path directory, Page page, int worker, Waker waker, Clock clock)
            throws IOException {
        this.page = page;
        this.waker = waker;
        seat = page.seat(worker);
        rings = SharedRings.open(directory, page);
        turn = new PublishTurn(page, seat, new SystemLives(), clock, PublishTurn.Pause.PARK,
                rings::settle);
        bells = new Bells(rings, directory, worker);
        source = new SharedSource(rings.ring(worker), page.line(worker));
        door = new BellDoor(this, Bell.socket(directory, worker), bells);
        SystemLives.sit(seat);
    }

    /**
     * Joins the bus whose files the supervisor has made; this process sits in that worker's seat.
     *
     * @param page opened by this process
     * @param waker of the loop of this process
     * @throws IOException if the files are another's, or made for other numbers
     */
    public static SharedBus open(Path directory, Page page, int worker, Waker waker, Clock clock)
            throws IOException {
        return new SharedBus(directory, page, worker, waker, clock);
    }

    @Override
    public Publisher publisher() {
        return this;
    }

    @Override
    public FrameSource source(int worker) {
        checkOwn(worker);
        return source;
    }

    /** Its door must be opened, or nothing is offered to this worker. */
    @Override
    public List<Door> doors(int worker) {
        checkOwn(worker);
        return List.of(door);
    }

    private void checkOwn(int worker) {
        if (worker != seat.index()) {
            throw new IllegalArgumentException("worker=" + worker + " own=" + seat.index());
        }
    }

    @Override
    public Published publish(String channel, String event, ByteBuffer data) {
        FrameDraft draft = FrameDraft.of(channel, event, data);
        if (!draft.refusal().isEmpty()) {
            return new Published(0, 0, 0, draft.refusal());
        }
        Published published;
        lock.lock();
        try {
            int length = draft.encodeInto(frame);
            if (!turn.tryEnter()) {
                return new Published(0, 0, 0, heldReason());
            }
            try {
                published = offer(length);
            } finally {
                turn.leave();
            }
        } finally {
            lock.unlock();
        }
        bells.ringRaised();
        waker.wake();
        return published;
    }

    private String heldReason() {
        return "the publishers' turn was not to be had for " + PublishTurn.WAIT_MS_MAX
                + " ms, it is held by " + turn.holder();
    }

    /** Gives the frame its id and offers it to every ring that is read. */
    private Published offer(int length) {
        long id = page.lastEventId() + 1;
        page.lastEventId(id);
        frame.putLong(FrameLayout.ID, id);
        int taken = 0;
        int refused = 0;
        StringBuilder full = null;
        for (int worker = 0; worker < rings.count(); worker++) {
            SharedRing ring = rings.ring(worker);
            if (!ring.isRead()) {
                continue;
            }
            if (ring.offer(frame, length, id)) {
                taken++;
            } else {
                refused++;
                full = full == null ? new StringBuilder("full: ring of loop ") : full.append(", ");
                full.append(worker);
            }
        }
        return new Published(id, taken, refused, full == null ? "" : full.toString());
    }

    /** The loop is about to serve: it gets what is published from now on. */
    void startReading() throws IOException {
        lock.lock();
        try {
            if (!turn.tryEnter()) {
                throw new IOException(heldReason());
            }
            try {
                source.start(seat.mark(), page.lastEventId());
            } finally {
                turn.leave();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The loop's drain begins, or it ends. */
    void stopReading() {
        rings.ring(seat.index()).stopReading();
    }
}
