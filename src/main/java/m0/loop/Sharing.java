package m0.loop;

import java.nio.channels.SocketChannel;

/**
 * One loop's part in spreading what is accepted. Within a process whoever accepts hands over
 * ({@link AcceptShare}); a process cannot give a connection away, so there one with more than others
 * leaves it to them ({@link StandingBack}).
 *
 * <p>Threads: its loop's.
 */
interface Sharing {
    /**
     * Whether the next connection is to be left to a sibling.
     *
     * @param taken how many this loop has accepted since it was told last that there are some
     */
    default boolean leavesNext(int taken, long nowNs) {
        return false;
    }

    /** The listener was watched, and nobody waited there. */
    default void nobodyWaited() { }

    /** Whether this loop, which drains, leaves who waits in the backlog to a sibling that serves on. */
    default boolean leavesBacklog(long nowNs) {
        return false;
    }

    /** How long the loop is to look away from what it leaves. */
    default long awayNs() {
        return 0;
    }

    /** Whether {@link #tryPass} may ever hand anything over. */
    default boolean isOn() {
        return false;
    }

    /**
     * Hands an accepted connection to who has least.
     *
     * @return false if it stays here
     */
    default boolean tryPass(SocketChannel channel, long nowNs) {
        return false;
    }

    /** Whether a sibling has handed over what is not taken in yet. */
    default boolean hasReceived() {
        return false;
    }

    /** The next connection from a sibling, or null; {@link #retire} follows. */
    default SocketChannel receive() {
        return null;
    }

    /** The received one is taken in, and counted among the loop's own, or was handed on. */
    default void retire() { }

    /** Whether a sibling has promised a connection that is not taken in yet. */
    default boolean isOwed() {
        return false;
    }

    /** The drain is over: says what was shared. */
    void tell(LoopObserver observer);
}
