package host_check;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A temporary file of {@link Pattern} bytes, which grows to the longest length asked for.
 *
 * <p>It is made when it is first asked for: most servers that gates start never send a file.
 *
 * <p>Threads: its handler's. Owns: the file, which {@link #close} deletes.
 */
final class PatternFile implements AutoCloseable {
    private static final int BLOCK_BYTES = 251 * 1024;

    private Path path;
    private long length;

    /** The file, at least {@code bytes} long. */
    Path atLeast(long bytes) throws IOException {
        if (path == null) {
            path = Files.createTempFile("m0-host-check-", ".bin");
        }
        if (length < bytes) {
            append(bytes - length);
            length = bytes;
        }
        return path;
    }

    private void append(long count) throws IOException {
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.APPEND)) {
            byte[] block = new byte[BLOCK_BYTES];
            // A block is whole periods, so each begins where the pattern stands at the old end.
            Pattern.fill(block, length);
            for (long left = count; left > 0; left -= BLOCK_BYTES) {
                out.write(block, 0, (int) Math.min(left, BLOCK_BYTES));
            }
        }
    }

    /** Deletes the file, if there is one. */
    @Override
    public void close() throws IOException {
        if (path != null) {
            Files.deleteIfExists(path);
        }
    }
}
