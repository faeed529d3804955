package m0.host;

import java.io.IOException;
import m0.app.App;
import m0.app.AppHandler;
import m0.host.Muster.LoopFailure;
import m0.host.Muster.Stage;
import m0.loop.Loop;
import m0.telemetry.LoopPulse;

/**
 * The thread of one loop: it has the handler made, drives the passes, and closes both.
 *
 * <p>Threads: {@link #run} is the loop's own; the rest is for any. Errors: whatever is thrown here
 * ends the loop, and the {@link Muster} tells it.
 */
final class LoopThread implements Runnable, LoopPulse {
    private final int index;
    private final Server server;
    private final App app;
    private final Muster muster;
    private final Thread thread;
    /** Null before it is made and after its end; written by its thread, read by any. */
    private volatile Loop loop;
    private Stage stage = Stage.MAKE;

    LoopThread(int index, Server server, App app, Muster muster) {
        this.index = index;
        this.server = server;
        this.app = app;
        this.muster = muster;
        this.thread = new Thread(this, "m0-loop-" + index);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        try {
            AppHandler handler = app.make(server.context(index));
            if (handler == null) {
                throw new IllegalStateException("make returned null");
            }
            try {
                serve(handler);
            } finally {
                close(handler);
            }
        } catch (Throwable failure) {
            // Here the thread ends, so whatever it is has to be told now.
            server.onLoopFailure(new LoopFailure(index, stage, failure));
        } finally {
            muster.ended(index);
        }
    }

    private void serve(AppHandler handler) throws IOException, InterruptedException {
        stage = Stage.OPEN;
        try (Loop made = server.openLoop(index, handler)) {
            loop = made;
            if (muster.awaitServing()) {
                stage = Stage.SERVE;
                while (!made.isDone()) {
                    made.runPass();
                }
            }
        } finally {
            loop = null;
        }
    }

    /** The application's last word; what it throws ends nothing that has not ended. */
    private void close(AppHandler handler) {
        try {
            handler.close();
        } catch (RuntimeException failure) {
            server.log().line("loop=" + index + " the application's close threw: "
                    + Failure.line(failure));
        }
    }

    /** Wakes the loop to drain. One that is not made yet learns of the stop from the muster. */
    void requestStop() throws IOException {
        Loop made = loop;
        if (made != null) {
            made.requestStop();
        }
    }

    @Override
    public long passSinceNs() {
        Loop made = loop;
        return made == null ? 0 : made.passSinceNs();
    }

    @Override
    public Thread thread() {
        return thread;
    }
}
