package m0.connection;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import m0.loop.Transport;

/** A peer in memory: what it sends comes piece by piece, what it takes is rationed. */
final class ScriptedTransport implements Transport {
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private boolean finSent;
    /** Bytes the socket still takes; a peer that reads raises it. */
    long room = Long.MAX_VALUE;
    boolean readFails;
    boolean writeFails;
    boolean readWanted = true;
    boolean writeWanted;
    boolean outputShut;
    boolean closed;
    int keepAliveSeconds;
    int reads;
    int writes;

    void send(String text) {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) {
        pieces.addLast(bytes);
    }

    void sendFin() {
        finSent = true;
    }

    boolean hasInput() {
        return !pieces.isEmpty() || finSent || readFails;
    }

    /** What has been written since the last call. */
    String takeWritten() {
        String text = written.toString(StandardCharsets.ISO_8859_1);
        written.reset();
        return text;
    }

    @Override
    public int read(ByteBuffer into) {
        reads++;
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
            byte[] rest = new byte[piece.length - count];
            System.arraycopy(piece, count, rest, 0, rest.length);
            pieces.addFirst(rest);
        }
        return count;
    }

    @Override
    public int write(ByteBuffer from) {
        writes++;
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
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, room));
        try {
            file.read(bytes, position);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        bytes.flip();
        return write(bytes);
    }

    @Override
    public void interest(boolean read, boolean write) {
        readWanted = read;
        writeWanted = write;
    }

    @Override
    public boolean shutdownOutput() {
        outputShut = true;
        return !writeFails;
    }

    @Override
    public boolean keepAlive(int seconds) {
        keepAliveSeconds = seconds;
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public InetSocketAddress remote() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
    }

    @Override
    public InetSocketAddress local() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
    }
}
