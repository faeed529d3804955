package m0.loop;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import m0.page.LoopLine;
import m0.page.Page;

/**
 * The loops of one process that accept from one listener, and what each of them lets its siblings
 * reach. It is made before the loops, so that each finds the others.
 *
 * <p>The listener is registered with every loop's selector. Closing it would take the key out of
 * the hands of loops that still use theirs; so a loop leaves by cancelling its own key, and the last
 * one to leave closes the channel.
 *
 * <p>Threads: any. Owns: the listener, until the last loop has left it.
 */
public final class LoopGroup {
    private final ServerSocketChannel listener;
    private final LoopLine[] lines;
    private final List<Waker> wakers;
    private final Inbox[] inboxes;
    /** Loops that may still accept. */
    private final AtomicInteger listening;

    /**
     * @param listener bound and non-blocking
     * @param page as many lines as there are to be loops
     * @param sharing whether accepted connections are spread; otherwise whoever accepts keeps
     */
    public LoopGroup(ServerSocketChannel listener, Page page, boolean sharing) {
        this.listener = listener;
        int size = page.loops();
        lines = new LoopLine[size];
        wakers = new ArrayList<>(size);
        inboxes = new Inbox[sharing && size > 1 ? size : 0];
        listening = new AtomicInteger(size);
        for (int loop = 0; loop < size; loop++) {
            lines[loop] = page.line(loop);
            wakers.add(new Waker());
            if (inboxes.length > 0) {
                inboxes[loop] = new Inbox(lines[loop], wakers.get(loop));
            }
        }
    }

    public int size() {
        return lines.length;
    }

    public LoopLine line(int loop) {
        return lines[loop];
    }

    public Waker waker(int loop) {
        return wakers.get(loop);
    }

    /** All of them, in the order of the loops. */
    public List<Waker> wakers() {
        return List.copyOf(wakers);
    }

    ServerSocketChannel listener() {
        return listener;
    }

    AcceptShare share(int loop) {
        return new AcceptShare(loop, lines, inboxes);
    }

    /** A loop has cancelled its key and accepts no more; once for each. */
    void leaveListener() throws IOException {
        if (listening.decrementAndGet() == 0) {
            listener.close();
        }
    }
}
