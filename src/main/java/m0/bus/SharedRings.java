package m0.bus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import m0.page.Page;
import m0.page.SharedFile;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A ring for each worker, one behind the other in one mapped file.
 *
 * <p>Threads: any. Limits: {@link SharedRing#REGION_BYTES} for each worker, as many as 2 GiB hold.
 */
final class SharedRings {
    /** What the file is called in the directory that supervisor and workers share. */
    static final String FILE = "frames";

    /** "m0frames", and the version of {@link SharedRing}'s picture. */
    private static final long MAGIC = 0x6d30_6672_616d_6573L;
    private static final int VERSION = 1;

    private final Page page;
    private final SharedRing[] rings;

    private SharedRings(Page page, ByteBuffer memory) {
        this.page = page;
        rings = new SharedRing[page.loops()];
        for (int worker = 0; worker < rings.length; worker++) {
            rings[worker] = new SharedRing(new UnsafeBuffer(memory,
                    worker * SharedRing.REGION_BYTES, SharedRing.REGION_BYTES),
                    page.line(worker));
        }
    }

    /** Makes the file in that directory. */
    static SharedRings create(Path directory, Page page) throws IOException {
        return new SharedRings(page, SharedFile.create(directory.resolve(FILE), kind(page.loops())));
    }

    /** Opens the one that the supervisor has made. */
    static SharedRings open(Path directory, Page page) throws IOException {
        return new SharedRings(page, SharedFile.open(directory.resolve(FILE), kind(page.loops())));
    }

    static boolean isThere(Path directory) {
        return Files.exists(directory.resolve(FILE));
    }

    private static SharedFile.Kind kind(int workers) {
        return new SharedFile.Kind(MAGIC, VERSION, workers,
                Math.multiplyExact(workers, SharedRing.REGION_BYTES));
    }

    /** What the file takes for so many workers. */
    static long fileBytes(int workers) {
        return SharedFile.fileBytes(kind(workers));
    }

    int count() {
        return rings.length;
    }

    SharedRing ring(int worker) {
        return rings[worker];
    }

    /** Tells every ring what it has lost by a publisher that was killed at publishing. */
    void settle() {
        long lastId = page.lastEventId();
        for (SharedRing ring : rings) {
            ring.settle(lastId);
        }
    }
}
