package m0.loop;

import java.nio.channels.SocketChannel;
import java.util.Queue;
import m0.page.LoopLine;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Accepted connections that siblings have handed to one loop.
 *
 * <p>Threads: {@link #tryPut} any, the rest the loop's. Owns: the channels in it, until the loop
 * takes them. Limits: {@value #CHANNELS_MAX} channels; one that does not fit stays with its sender.
 */
final class Inbox {
    /** Many more than siblings can hand over while this loop is inside one pass of 2 ms. */
    private static final int CHANNELS_MAX = 1024;

    private final LoopLine line;
    private final Waker waker;
    private final Queue<SocketChannel> channels;

    Inbox(LoopLine line, Waker waker) {
        this(line, waker, new ManyToOneConcurrentArrayQueue<>(CHANNELS_MAX));
    }

    /** With a bounded queue for many senders and one taker. */
    Inbox(LoopLine line, Waker waker, Queue<SocketChannel> channels) {
        this.line = line;
        this.waker = waker;
        this.channels = channels;
    }

    /**
     * Hands a connection over, if the loop still takes one: the promise comes before the second
     * look, so that a loop which leaves between the two knows what it is owed.
     *
     * @return false if the connection stays with the caller
     */
    boolean tryPut(SocketChannel channel, long nowNs) {
        line.addPending(1);
        if (AcceptShare.takesMore(line, nowNs) && channels.offer(channel)) {
            waker.wake();
            return true;
        }
        line.addPending(-1);
        return false;
    }

    /** The next one, or null; what was promised with it stands until {@link #retire}. */
    SocketChannel poll() {
        return channels.poll();
    }

    /** One that was polled counts among the loop's own now, or has gone elsewhere. */
    void retire() {
        line.addPending(-1);
    }

    boolean isEmpty() {
        return channels.isEmpty();
    }
}
