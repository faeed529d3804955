package m0.host;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import m0.app.App;
import m0.app.AppHandler;
import m0.connection.Connections;
import m0.host.Muster.LoopFailure;
import m0.host.Muster.Stage;
import m0.loop.Loop;
import m0.page.LoopLine;
import m0.pool.Shortfall;
import m0.telemetry.HostLog;
import m0.telemetry.LoopPulse;

/**
 * The thread of one loop: it starts the lanes behind it, has the loop's own handler made, waits for
 * those of the lanes, drives the passes, and ends all of them.
 *
 * <p>Threads: {@link #run} is the loop's own; the rest is for any. Errors: whatever is thrown here
 * ends the loop, and the {@link Muster} tells it.
 */
final class LoopThread implements Runnable, LoopPulse {
    private final int index;
    private final Server server;
    private final App app;
    private final Muster muster;
    private final LoopLine line;
    private final LoopLanes lanes;
    private final Thread thread;
    /** Null before it is made and after its end; written by its thread, read by any. */
    private volatile Loop loop;
    private Stage stage = Stage.LANES;
    /** What was being answered as it failed, and the pool thread that did, as its failure has it. */
    private String asked;
    private int askedThread = -1;

    LoopThread(int index, Server server, App app, Muster muster, LoopLine line, LoopLanes lanes) {
        this.index = index;
        this.server = server;
        this.app = app;
        this.muster = muster;
        this.line = line;
        this.lanes = lanes;
        this.thread = new Thread(this, "m0-loop-" + index);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        AppHandler handler = null;
        try {
            lanes.start();
            stage = Stage.MAKE;
            handler = app.make(server.context(index));
            if (handler == null) {
                throw new IllegalStateException("make returned null");
            }
            serve(handler);
        } catch (Throwable failure) {
            // Here the thread ends, so whatever it is has to be told now.
            server.onLoopFailure(failed(failure));
        } finally {
            end(handler);
        }
    }

    private LoopFailure failed(Throwable failure) {
        return new LoopFailure(index, 0, askedThread, stage, failure, asked);
    }

    private void serve(AppHandler handler) throws IOException, InterruptedException {
        stage = Stage.TICK_MS;
        Connections connections = server.connections(index, handler);
        stage = Stage.OPEN;
        try (Loop made = server.openLoop(index, connections)) {
            loop = made;
            if (areLanesReady() && muster.awaitServing(index)) {
                stage = Stage.SERVE;
                runPasses(made, connections);
            }
        } finally {
            loop = null;
            connections.endReturns(failure -> server.log().line("loop=" + index
                    + " an answer that nobody waits for threw: " + Failure.line(failure)));
        }
    }

    private void runPasses(Loop made, Connections connections) throws IOException {
        try {
            made.begin(server.doors(index));
            SocketChannel first = server.firstOf(index);
            if (first != null) {
                made.take(first);
            }
            while (!made.isDone()) {
                made.runPass();
            }
        } finally {
            // Its bytes are given back as the loop closes, so what it was is told from now.
            if (connections.asked() != null) {
                asked = HostLog.target(connections.asked());
                askedThread = connections.askedThread();
            }
        }
    }

    private boolean areLanesReady() throws InterruptedException {
        Shortfall missing = lanes.awaitReady(server.buildingLeftNs());
        if (missing == null) {
            return true;
        }
        server.onLoopFailure(new LoopFailure(index, lanes.missingLane(), missing.thread(),
                Stage.LANES_MAKE, missing.cause(), null));
        return false;
    }

    /** Its siblings know by now; nobody submits to the lanes any more. */
    private void end(AppHandler handler) {
        try {
            server.endLanes(lanes);
            close(handler);
        } finally {
            muster.ended(index);
        }
    }

    /** The application's last word; what it throws ends nothing that has not ended. */
    private void close(AppHandler handler) {
        if (handler == null) {
            return;
        }
        try {
            handler.close();
        } catch (Throwable failure) {
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

    /** Nothing will be served: the loop need not wait for its lanes' handlers. */
    void giveUpLanes() {
        lanes.giveUp();
    }

    @Override
    public int loop() {
        return index;
    }

    @Override
    public long passSinceNs() {
        return line.passSinceNs();
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public void countStall() {
        line.countStall();
    }
}
