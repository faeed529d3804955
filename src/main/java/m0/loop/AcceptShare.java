package m0.loop;

import java.nio.channels.SocketChannel;
import m0.page.LoopLine;

/**
 * One loop's part in spreading what the loops of a process accept.
 *
 * <p>A keep-alive connection stays where it was taken in, so the race for it is decided once and
 * for ever; and whichever loop wakes first wins most of it. So the winner looks who has least,
 * promised ones counted, and hands the connection over: to the strictly lowest, found from a
 * rotating start so that equals take turns, and to nobody if none has less than itself. A loop that
 * has not begun, has left, or has been inside one pass for more than {@value #STUCK_MS} ms is
 * passed over.
 *
 * <p>Rejected: handing over to the next in turn, which is even only as long as all connections live
 * equally long; and leaving it to the kernel, where the loop that was parked last wins nearly all.
 *
 * <p>Threads: its loop's.
 */
final class AcceptShare implements Sharing {
    /** An ordinary pass is far shorter; one that is longer may be a handler that holds the loop. */
    static final int STUCK_MS = 2;

    private static final long STUCK_NS = STUCK_MS * 1_000_000L;

    private final int own;
    private final LoopLine[] lines;
    /** One for each loop; none at all where a loop has no siblings or sharing is off. */
    private final Inbox[] inboxes;
    /** Where the next scan begins: behind the loop that was chosen last. */
    private int start;

    AcceptShare(int own, LoopLine[] lines, Inbox[] inboxes) {
        this.own = own;
        this.lines = lines;
        this.inboxes = inboxes;
        start = own;
    }

    /** Whether a loop can be handed a connection. */
    static boolean takesMore(LoopLine line, long nowNs) {
        if (!line.isServing()) {
            return false;
        }
        long sinceNs = line.passSinceNs();
        return sinceNs == 0 || nowNs - sinceNs <= STUCK_NS;
    }

    /** Whether there is anybody to share with. */
    @Override
    public boolean isOn() {
        return inboxes.length > 0;
    }

    /** It stays here if nobody has less, or if who had less has left. */
    @Override
    public boolean tryPass(SocketChannel channel, long nowNs) {
        return tryPut(channel, choose(nowNs), nowNs);
    }

    /** The loop that is to have the next connection; its own where nobody has less. */
    int choose(long nowNs) {
        int chosen = own;
        // One that has left is nobody's choice, its own neither.
        int least = lines[own].hasLeft() ? Integer.MAX_VALUE : lines[own].load();
        int loop = start;
        for (int looked = 0; looked < lines.length; looked++) {
            if (loop != own && takesMore(lines[loop], nowNs)) {
                int load = lines[loop].load();
                if (load < least) {
                    least = load;
                    chosen = loop;
                }
            }
            loop = next(loop);
        }
        if (chosen != own) {
            start = next(chosen);
        }
        return chosen;
    }

    private int next(int loop) {
        return loop + 1 == lines.length ? 0 : loop + 1;
    }

    boolean tryPut(SocketChannel channel, int loop, long nowNs) {
        if (loop == own || !inboxes[loop].tryPut(channel, nowNs)) {
            return false;
        }
        lines[own].countPassed();
        return true;
    }

    @Override
    public boolean hasReceived() {
        return isOn() && !inboxes[own].isEmpty();
    }

    @Override
    public SocketChannel receive() {
        SocketChannel channel = isOn() ? inboxes[own].poll() : null;
        if (channel != null) {
            lines[own].countReceived();
        }
        return channel;
    }

    @Override
    public void retire() {
        inboxes[own].retire();
    }

    @Override
    public boolean isOwed() {
        return lines[own].pending() > 0;
    }

    @Override
    public void tell(LoopObserver observer) {
        if (lines.length > 1) {
            observer.onShared(own, lines[own].passed(), lines[own].received());
        }
    }
}
