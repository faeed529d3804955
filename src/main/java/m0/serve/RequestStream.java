package m0.serve;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A request's body, which is whole before any handler sees it.
 *
 * <p>Threads: one at a time. Errors: behind its close it throws, as the JDK's does.
 */
final class RequestStream extends InputStream {
    private final byte[] body;
    private int at;
    private boolean closed;

    RequestStream(byte[] body) {
        this.body = body;
    }

    @Override
    public int read() throws IOException {
        checkOpen();
        return at == body.length ? -1 : body[at++] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        checkOpen();
        if (length == 0) {
            return 0;
        }
        int count = Math.min(length, body.length - at);
        System.arraycopy(body, at, into, offset, count);
        at += count;
        return count == 0 ? -1 : count;
    }

    /** At once, where the JDK's own would gather it in pieces and hold it twice. */
    @Override
    public byte[] readAllBytes() throws IOException {
        checkOpen();
        byte[] rest = Arrays.copyOfRange(body, at, body.length);
        at = body.length;
        return rest;
    }

    @Override
    public long skip(long wanted) throws IOException {
        checkOpen();
        int count = (int) Math.max(0, Math.min(wanted, body.length - at));
        at += count;
        return count;
    }

    @Override
    public int available() throws IOException {
        checkOpen();
        return body.length - at;
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("the request's body is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
