package m0.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import m0.bytes.GrowableBytes;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.loop.Transport;

/**
 * What a connection borrows while an answer does not fit the socket: first {@code front}, then the
 * body, of which there is at most one, since nothing is answered behind an answer that is stuck.
 *
 * <p>A source is pulled into {@code front}, chunk by chunk, whenever that is empty.
 */
final class Outbound extends Held {
    /** Bytes sent for one event, so that one fast reader of a large body cannot hold the loop. */
    private static final int EVENT_BYTES_MAX = Workbench.SLICE_BYTES;
    private static final int KEPT_BYTES_MAX = 16 * 1024;
    private static final byte[] LINE_END = {'\r', '\n'};
    /** What ends a chunked body (RFC 9112 §7.1). */
    static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

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
    private ChunkSource source;
    /** What the source runs to be asked; null where it has not been offered that yet, or declined. */
    private SourceWake wake;
    private boolean wakeOffered;
    private boolean chunked;
    /** Bytes that the source still owes, or {@link Body.Chunks#UNKNOWN}. */
    private long owed;
    /** What the source answers, for the log. */
    private String what;
    private boolean sourceWaits;
    /** Memory that the source keeps, as it last said. */
    private long sourceBytes;
    /** Bytes of the body in all, or pulled so far. */
    private long bodyBytes;
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

    /** The source is closed when it has ended, and by {@link #abandonSource}. */
    void setSource(Body.Chunks chunks, boolean inChunks, String answered, SourceWake offered) {
        source = chunks.source();
        owed = chunks.length();
        chunked = inChunks;
        what = answered;
        wake = offered;
        wakeOffered = false;
    }

    /** Whether something of a body is still to be sent. */
    boolean hasBody() {
        return bodyBytesLeft() > 0 || source != null;
    }

    /** Bytes of a body of known length that are still to be sent. */
    private long bodyBytesLeft() {
        return bodyEnd - bodyAt + (fileEnd - fileAt);
    }

    /** Bytes that are still to be sent, as far as they are known. */
    long bytesLeft() {
        return front.length() - frontAt + bodyBytesLeft();
    }

    /** Bytes of the body that went out, of what the record announced or the source gave. */
    long bodyBytesSent() {
        return record.bytes + bodyBytes - bodyBytesLeft();
    }

    /** Whether all is sent that the source has given, and it has nothing more for now. */
    boolean waitsForSource() {
        return sourceWaits;
    }

    /** The source that had nothing is asked once more. */
    void askAgain() {
        sourceWaits = false;
    }

    /** Whether the source says itself when it is to be asked again. */
    boolean isWoken() {
        return wake != null;
    }

    /** A copy of what is left of the front. */
    byte[] takeFront() {
        return Arrays.copyOfRange(front.array(), frontAt, front.length());
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
            } else if (sourceWaits) {
                break;
            } else if (source != null) {
                if (!pull(bench)) {
                    return Sent.BROKEN;
                }
                continue;
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
        boolean all = bytesLeft() == 0 && source == null;
        return all ? Sent.ALL : total > 0 ? Sent.SOME : Sent.NONE;
    }

    /** Takes the source's next bytes into the front, which is empty; false if it failed. */
    private boolean pull(Workbench bench) {
        ByteBuffer into = bench.pulled();
        boolean more;
        try {
            offerWake();
            more = source.next(into);
            checkOwed(into.position(), more);
        } catch (Exception failure) {
            bench.observer.onHookFailure(bench.loop, what, failure);
            return false;
        }
        int count = into.position();
        front.clear();
        frontAt = 0;
        bodyBytes += count;
        if (count > 0) {
            addChunk(into.array(), count);
        }
        // With all that it owes it has ended, whether or not it knows.
        more &= owed != 0 || count > 0;
        sourceWaits = more && count == 0;
        if (!more) {
            if (chunked) {
                front.append(LAST_CHUNK, 0, LAST_CHUNK.length);
            }
            closeSource(bench);
        }
        return true;
    }

    private void offerWake() throws Exception {
        if (!wakeOffered) {
            wakeOffered = true;
            if (!source.wakesBy(wake)) {
                wake.end();
                wake = null;
            }
        }
    }

    /** Neither fewer bytes may come than were announced nor more (RFC 9110 §8.6). */
    private void checkOwed(int count, boolean more) {
        if (owed == Body.Chunks.UNKNOWN) {
            return;
        }
        if (count > owed) {
            throw new IllegalStateException("more bytes came than were announced");
        }
        owed -= count;
        if (owed > 0 && !more) {
            throw new IllegalStateException("fewer bytes came than were announced, by " + owed);
        }
    }

    /** RFC 9112 §7.1. */
    private void addChunk(byte[] array, int count) {
        if (chunked) {
            byte[] size = Integer.toHexString(count).getBytes(StandardCharsets.US_ASCII);
            front.append(size, 0, size.length);
            front.append(LINE_END, 0, LINE_END.length);
        }
        front.append(array, 0, count);
        if (chunked) {
            front.append(LINE_END, 0, LINE_END.length);
        }
    }

    private void closeSource(Workbench bench) {
        ChunkSource ended = source;
        source = null;
        if (wake != null) {
            wake.end();
            wake = null;
        }
        close(ended, what, bench);
    }

    /** Closes a source; what it throws is the application's and ends nothing. */
    static void close(ChunkSource source, String what, Workbench bench) {
        try {
            source.close();
        } catch (Exception failure) {
            bench.observer.onHookFailure(bench.loop, what, failure);
        }
    }

    /** Whether the file has become shorter than what was announced. */
    private boolean isTruncated() {
        try {
            return file.size() <= fileAt;
        } catch (IOException unreadable) {
            return true;
        }
    }

    /** Asks the source what it keeps, which grows beside the loop; false if it failed. */
    boolean tryCountSource(Workbench bench) {
        try {
            sourceBytes = source == null ? 0 : Math.max(0, source.heldBytes());
            return true;
        } catch (Exception failure) {
            bench.observer.onHookFailure(bench.loop, what, failure);
            return false;
        }
    }

    /** A body in memory is the application's. */
    @Override
    long capacity() {
        return front.capacity() + sourceBytes;
    }

    /** Ends a source that has not ended, before {@link #clear}. */
    void abandonSource(Workbench bench) {
        if (source != null) {
            closeSource(bench);
        }
    }

    @Override
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
        what = null;
        sourceWaits = false;
        sourceBytes = 0;
        bodyBytes = 0;
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
