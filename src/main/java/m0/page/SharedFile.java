package m0.page;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Memory that a supervisor and its workers share: a file which each of them maps.
 *
 * <pre>
 *   0     magic      says what the file is for, and in which byte order
 *   8     version    of the layout
 *   16    shape      what the layout was made for
 *   24    bytes      of the memory
 *   128   the memory, zero at the start
 * </pre>
 *
 * <p>It is written whole when it is made: where a hole had to be filled later and the file system is
 * full, the process that touches it would end.
 *
 * <p>Threads: any. Limits: 2 GiB. Errors: who opens a file of another kind, version, shape or length
 * is refused, with both in the message.
 */
public final class SharedFile {
    private static final int HEADER_BYTES = 128;
    private static final int VERSION = Long.BYTES;
    private static final int SHAPE = 2 * Long.BYTES;
    private static final int BYTES = 3 * Long.BYTES;
    /** The smallest of Linux; where they are larger, a file's last one is. */
    private static final int PAGE_BYTES = 4096;
    private static final int FILL_BYTES = 64 * 1024;

    /**
     * What a file must be.
     *
     * @param magic eight letters, as a number
     * @param shape whatever its memory's layout depends on, as one number
     */
    public record Kind(long magic, int version, long shape, int bytes) {
        private String described() {
            return "magic " + Long.toHexString(magic) + " version " + version + " shape " + shape
                    + " of " + bytes + " bytes";
        }
    }

    private SharedFile() {
    }

    /** What a file of that kind takes where memory is a file system: whole pages. */
    public static long fileBytes(Kind kind) {
        return (HEADER_BYTES + (long) kind.bytes() + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /**
     * Makes the file, for its owner alone.
     *
     * @return the memory
     * @throws IOException if there is a file already, or no room; then nothing is left behind
     */
    public static ByteBuffer create(Path file, Kind kind) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                        PosixFilePermissions.fromString("rw-------")))) {
            fill(channel, HEADER_BYTES + (long) kind.bytes());
            ByteBuffer whole = channel.map(MapMode.READ_WRITE, 0, channel.size())
                    .order(ByteOrder.nativeOrder());
            whole.putLong(VERSION, kind.version());
            whole.putLong(SHAPE, kind.shape());
            whole.putLong(BYTES, kind.bytes());
            whole.putLong(0, kind.magic());
            return whole.slice(HEADER_BYTES, kind.bytes()).order(ByteOrder.nativeOrder());
        } catch (FileAlreadyExistsException another) {
            throw another;
        } catch (IOException failure) {
            Files.deleteIfExists(file);
            throw failure;
        }
    }

    private static void fill(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(FILL_BYTES);
        for (long left = bytes; left > 0; ) {
            zeros.clear().limit((int) Math.min(left, FILL_BYTES));
            left -= channel.write(zeros);
        }
    }

    /**
     * Maps the file that another process has made.
     *
     * @return the memory
     * @throws IOException if it is not there, or not what it must be
     */
    public static ByteBuffer open(Path file, Kind kind) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            long bytes = channel.size();
            if (bytes < HEADER_BYTES) {
                throw new IOException(file + " has " + bytes + " bytes, less than its head");
            }
            ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.nativeOrder());
            while (head.hasRemaining() && channel.read(head, head.position()) >= 0) {
                continue;
            }
            Kind found = new Kind(head.getLong(0), (int) head.getLong(VERSION),
                    head.getLong(SHAPE), (int) head.getLong(BYTES));
            if (!found.equals(kind) || bytes != HEADER_BYTES + (long) kind.bytes()) {
                throw new IOException(file + " is " + found.described() + ", not "
                        + kind.described());
            }
            return channel.map(MapMode.READ_WRITE, 0, bytes)
                    .slice(HEADER_BYTES, kind.bytes()).order(ByteOrder.nativeOrder());
        }
    }
}
