package m0.host;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A worker's process and the two ways between it and its supervisor: what it writes, and the control
 * line once it has connected.
 *
 * <p>Its output comes by pipes of our own. The JDK's would be emptied by another thread the moment
 * the process ends, beside whoever reads them, and lines could change places.
 *
 * <p>Threads: the supervising one, but for {@link #kill} and {@link #awaitEnd}.
 */
final class RunningWorker implements WorkerProcess {
    /** How long lines of a process that has ended are waited for, where others hold its streams. */
    private static final long LAST_LINES_MS = 200;
    /** How long a worker that has ended with 78 may be on its way to being heard. */
    private static final long REASON_MS = 5000;

    private final int worker;
    private final Process process;
    private final WorkerOutput out;
    private final WorkerOutput err;
    /** Down once all that it has said on the control line was dealt with. */
    private final CountDownLatch heard = new CountDownLatch(1);
    /** Null until it has connected. */
    private ControlLine line;
    private boolean stopped;

    private RunningWorker(int worker, Process process, WorkerOutput out, WorkerOutput err) {
        this.worker = worker;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static RunningWorker start(int worker, WorkerCommand command, Path directory, Redirect listener)
            throws IOException {
        Pipe out = Pipe.open();
        try {
            Pipe err = Pipe.open();
            try {
                Process process = command.start(worker, directory, listener,
                        redirect(out.sink()), redirect(err.sink()));
                return new RunningWorker(worker, process, relay(out, System.out, worker),
                        relay(err, System.err, worker));
            } catch (IOException failure) {
                err.source().close();
                throw failure;
            } finally {
                // The process has its own by now, and this one would keep the pipe from ending.
                err.sink().close();
            }
        } catch (IOException failure) {
            out.source().close();
            throw failure;
        } finally {
            out.sink().close();
        }
    }

    private static Redirect redirect(Pipe.SinkChannel sink) throws IOException {
        try {
            return DescriptorPassing.redirect(sink);
        } catch (ReflectiveOperationException missing) {
            throw new IOException("a pipe cannot be passed on: " + missing, missing);
        }
    }

    private static WorkerOutput relay(Pipe pipe, PrintStream to, int worker) {
        return WorkerOutput.start(Channels.newInputStream(pipe.source()), to,
                "m0-output-" + worker);
    }

    int worker() {
        return worker;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    /** It has connected; what it was to be told meanwhile it is told now. */
    void connected(ControlLine connection) {
        line = connection;
        if (stopped) {
            line.say(ControlLine.STOP);
        }
    }

    /** Its control line has ended, and all that it said there was dealt with. */
    void heard() {
        heard.countDown();
    }

    @Override
    public void serve() {
        line.say(ControlLine.SERVE);
    }

    @Override
    public void stop() {
        stopped = true;
        if (line != null) {
            line.say(ControlLine.STOP);
        }
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    /**
     * Waits for its end and for its last lines, and where it was refused until its reason was heard:
     * a line and the end of a process come by different threads. Its exit code.
     */
    int awaitEnd() throws InterruptedException {
        int code = process.waitFor();
        out.join(LAST_LINES_MS, LAST_LINES_MS);
        err.join(LAST_LINES_MS, LAST_LINES_MS);
        if (code == ExitCode.REFUSED) {
            heard.await(REASON_MS, TimeUnit.MILLISECONDS);
        }
        return code;
    }

    /** Whether all that it has written is passed on. */
    boolean isThrough() {
        return out.isThrough() && err.isThrough();
    }

    /** It has ended: waits for what it has written and nobody has read yet. */
    void passOn(long boundMs) throws InterruptedException {
        out.join(LAST_LINES_MS, boundMs);
        err.join(LAST_LINES_MS, boundMs);
    }
}
