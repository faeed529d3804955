package sim_loop;

import java.util.Locale;

/**
 * A damped spring, moved on by a quarter of a second a step.
 *
 * <p>The step is integrated again and again, each time in twice as many parts, until its time is
 * used up, and the finest result counts: so it takes as long on any machine.
 *
 * <p>Threads: one at a time.
 */
final class Spring {
    static final double STEP_SECONDS = 0.25;

    private static final double STIFFNESS = 4.0;
    private static final double DAMPING = 0.01;
    private static final int PARTS_FIRST = 64;
    private static final int PARTS_MAX = 1 << 20;

    private final long workNs;
    private long step;
    private double position = 1.0;
    private double speed;
    private double nextPosition;
    private double nextSpeed;

    /** @param workNs how long a step takes */
    Spring(long workNs) {
        this.workNs = workNs;
    }

    void step() {
        long startNs = System.nanoTime();
        int parts = PARTS_FIRST;
        integrate(parts);
        while (System.nanoTime() - startNs < workNs) {
            parts = Math.min(2 * parts, PARTS_MAX);
            integrate(parts);
        }
        position = nextPosition;
        speed = nextSpeed;
        step++;
    }

    private void integrate(int parts) {
        double part = STEP_SECONDS / parts;
        nextPosition = position;
        nextSpeed = speed;
        for (int index = 0; index < parts; index++) {
            nextSpeed -= (STIFFNESS * nextPosition + DAMPING * nextSpeed) * part;
            nextPosition += nextSpeed * part;
        }
    }

    /** {@code {"step":N,"seconds":S,"position":X,"speed":V}}. */
    String state() {
        return String.format(Locale.ROOT,
                "{\"step\":%d,\"seconds\":%.2f,\"position\":%.6f,\"speed\":%.6f}",
                step, step * STEP_SECONDS, position, speed);
    }
}
