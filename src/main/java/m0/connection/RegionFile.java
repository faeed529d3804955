package m0.connection;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import m0.http.Body;
import m0.http.FileState;

/**
 * Opens the files that answers name.
 *
 * <p>What an answer says of a file (tag, time, length, range) was looked at before, perhaps by another
 * thread. So the file is opened first and looked at then: whatever the name led to in between, what is
 * sent is what the answer says, unless the name led elsewhere and back within the two calls.
 *
 * <p>Threads: the loop's, which waits for the file system here.
 */
final class RegionFile {
    private RegionFile() { }

    /**
     * The open file, or null where it is another than the answer says.
     *
     * @throws IOException where it is the one, or no state is said, and it cannot be read as announced
     */
    static FileChannel open(Body.FileRegion region) throws IOException {
        FileChannel file = null;
        try {
            BasicFileAttributes before = look(region);
            if (isAnother(region, before)) {
                return null;
            }
            // Opening anything else could wait, for a FIFO's writer say, and hold the loop.
            if (!before.isRegularFile()) {
                throw new IOException("it is no regular file");
            }
            file = FileChannel.open(region.path(), StandardOpenOption.READ);
            if (isAnother(region, look(region)) || isOfAnotherSize(region, file)) {
                Outbound.close(file);
                return null;
            }
            if (file.size() - region.offset() < region.length()) {
                throw new IOException("the file is shorter than the part to be sent");
            }
            return file;
        } catch (NoSuchFileException gone) {
            Outbound.close(file);
            if (region.state() == null) {
                throw gone;
            }
            // There was one. To look again might find it back, and a failure where there is none.
            return null;
        } catch (IOException failure) {
            Outbound.close(file);
            if (isAnother(region)) {
                return null;
            }
            throw failure;
        }
    }

    private static BasicFileAttributes look(Body.FileRegion region) throws IOException {
        return Files.readAttributes(region.path(), BasicFileAttributes.class);
    }

    /** Whether the name led to another state at that look. */
    private static boolean isAnother(Body.FileRegion region, BasicFileAttributes seen) {
        return region.state() != null && !region.state().equals(FileState.of(seen));
    }

    private static boolean isOfAnotherSize(Body.FileRegion region, FileChannel file)
            throws IOException {
        return region.state() != null && file.size() != region.state().size();
    }

    /** Whether the name leads to another state by now, or to none. */
    private static boolean isAnother(Body.FileRegion region) {
        if (region.state() == null) {
            return false;
        }
        try {
            return isAnother(region, look(region));
        } catch (IOException gone) {
            return true;
        }
    }
}
