package m0.connection;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import m0.loop.Transport;

/** A peer in memory which fails the test where a connection uses a socket that it has closed. */
final class StrictTransport implements Transport {
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private boolean readWanted = true;
    private boolean writeWanted;
    private boolean outputShut;
    boolean finSent;
    boolean readFails;
    boolean writeFails;
    boolean closed;
    /** Bytes the socket still takes. */
    long room = Long.MAX_VALUE / 2;

    void send(byte[] bytes) {
        pieces.addLast(bytes);
    }

    /** Has these bytes come with what was sent last, if that is still on its way. */
    void append(byte[] bytes) {
        byte[] last = pieces.pollLast();
        byte[] joined = last == null ? bytes : Arrays.copyOf(last, last.length + bytes.length);
        if (last != null) {
            System.arraycopy(bytes, 0, joined, last.length, bytes.length);
        }
        pieces.addLast(joined);
    }

    byte[] written() {
        return written.toByteArray();
    }

    boolean isReadable() {
        return readWanted && (!pieces.isEmpty() || finSent || readFails);
    }

    boolean isWritable() {
        return writeWanted && (room > 0 || writeFails);
    }

    @Override
    public int read(ByteBuffer into) {
        checkOpen("read");
        if (readFails) {
            return FAILED;
        }
        byte[] piece = pieces.pollFirst();
        if (piece == null) {
            return finSent ? END : 0;
        }
        int count = Math.min(piece.length, into.remaining());
        into.put(piece, 0, count);
        if (count < piece.length) {
            pieces.addFirst(Arrays.copyOfRange(piece, count, piece.length));
        }
        return count;
    }

    @Override
    public int write(ByteBuffer from) {
        checkOpen("write");
        if (outputShut) {
            throw new AssertionError("write behind the end of output");
        }
        if (writeFails) {
            return FAILED;
        }
        int count = (int) Math.min(from.remaining(), room);
        room -= count;
        for (int i = 0; i < count; i++) {
            written.write(from.get());
        }
        return count;
    }

    @Override
    public long transfer(FileChannel file, long position, long count) {
        throw new AssertionError("no answer of this test is a file");
    }

    @Override
    public void interest(boolean read, boolean write) {
        checkOpen("interest");
        readWanted = read;
        writeWanted = write;
    }

    @Override
    public boolean shutdownOutput() {
        checkOpen("shutdownOutput");
        outputShut = true;
        return !writeFails;
    }

    @Override
    public boolean keepAlive(int seconds) {
        checkOpen("keepAlive");
        return true;
    }

    @Override
    public void close() {
        checkOpen("close");
        closed = true;
    }

    @Override
    public InetSocketAddress remote() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public InetSocketAddress local() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    }

    private void checkOpen(String call) {
        if (closed) {
            throw new AssertionError(call + " of a closed transport");
        }
    }
}
