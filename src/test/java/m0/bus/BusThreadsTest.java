package m0.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import m0.loop.Waker;
import m0.page.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** E21: several threads publish while every loop reads; no order but the ids' may be seen. */
@Timeout(60)
class BusThreadsTest {
    private static final int LOOPS = 2;
    private static final int PUBLISHERS = 4;
    private static final int FRAMES_EACH = 20_000;

    @Test
    void everyRingSeesIdsAscendingWhoeverPublishes() throws Exception {
        FrameOrder[] orders = run(ByteBuffer.allocate(8), false);
        for (int loop = 0; loop < LOOPS; loop++) {
            assertEquals("", orders[loop].wrong, "loop " + loop);
            assertTrue(orders[loop].frames > 0, "loop " + loop + " got nothing");
        }
    }

    /** The second loop reads nothing before one was refused there, and then one now and then. */
    @Test
    void whatASlowLoopLosesIsToldInOrder() throws Exception {
        FrameOrder[] orders = run(ByteBuffer.allocate(4096), true);
        for (int loop = 0; loop < LOOPS; loop++) {
            assertEquals("", orders[loop].wrong, "loop " + loop);
            assertEquals(PUBLISHERS * FRAMES_EACH + 1, orders[loop].last, "loop " + loop);
        }
        assertTrue(orders[1].missing > 0, "nothing was refused: nothing was tried");
    }

    private static FrameOrder[] run(ByteBuffer data, boolean secondIsSlow) throws Exception {
        Page page = Page.inMemory(LOOPS, 0);
        List<Waker> wakers = List.of(new Waker(), new Waker());
        Bus bus = new Bus(page, Bus.RING_BYTES, wakers);
        FrameOrder[] orders = {new FrameOrder(), new FrameOrder()};
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
                ends.add(pool.submit(() -> {
                    for (int count = 0; count < FRAMES_EACH; count++) {
                        bus.publish("news", "beat", data.duplicate());
                    }
                }));
            }
            for (int loop = 0; loop < LOOPS; loop++) {
                int reader = loop;
                boolean slow = secondIsSlow && loop == 1;
                ends.add(pool.submit(() -> read(bus.source(reader), orders[reader], slow)));
            }
            await(ends);
            // Behind whatever was lost last, and both rings are empty.
            bus.publish("news", "end", data.duplicate());
            for (int loop = 0; loop < LOOPS; loop++) {
                assertEquals(1, bus.source(loop).poll(orders[loop], 2), "loop " + loop);
                assertEquals(bus.source(loop).refused(), orders[loop].missing, "loop " + loop);
            }
        } finally {
            pool.shutdownNow();
            assertTrue(pool.awaitTermination(30, TimeUnit.SECONDS), "a thread did not end");
        }
        return orders;
    }

    private static void read(FrameSource ring, FrameOrder order, boolean slow) {
        long lastId = PUBLISHERS * FRAMES_EACH;
        while (slow && ring.refused() == 0) {
            Thread.yield();
        }
        while (Math.max(order.last, order.lost) < lastId) {
            ring.poll(order, slow ? 1 : 64);
            if (slow || ring.isEmpty()) {
                Thread.yield();
            }
        }
    }

    private static void await(List<Future<?>> ends) throws InterruptedException {
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (ExecutionException failure) {
                throw new AssertionError(failure.getCause());
            }
        }
    }
}
