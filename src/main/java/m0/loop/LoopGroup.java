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
 * reach. It is made before the loops, so that each finds the others; loops of other processes it
 * knows by their lines in the page alone.
 *
 * <p>The listener is registered with every loop's selector. Closing it would take the key out of
 * the hands of loops that still use theirs; so a loop leaves by cancelling its own key, and the last
 * one to leave closes the channel, unless that was inherited: then other processes listen on it, and
 * the JDK would take stdout and stderr away with it.
 *
 * <p>Threads: any. Owns: the listener, until the last loop has left it, where it is not inherited.
 */
public final class LoopGroup {
    private final ServerSocketChannel listener;
    private final boolean inherited;
    private final boolean sharing;
    private final int first;
    /** Of all loops, wherever they run. */
    private final LoopLine[] lines;
    private final List<Waker> wakers;
    private final Inbox[] inboxes;
    /** Loops that may still accept. */
    private final AtomicInteger listening;

    /**
     * All loops of a page in this process, behind a listener of its own.
     *
     * @param listener bound and non-blocking
     * @param page as many lines as there are to be loops
     * @param sharing whether accepted connections are spread; otherwise whoever accepts keeps
     */
    public LoopGroup(ServerSocketChannel listener, Page page, boolean sharing) {
        this(listener, false, page, 0, page.loops(), sharing);
    }

    /**
     * Some loops of a page, the others being in other processes.
     *
     * @param inherited whether the listener is never to be closed
     * @param first the first loop of this process
     * @param size how many there are in this process: all of the page's, or one
     */
    public LoopGroup(ServerSocketChannel listener, boolean inherited, Page page, int first,
            int size, boolean sharing) {
        this.listener = listener;
        this.inherited = inherited;
        this.sharing = sharing;
        this.first = first;
        lines = new LoopLine[page.loops()];
        for (int loop = 0; loop < lines.length; loop++) {
            lines[loop] = page.line(loop);
        }
        wakers = new ArrayList<>(size);
        inboxes = new Inbox[sharing && size > 1 ? size : 0];
        listening = new AtomicInteger(size);
        for (int local = 0; local < size; local++) {
            wakers.add(new Waker());
            if (inboxes.length > 0) {
                inboxes[local] = new Inbox(lines[local], wakers.get(local));
            }
        }
    }

    /** Loops of this process. */
    public int size() {
        return wakers.size();
    }

    public LoopLine line(int loop) {
        return lines[loop];
    }

    public Waker waker(int loop) {
        return wakers.get(loop - first);
    }

    /** Those of this process, in the order of its loops. */
    public List<Waker> wakers() {
        return List.copyOf(wakers);
    }

    ServerSocketChannel listener() {
        return listener;
    }

    Sharing share(int loop) {
        return size() == lines.length ? new AcceptShare(loop, lines, inboxes)
                : new StandingBack(loop, lines, sharing);
    }

    /** A loop has cancelled its key and accepts no more; once for each. */
    void leaveListener() throws IOException {
        if (listening.decrementAndGet() == 0 && !inherited) {
            listener.close();
        }
    }
}
