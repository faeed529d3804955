package m0.host;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * A worker's end of the control line.
 *
 * <p>Where the line ends the supervisor is gone, and with it whoever would stop this process one day:
 * that is a stop too.
 *
 * <p>Threads: any; what is heard comes on a thread of its own.
 */
final class WorkerLink implements ControlLine.Hearer {
    private final ControlLine line;
    /** Down once there is nothing to wait for any more before serving, or before not serving. */
    private final CountDownLatch opening = new CountDownLatch(1);
    private Runnable stop;

    private WorkerLink(ControlLine line) {
        this.line = line;
    }

    /** Connects, and says which worker this is. */
    static WorkerLink connect(WorkerSeat seat) throws IOException {
        WorkerLink link = new WorkerLink(ControlLine.connect(WorkerSeat.control(seat.directory())));
        link.line.say(ControlLine.HELLO + " " + seat.worker() + " " + ProcessId.own());
        return link;
    }

    /** Begins to hear; from now on a stop is told. */
    void hear(Runnable onStop) {
        stop = onStop;
        line.hear("m0-control", this);
    }

    @Override
    public void onLine(String word) {
        if (word.equals(ControlLine.SERVE)) {
            opening.countDown();
        } else if (word.equals(ControlLine.STOP)) {
            onEnd();
        }
    }

    @Override
    public void onEnd() {
        stop.run();
        opening.countDown();
    }

    /** Says that this worker could serve, and waits until it may, or is to go. */
    void awaitServe() throws InterruptedException {
        line.say(ControlLine.ARMED);
        opening.await();
    }

    /** Says why this worker is about to end with 78. */
    void refuse(String reason) {
        line.say(ControlLine.REFUSED + " " + reason);
    }
}
