package m0.pool;

/**
 * How a pool thread waits, and how it is woken; handed in, so that tests can step both.
 *
 * <p>A wake that comes before its park is kept for it. A park may end for no reason.
 */
interface Parking {
    /** The caller is the thread of that index; before anybody may wake it. */
    void begin(int thread);

    /** Waits until it is woken. That thread itself. */
    void park(int thread);

    /** Wakes that thread, or lets its next park end at once. Any thread. */
    void unpark(int thread);
}
