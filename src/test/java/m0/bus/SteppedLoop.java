package m0.bus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import m0.loop.Clock;
import m0.loop.Door;
import m0.loop.Loop;
import m0.loop.LoopConfig;
import m0.loop.LoopGroup;
import m0.loop.LoopObserver;
import m0.loop.PassWork;
import m0.loop.ReadyWork;
import m0.loop.StopWord;
import m0.loop.Transport;
import m0.page.Page;

/**
 * A loop that watches doors over real sockets and serves nothing, stepped by hand, with a clock that
 * the test moves. It has a timer that is always due, so that no pass waits.
 */
final class SteppedLoop implements PassWork, LoopObserver, Clock, AutoCloseable {
    private static final long DRAIN_NS = 1_000_000_000L;

    long nowNs = 1;
    private final Loop loop;

    SteppedLoop() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.configureBlocking(false);
        LoopGroup group = new LoopGroup(listener, Page.inMemory(1, 0), false);
        loop = new Loop(0, group, new LoopConfig(16, DRAIN_NS), this, this, new StopWord(), this);
    }

    void begin(Door door) throws IOException {
        loop.begin(List.of(door));
    }

    void passes(int count) throws IOException {
        for (int pass = 0; pass < count && !loop.isDone(); pass++) {
            loop.runPass();
        }
    }

    void requestStop() throws IOException {
        loop.requestStop();
    }

    @Override
    public void close() throws IOException {
        loop.close();
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long epochMillis() {
        return 0;
    }

    @Override
    public void beginPass(long passNs) { }

    @Override
    public boolean hasRoom() {
        return false;
    }

    @Override
    public ReadyWork admit(Transport transport) {
        throw new AssertionError("there is no room");
    }

    @Override
    public int live() {
        return 0;
    }

    @Override
    public boolean hasMail() {
        return false;
    }

    @Override
    public boolean runMail() {
        return false;
    }

    @Override
    public void flush() { }

    @Override
    public long runTimers() {
        return 0;
    }

    @Override
    public void beginDrain() { }

    @Override
    public boolean isDrained() {
        return true;
    }

    @Override
    public int closeAll() {
        return 0;
    }

    @Override
    public void onAcceptFailed(int at, String message) {
        throw new AssertionError(message);
    }

    @Override
    public void onDrainCut(int at, int connections, long boundNs) {
        throw new AssertionError("nothing was held");
    }

    @Override
    public void onStoodBack(int at, long times) { }

    @Override
    public void onShared(int at, long passed, long received) {
        throw new AssertionError("it is alone");
    }
}
