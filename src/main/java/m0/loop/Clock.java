package m0.loop;

/** The two times a loop reads, handed in so that tests can step them. Threads: any. */
public interface Clock {
    /** The machine's own clocks. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long epochMillis() {
            return System.currentTimeMillis();
        }
    };

    /** Monotonic nanoseconds from an arbitrary origin: for deadlines and durations. */
    long nanoTime();

    /** Milliseconds since 1970: for the {@code Date} field and the log. */
    long epochMillis();
}
