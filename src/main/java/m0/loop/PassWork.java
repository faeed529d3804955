package m0.loop;

/** What a loop does in its passes beside selecting and accepting. Threads: the loop's. */
public interface PassWork {
    /** Returned by {@link #runTimers} when nothing is due ever. */
    long NEVER = Long.MAX_VALUE;

    /** A pass begins at that time; called before any other method in it. */
    void beginPass(long nowNs);

    /** Whether one more connection can be taken. */
    boolean hasRoom();

    /** Takes a new connection. */
    ReadyWork admit(Transport transport);

    /** Connections that hold a slot. */
    int live();

    /**
     * Whether work from other threads waits. Asked once more between raising the parked flag and
     * selecting, so it must see whatever was left before a {@link Waker#wake}.
     */
    boolean hasMail();

    /**
     * Does one bounded turn of the work that other threads have left.
     *
     * @return whether more is waiting, so that the loop must not block
     */
    boolean runMail();

    /** Sends what this pass has gathered for streams; after the mail, before the timers. */
    void flush();

    /**
     * Does what is due.
     *
     * @return nanoseconds from the pass's time to the next thing due, or {@link #NEVER}
     */
    long runTimers();

    /** The drain begins: idle connections go, the others finish what they have begun. */
    void beginDrain();

    /** Whether the drain has nothing left to wait for. */
    boolean isDrained();

    /** Closes what is left, and says how many connections that were. */
    int closeAll();
}
