package m0.host;

import java.io.IOException;
import java.nio.file.Path;
import m0.bus.FrameBus;
import m0.loop.LoopGroup;
import m0.page.Page;

/**
 * Where a server stands: alone, with all loops in its process, or as one worker of several, with one
 * loop of many, and then what they share is lent by a supervisor.
 *
 * <p>Threads: the one that starts the server. Errors: what cannot be lent is an {@code IOException}.
 */
interface Place {
    /** Its first loop among all. */
    int firstLoop();

    /** Loops in this process, from the first on. */
    int loops();

    /** Loops wherever they run. */
    int allLoops();

    /** The words that all loops share. */
    Page page(int counterWords, int applicationWords) throws IOException;

    /** What brings frames to all loops. */
    FrameBus bus(Page page, LoopGroup group) throws IOException;

    /** Where to make what is for this process and its children alone. */
    Path files();

    /** Its handlers exist; returns when it may serve, or when that has become pointless. */
    void awaitOpening() throws InterruptedException;
}
