package m0.connection;

import java.io.IOException;
import java.nio.channels.FileChannel;
import m0.bytes.GrowableBytes;
import m0.loop.Transport;

/**
 * What a connection borrows while an answer does not fit the socket: first {@code front}, then the
 * body, of which there is at most one, since nothing is answered behind an answer that is stuck.
 */
final class Outbound {
    /** Bytes sent for one event, so that one fast reader of a large body cannot hold the loop. */
    private static final int EVENT_BYTES_MAX = Workbench.SLICE_BYTES;
    private static final int KEPT_BYTES_MAX = 16 * 1024;

    /** How far a call of {@link #send} got. */
    enum Sent { ALL, SOME, NONE, BROKEN }

    private final GrowableBytes front = new GrowableBytes();
    private int frontAt;
    private byte[] body;
    private int bodyAt;
    private int bodyEnd;
    private FileChannel file;
    private long fileAt;
    private long fileEnd;
    /** What the bench has counted of {@link #capacity} so far. */
    long heldBytes;
    /** The access log's record of the answer whose body this is, or null. */
    ExchangeRecord record;

    /** Adds bytes that go out before the body. */
    void addFront(byte[] array, int offset, int length) {
        front.append(array, offset, length);
    }

    void setBody(byte[] array, int offset, int length) {
        body = array;
        bodyAt = offset;
        bodyEnd = offset + length;
    }

    /** The file is closed by {@link #clear}. */
    void setFile(FileChannel channel, long offset, long length) {
        file = channel;
        fileAt = offset;
        fileEnd = offset + length;
    }

    /** Bytes of the body that are still to be sent. */
    long bodyBytesLeft() {
        return bodyEnd - bodyAt + (fileEnd - fileAt);
    }

    /** Bytes that are still to be sent. */
    long bytesLeft() {
        return front.length() - frontAt + bodyBytesLeft();
    }

    /** Sends what fits, at most {@value #EVENT_BYTES_MAX} bytes or one slice more. */
    Sent send(Workbench bench, Transport transport) {
        long total = 0;
        while (total < EVENT_BYTES_MAX) {
            long sent;
            long wanted;
            if (frontAt < front.length()) {
                wanted = front.length() - frontAt;
                sent = bench.send(transport, front.array(), frontAt, (int) wanted);
                frontAt += (int) Math.max(sent, 0);
            } else if (bodyAt < bodyEnd) {
                wanted = Math.min(bodyEnd - bodyAt, Workbench.SLICE_BYTES);
                sent = bench.send(transport, body, bodyAt, (int) wanted);
                bodyAt += (int) Math.max(sent, 0);
            } else if (fileAt < fileEnd) {
                wanted = Math.min(fileEnd - fileAt, EVENT_BYTES_MAX);
                sent = transport.transfer(file, fileAt, wanted);
                fileAt += Math.max(sent, 0);
                if (sent == 0 && isTruncated()) {
                    return Sent.BROKEN;
                }
            } else {
                return Sent.ALL;
            }
            if (sent < 0) {
                return Sent.BROKEN;
            }
            total += sent;
            if (sent < wanted) {
                break;
            }
        }
        return bytesLeft() == 0 ? Sent.ALL : total > 0 ? Sent.SOME : Sent.NONE;
    }

    /** Whether the file has become shorter than what was announced. */
    private boolean isTruncated() {
        try {
            return file.size() <= fileAt;
        } catch (IOException unreadable) {
            return true;
        }
    }

    /** Bytes of memory taken by what is kept; a body in memory is the application's. */
    long capacity() {
        return front.capacity();
    }

    void clear() {
        front.clear();
        front.shed(KEPT_BYTES_MAX);
        frontAt = 0;
        body = null;
        bodyAt = 0;
        bodyEnd = 0;
        close(file);
        file = null;
        fileAt = 0;
        fileEnd = 0;
        record = null;
    }

    /** Closes a file that was only read, if there is one. */
    static void close(FileChannel file) {
        if (file != null) {
            try {
                file.close();
            } catch (IOException nothingToLose) {
                // The descriptor is gone either way, and the answer's fate is decided.
                return;
            }
        }
    }
}
