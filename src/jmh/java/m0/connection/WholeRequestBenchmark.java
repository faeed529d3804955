package m0.connection;

import java.util.concurrent.TimeUnit;
import java.util.List;
import m0.app.AppHandler;
import m0.bus.Bus;
import m0.http.Request;
import m0.http.Response;
import m0.http.parse.ProtocolViolation;
import m0.http.parse.RequestBytes;
import m0.loop.Clock;
import m0.loop.ReadyWork;
import m0.loop.StopWord;
import m0.loop.Waker;
import m0.page.Page;
import m0.pool.Completions;
import m0.pool.Lanes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a request cost without its socket: read, parse, handler, answer, write, over a
 * transport in memory?
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WholeRequestBenchmark implements ExchangeObserver {
    private static final int DEPTH = 16;
    private static final Response HEALTH = Response.text(200, "ok");
    private static final Response NOTE = Response.text(200, "a note");

    private final Page page = Page.inMemory(1, 0);
    private final Bus bus = new Bus(page, Bus.RING_BYTES, List.of(new Waker()));
    private final Connections connections = new Connections(0, withoutCap(), handler(),
            Lanes.none(new Completions(1, new Waker())), Clock.SYSTEM, new StopWord(), this, new LoopStreams(), bus.source(0), page);
    private final Peer small = new Peer(RequestBytes.small());
    private final Peer browser = new Peer(RequestBytes.browser());
    private final Peer pipelined = new Peer(repeated(RequestBytes.small()));

    private static ConnectionConfig withoutCap() {
        ConnectionConfig config = ConnectionConfig.DEFAULT;
        return new ConnectionConfig(config.limits(), config.connectionsMax(), 0,
                config.headerTimeoutNs(), config.bodyTimeoutNs(), config.bodyRate(),
                config.idleTimeoutNs(), config.sendTimeoutNs(), config.heldBytesMax(),
                config.tickNs(), 0, 0, config.streams());
    }

    @Override
    public void onStreamRefused(int loop, int thread, Request request) {
        throw new AssertionError("there is no lane");
    }

    private static AppHandler handler() {
        return request -> request.pathIs("/health") ? HEALTH : NOTE;
    }

    private static byte[] repeated(byte[] request) {
        byte[] all = new byte[DEPTH * request.length];
        for (int i = 0; i < DEPTH; i++) {
            System.arraycopy(request, 0, all, i * request.length, request.length);
        }
        return all;
    }

    @Benchmark
    public long small() {
        return small.event();
    }

    @Benchmark
    public long browser() {
        return browser.event();
    }

    /** Of sixteen requests in one read; the figure is of one. */
    @Benchmark
    @OperationsPerInvocation(DEPTH)
    public long pipelined() {
        return pipelined.event();
    }

    @Override
    public boolean wantsExchanges() {
        return false;
    }

    @Override
    public void onExchange(ExchangeRecord record) {
        throw new IllegalStateException("not wanted");
    }

    @Override
    public void onApplicationFailure(int loop, Request request, Throwable failure) {
        throw new IllegalStateException(failure);
    }

    @Override
    public void onHookFailure(int loop, String where, Throwable failure) {
        throw new IllegalStateException(failure);
    }

    @Override
    public void onLimit(int loop, ProtocolViolation violation) {
        throw new IllegalStateException("violation=" + violation);
    }

    /** A peer and its connection. */
    private final class Peer {
        private final MemoryTransport transport;
        private final ReadyWork connection;

        private Peer(byte[] sent) {
            transport = new MemoryTransport(sent);
            connection = connections.admit(transport);
        }

        private long event() {
            transport.refill();
            connection.onReady(true, false);
            return transport.taken();
        }
    }
}
