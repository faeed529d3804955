package m0.serve;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The body of an exchange's answer, as a stream. Threads: one at a time. */
final class ResponseStream extends OutputStream {
    private final HostExchange exchange;

    ResponseStream(HostExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public void write(int single) throws IOException {
        exchange.write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        exchange.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        exchange.flushBody();
    }

    @Override
    public void close() throws IOException {
        exchange.closeBody();
    }
}
