package m0.bus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import m0.loop.Clock;
import m0.page.LoopCounters;
import m0.page.Page;
import m0.page.Page.ProducerState;
import m0.page.Seat;

/**
 * Keeps page and bus of the workers in order, in the supervisor: makes the rings' file, and puts
 * right what a worker that has ended leaves in both.
 *
 * <p>Threads: any, one after the other. Owns: the files in the directory, until {@link #close}.
 */
public final class BusWarden {
    /** The worker that has the producer. */
    private static final int PRODUCING = 0;

    private final Path directory;
    private final Page page;
    private final int[] gauges;
    private final SharedRings rings;
    private final PublishTurn turn;
    private final Bells bells;

    private BusWarden(Path directory, Page page, int[] gauges, SharedRings rings)
            throws IOException {
        this.directory = directory;
        this.page = page;
        this.gauges = gauges.clone();
        this.rings = rings;
        Seat own = page.seat(page.loops());
        SystemLives.sit(own);
        turn = new PublishTurn(page, own, new SystemLives(), Clock.SYSTEM, PublishTurn.Pause.PARK,
                rings::settle);
        bells = new Bells(rings, directory, -1);
    }

    /**
     * Makes the rings, before any worker is started.
     *
     * @param directory that only this user can enter
     * @param page made by this process
     * @param gauges the counters that say what is now, and say nothing of who has ended
     */
    public static BusWarden create(Path directory, Page page, int[] gauges) throws IOException {
        return new BusWarden(directory, page, gauges, SharedRings.create(directory, page));
    }

    /** Whether what {@link #create} has made there can still be found. */
    public static boolean isThere(Path directory) {
        return SharedRings.isThere(directory);
    }

    /** What the files take that {@link #create} makes for so many workers. */
    public static long fileBytes(int workers) {
        return SharedRings.fileBytes(workers);
    }

    /**
     * A worker has ended: what it held is free, what it lacked to finish is told, nobody counts on
     * it any more, and its siblings are woken for what it may have left without a word. What it has
     * counted stays.
     *
     * <p>Behind its process's end and before a successor is started.
     */
    public synchronized void settle(int worker) {
        Seat seat = page.seat(worker);
        long mark = seat.mark();
        seat.vacate();
        rings.ring(worker).stopReading();
        page.line(worker).bury();
        LoopCounters counters = page.counters(worker);
        for (int gauge : gauges) {
            counters.clear(gauge);
        }
        if (worker == PRODUCING && page.producer() == ProducerState.UP) {
            page.producer(ProducerState.DOWN);
        }
        // A sibling that is inside by now has taken over, and settles as well.
        if (page.publishing() == mark && turn.tryEnter()) {
            turn.leave();
        }
        bells.ringAll();
    }

    /** Takes the files away; all workers have ended. */
    public synchronized void close() throws IOException {
        bells.close();
        for (int worker = 0; worker < rings.count(); worker++) {
            Files.deleteIfExists(Bell.socket(directory, worker));
        }
        Files.deleteIfExists(directory.resolve(SharedRings.FILE));
        Files.deleteIfExists(directory.resolve(Page.FILE));
    }
}
