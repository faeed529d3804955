package m0.host;

import java.io.IOException;
import java.nio.file.Path;
import m0.bus.FrameBus;
import m0.bus.SharedBus;
import m0.loop.Clock;
import m0.loop.LoopGroup;
import m0.page.Page;

/** A server that is one worker of several: one loop, and the rest lent by the supervisor. */
final class WorkerPlace implements Place {
    private final WorkerSeat seat;
    private final int workers;
    private final WorkerLink link;

    WorkerPlace(WorkerSeat seat, int workers, WorkerLink link) {
        this.seat = seat;
        this.workers = workers;
        this.link = link;
    }

    @Override
    public int firstLoop() {
        return seat.worker();
    }

    @Override
    public int loops() {
        return 1;
    }

    @Override
    public int allLoops() {
        return workers;
    }

    @Override
    public Page page(int counterWords, int applicationWords) throws IOException {
        return Page.open(seat.directory().resolve(Page.FILE), workers, counterWords,
                applicationWords);
    }

    @Override
    public FrameBus bus(Page page, LoopGroup group) throws IOException {
        return SharedBus.open(seat.directory(), page, seat.worker(),
                group.waker(seat.worker()), Clock.SYSTEM);
    }

    @Override
    public Path files() {
        return seat.directory();
    }

    @Override
    public void awaitOpening() throws InterruptedException {
        link.awaitServe();
    }
}
