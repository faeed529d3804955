package m0.host;

import java.nio.file.Path;
import m0.bus.Bus;
import m0.bus.FrameBus;
import m0.loop.LoopGroup;
import m0.page.Page;

/** A server whose loops are all threads of this process. */
record AlonePlace(int loops) implements Place {
    @Override
    public int firstLoop() {
        return 0;
    }

    @Override
    public int allLoops() {
        return loops;
    }

    @Override
    public Page page(int counterWords, int applicationWords) {
        return Page.inMemory(loops, counterWords, applicationWords);
    }

    @Override
    public FrameBus bus(Page page, LoopGroup group) {
        return new Bus(page, Bus.RING_BYTES, group.wakers());
    }

    @Override
    public Path files() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Nobody else is waited for. */
    @Override
    public void awaitOpening() { }
}
