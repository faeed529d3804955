package m0.connection;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import m0.http.Body;
import m0.http.ChunkSource;
import m0.http.Response;
import m0.http.write.ResponseHead;
import m0.loop.Transport;

/**
 * The writing half of a connection: answers are gathered in the bench's buffer and leave in one
 * write; what the socket does not take waits in an {@link Outbound}.
 *
 * <p>Threads: the loop's. Owns: the outbound, while an answer is stuck. Errors: a broken transport is
 * remembered, and nothing is written to it any more.
 */
final class Sender {
    /** Turns that fill a socket's buffer, of some 64 KiB each: more than Linux lets it grow to. */
    private static final int FILL_TURNS_MAX = 128;

    private final Workbench bench;
    private final Transport transport;
    private Outbound outbound;
    /** Writing failed: nothing more can be said to this peer. */
    private boolean broken;
    /** Something of an answer that was stuck has gone out since the last settling. */
    private boolean progressed;

    Sender(Workbench bench, Transport transport) {
        this.bench = bench;
        this.transport = transport;
    }

    boolean isBroken() {
        return broken;
    }

    void markBroken() {
        broken = true;
    }

    /** Whether an answer has not gone out whole. */
    boolean isStuck() {
        return outbound != null;
    }

    /** Whether it is the application that has nothing to send for now. */
    boolean waitsForSource() {
        return outbound != null && outbound.waitsForSource();
    }

    /** The next flush asks the source again, for which {@link #waitsForSource it waits}. */
    void askAgain() {
        outbound.askAgain();
    }

    /** Whether the source for which {@link #waitsForSource it waits} says when it has something. */
    boolean isWoken() {
        return outbound.isWoken();
    }

    /** Whether an answer that was stuck has moved since the last call. */
    boolean takeProgress() {
        boolean moved = progressed;
        progressed = false;
        return moved;
    }

    void writeHead(Response response, byte[] lines, boolean close, boolean keepAliveTold) {
        int sizeMax = ResponseHead.sizeMax(response, lines);
        if (sizeMax <= bench.out.capacity()) {
            makeRoom(sizeMax);
            ResponseHead.write(bench.out, response, bench.dateLine(), lines, close, keepAliveTold);
        } else {
            ByteBuffer large = ByteBuffer.allocate(sizeMax);
            ResponseHead.write(large, response, bench.dateLine(), lines, close, keepAliveTold);
            useOutbound().addFront(large.array(), 0, large.position());
        }
    }

    void writeContinue() {
        makeRoom(ResponseHead.continueSize());
        ResponseHead.writeContinue(bench.out);
    }

    void writeBytes(Body.Bytes body) {
        int fitting = Math.min(body.length(), bench.out.remaining());
        bench.out.put(body.array(), body.offset(), fitting);
        if (fitting < body.length()) {
            useOutbound().setBody(body.array(), body.offset() + fitting,
                    body.length() - fitting);
        }
    }

    /** The file is closed when it is sent, or can no longer be. */
    void writeFile(FileChannel file, Body.FileRegion region) {
        useOutbound().setFile(file, region.offset(), region.length());
    }

    /** The source is closed when it has ended, or can no longer be sent. */
    void writeChunks(Body.Chunks chunks, boolean chunked, String what, SourceWake wake) {
        useOutbound().setSource(chunks, chunked, what, wake);
    }

    /** Ends a source whose body is not wanted. */
    void dropChunks(ChunkSource source, String what) {
        Outbound.close(source, what, bench);
    }

    /** Makes {@code size} bytes free in the bench's buffer, which holds as many. */
    private void makeRoom(int size) {
        if (size > bench.out.remaining()) {
            flush();
        }
    }

    /** From here on what is written goes through the outbound, in order. */
    private Outbound useOutbound() {
        if (outbound == null) {
            outbound = bench.borrowOutbound();
        }
        outbound.addFront(bench.out.array(), 0, bench.out.position());
        bench.out.clear();
        return outbound;
    }

    /** Keeps the record until the body is out; false if it is out, or in the bench's buffer. */
    boolean keepRecord(ExchangeRecord record) {
        if (outbound == null || !outbound.hasBody()) {
            return false;
        }
        outbound.record = record.copy();
        return true;
    }

    /** Sends what is written; what the socket does not take stays in the outbound. */
    void flush() {
        ByteBuffer out = bench.out;
        if (broken) {
            out.clear();
        } else if (outbound != null) {
            sendOutbound();
        } else if (out.position() > 0) {
            int sent = bench.send(transport, out.array(), 0, out.position());
            broken = sent == Transport.FAILED;
            if (!broken && sent < out.position()) {
                outbound = bench.borrowOutbound();
                outbound.addFront(out.array(), sent, out.position() - sent);
            }
            out.clear();
        }
    }

    private void sendOutbound() {
        Outbound.Sent sent = useOutbound().send(bench, transport);
        if (sent == Outbound.Sent.BROKEN) {
            broken = true;
        } else if (sent != Outbound.Sent.NONE) {
            progressed = true;
        }
        if (sent == Outbound.Sent.ALL) {
            dropOutbound();
        }
    }

    /** What has not gone out of an answer without a body: a stream sends it in front of its own. */
    byte[] takeRest() {
        byte[] rest = outbound.takeFront();
        dropOutbound();
        return rest;
    }

    /** Whether memory allows to keep what is stuck; a source that fails to say breaks the answer. */
    boolean isWithinBounds() {
        if (outbound == null) {
            return true;
        }
        broken |= !outbound.tryCountSource(bench);
        return bench.holds(outbound);
    }

    /**
     * Writes until the socket is full: a peer that has stopped reading must not seem to go on, sweep
     * after sweep, for as long as the buffer has room.
     */
    void fillSocket() {
        long left;
        int turns = 0;
        do {
            left = outbound.bytesLeft();
            flush();
        } while (outbound != null && !broken && outbound.bytesLeft() < left
                && ++turns < FILL_TURNS_MAX);
    }

    /** Nothing more is sent; an answer that was cut is told to the observer. */
    void close() {
        bench.out.clear();
        dropOutbound();
    }

    private void dropOutbound() {
        if (outbound == null) {
            return;
        }
        if (outbound.record != null) {
            outbound.record.bytes = outbound.bodyBytesSent();
            bench.observer.onExchange(outbound.record);
        }
        bench.giveBack(outbound);
        outbound = null;
    }
}
