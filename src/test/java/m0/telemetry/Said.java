package m0.telemetry;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A host log that a test can read: what was said, and in how many writes. */
final class Said {
    /** So long is waited for a thread that may stand still on a busy machine. */
    private static final long FLUSH_MS = 30_000;

    final SteppedClock clock = new SteppedClock();
    private final List<byte[]> writes = new ArrayList<>();
    final HostLog log = new HostLog(new LineWriter(new PrintStream(new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            byte[] part = new byte[length];
            System.arraycopy(bytes, offset, part, 0, length);
            synchronized (writes) {
                writes.add(part);
            }
        }
    })), clock);

    int writes() {
        log.flush(FLUSH_MS);
        synchronized (writes) {
            return writes.size();
        }
    }

    String text() {
        log.flush(FLUSH_MS);
        var all = new ByteArrayOutputStream();
        synchronized (writes) {
            writes.forEach(all::writeBytes);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    List<String> lines() {
        String text = text();
        return text.isEmpty() ? List.of() : List.of(text.split("\n"));
    }
}
